"""What is told of a file that cannot be stored, read or deleted."""

import errno
from typing import Any

from app.errors import AppError, ArtifactUnavailable, StorageFull, StoreUnavailable
from core.plain_file import InvalidModelFile

#: What the system says when there is no room.
FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


def not_stored(what: str, error: Exception) -> AppError:
    if isinstance(error, OSError) and error.errno in FULL:
        return StorageFull(
            f"{what} could not be stored: {_reason(error)}. Make room in the artifact store or "
            "its cache, then try again."
        )
    return _out_of_reach(what, "stored", error)


def not_read(file: dict[str, Any], error: Exception) -> AppError:
    if isinstance(error, FileNotFoundError | InvalidModelFile):
        return unusable(file, _reason(error))
    return _out_of_reach(f"The file {file['key']!r}", "read", error)


def not_deleted(key: str, error: Exception) -> AppError:
    return _out_of_reach(f"The file {key!r}", "deleted", error)


def unusable(file: dict[str, Any], reason: str) -> ArtifactUnavailable:
    return ArtifactUnavailable(
        f"The file {file['key']!r} cannot be used: {reason}. Restore it from a backup of the "
        "artifact store, or train again."
    )


def _out_of_reach(what: str, done: str, error: Exception) -> StoreUnavailable:
    return StoreUnavailable(
        f"{what} could not be {done}: {_reason(error)}. Check the artifact store and the cache "
        "directory, then try again."
    )


def _reason(error: Exception) -> str:
    # obstore appends a long dump for developers to its messages.
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text.partition("\n")[0].rstrip(".") or type(error).__name__
