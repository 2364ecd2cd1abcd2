"""What is told of a file that cannot be stored or read."""

import errno
from typing import Any

from app.errors import AppError, ArtifactUnavailable, StorageFull, StoreUnavailable

#: What the system says when there is no room.
FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


def not_stored(what: str, error: Exception) -> AppError:
    if isinstance(error, OSError) and error.errno in FULL:
        return StorageFull(
            f"{what} could not be stored: {reason(error)}. Make room in the artifact store or "
            "its cache, then try again."
        )
    return _out_of_reach(what, "stored", error)


def not_read(file: dict[str, Any], error: Exception) -> AppError:
    if isinstance(error, FileNotFoundError):
        return unusable(file, reason(error))
    return _out_of_reach(f"The file {file['key']!r}", "read", error)


def unusable(file: dict[str, Any], why: str) -> ArtifactUnavailable:
    return ArtifactUnavailable(
        f"The file {file['key']!r} cannot be used: {why}. Restore it from a backup of the "
        "artifact store, or train again."
    )


def _out_of_reach(what: str, done: str, error: Exception) -> StoreUnavailable:
    return StoreUnavailable(
        f"{what} could not be {done}: {reason(error)}. Check the artifact store and the cache "
        "directory, then try again."
    )


def reason(error: Exception) -> str:
    """Return what is wrong, in a line."""
    # obstore appends a long dump for developers to its messages.
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text.partition("\n")[0].rstrip(".") or type(error).__name__
