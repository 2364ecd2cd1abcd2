"""Keys of texts, to find those that come again; without NumPy, which commands do not load."""

from array import array
from hashlib import sha256

from app.services.intake.rows import Row


def text_key(digest: bytes) -> int:
    """Return the first half of a digest, enough to find texts that come again."""
    return int.from_bytes(digest[:8], "little")


def whole_key(row: Row) -> int:
    """Return the key of a row as a document: a text with another vector is another one."""
    if row.vector is None:
        return text_key(row.digest)
    return text_key(sha256(row.digest + array("d", row.vector).tobytes()).digest())
