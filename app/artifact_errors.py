"""What is told of a file that cannot be stored or read."""

import errno
from pathlib import Path
from typing import Any

import structlog
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

from app.errors import AppError, ArtifactUnavailable, StorageFull, StoreUnavailable

#: What the system says when there is no room.
FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}

#: By what stands in errors of object stores; the first that is found tells most.
_CAUSES = {
    # Where clouds give credentials to their own machines: it is asked when there are no others.
    "/latest/api/token": "no credentials for the object store are in the environment",
    "/computeMetadata/": "no credentials for the object store are in the environment",
    "MissingAccount": "no account of the object store is in the environment",
    "BadScheme": "the endpoint is http://, which needs AWS_ALLOW_HTTP=true (or its like)",
    "NoSuchBucket": "the object store has no such bucket",
    "ExpiredToken": "the credentials of the object store have expired; restart with new ones",
    "RequestTimeTooSkewed": "the clock of this machine is not that of the object store; set it",
    "401 Unauthorized": "the object store refuses the credentials",
    "403 Forbidden": "the object store refuses the credentials",
}

#: What else to do where a file is lost, by what its key begins with; for others, train again.
_INSTEAD = {
    "rankings": "make it anew with POST /models/ID/ranking",
    "tables": "send the table again",
    "feature_selections": "select features again",
}

logger = structlog.get_logger(__name__)


def not_opened(error: Exception) -> StoreUnavailable:
    return _out_of_reach("The artifact store", "opened", error)


def not_stored(what: str, error: Exception, folder: Path | None) -> AppError:
    """Return what is told where a store, a ``folder`` or a remote one, does not take a file."""
    if isinstance(error, OSError) and error.errno in FULL:
        # What goes to a remote store is written to the cache first.
        full = "SEEDBED_ARTIFACTS_URL" if folder else "SEEDBED_CACHE_DIRECTORY"
        return StorageFull(
            f"{what} could not be stored: {cause(error)}. Make room in the folder of {full}, then "
            "try again."
        )
    return _out_of_reach(what, "stored", error)


def not_read(file: dict[str, Any], error: Exception) -> AppError:
    if isinstance(error, FileNotFoundError):
        return unusable(file, "it is missing")
    return _out_of_reach(f"The file {file['key']!r}", "read", error)


def unusable(file: dict[str, Any], why: str) -> ArtifactUnavailable:
    instead = _INSTEAD.get(file["key"].partition("/")[0], "train again")
    return ArtifactUnavailable(
        f"The file {file['key']!r} cannot be used: {why}. Restore it from a backup of the "
        f"artifact store, or {instead}."
    )


def _out_of_reach(what: str, done: str, error: Exception) -> StoreUnavailable:
    logger.error("file out of reach", file=what, what=f"not {done}", reason=reason(error))
    return StoreUnavailable(
        f"{what} could not be {done}: {cause(error)}. Check the artifact store and the cache "
        "directory, then try again."
    )


def cause(error: Exception) -> str:
    """Return what is wrong in words for clients: addresses and settings are for the log."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    known = (words for mark, words in _CAUSES.items() if mark in str(error))
    if isinstance(error, PermissionDeniedError | UnauthenticatedError):
        return next(known, "the object store refuses the credentials")
    if isinstance(error, BaseError | OSError):
        return next(known, "the artifact store does not answer, or answers wrongly")
    return reason(error)


def reason(error: Exception) -> str:
    """Return what is wrong, in a line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    # obstore appends a long dump for developers to its messages.
    line = " ".join(text.partition("\n\nDebug source:")[0].split())
    return line.rstrip(".") or type(error).__name__
