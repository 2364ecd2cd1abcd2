"""How long parts of documents are."""

MAX_ID_CHARACTERS = 512
#: Of the digest of a text.
DIGEST_BYTES = 16
