"""How long parts of documents are."""

MAX_ID_CHARACTERS = 512
#: Of the digest of a text.
DIGEST_BYTES = 16
#: Texts and metadata of a page, beyond which it ends: a thousand may be of ten million characters
#: each.
PAGE_CHARACTERS = 16 * 2**20
