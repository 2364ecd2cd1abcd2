"""How long parts of documents are."""

MAX_ID_CHARACTERS = 512
#: Of the digest of a text.
DIGEST_BYTES = 16
#: Of a vector: see ``core.text.vector_coding``, which the bodies of requests do not know.
MAX_VECTOR_NUMBERS = 4096
#: Of the code of a vector: how many numbers it has, and a letter for each word.
VECTOR_CODE_CHARACTERS = 101
#: Texts and metadata of a page, beyond which it ends: a thousand may be of ten million characters
#: each.
PAGE_CHARACTERS = 16 * 2**20
#: Of texts whose length something else bounds.
NO_LIMIT = 2**60
