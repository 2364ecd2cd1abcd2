"""Digests that change when what is counted of a document changes."""

from collections.abc import Sequence
from hashlib import blake2b

from app.document_sizes import DIGEST_BYTES


def content_digests(digests: Sequence[bytes], vector_codes: Sequence[str | None]) -> bytes:
    """Return the digest of each text and the code of its vector, one behind the other."""
    if not any(vector_codes):
        return b"".join(digests)
    pairs = zip(digests, vector_codes, strict=True)
    return b"".join(
        digest
        if code is None
        else blake2b(digest + code.encode(), digest_size=DIGEST_BYTES).digest()
        for digest, code in pairs
    )
