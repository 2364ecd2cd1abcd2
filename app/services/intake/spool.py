"""Temporary files for what a client sends, on the disk of the service."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

from app.artifact_errors import FULL
from app.errors import AppError, StorageFull, StoreUnavailable, UnreadableBody

#: Kept in memory; what is longer goes to the disk.
SPOOL_BYTES = 2**20


def open_spool(folder: Path | None) -> IO[bytes]:
    """Return a file without a name: nobody else can open it, and it ends with the process."""
    # The usual folder for temporary files, that of None, can be memory in a container.
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    return SpooledTemporaryFile(max_size=SPOOL_BYTES, dir=None if folder is None else str(folder))


@contextmanager
def spooled(body: Iterator[bytes], folder: Path | None) -> Iterator[IO[bytes]]:
    """Keep a body in a file while it is read.

    Raises
    ------
    StorageFull, StoreUnavailable, and whatever ``body`` raises
    """
    # To go to the start, and to close what could not be written, write what is still held back.
    with storage_errors(is_temporary=folder is None), ExitStack() as opened:
        file = opened.enter_context(open_spool(folder))
        for piece in body:
            file.write(piece)
        file.seek(0)
        whole = opened.pop_all()
    with whole:
        yield file


@contextmanager
def damage_told(detail: str) -> Iterator[None]:
    """Tell of a damaged file where what reads it has no error of its own, and raises nearly any.

    Raises
    ------
    UnreadableBody
    """
    try:
        yield
    except AppError:
        raise
    except Exception as error:
        raise UnreadableBody(detail) from error


@contextmanager
def storage_errors(*, is_temporary: bool = False) -> Iterator[None]:
    """Turn faults of the disk into errors of the service, or of a command, which has no cache.

    Raises
    ------
    StorageFull, StoreUnavailable
    """
    try:
        yield
    except OSError as error:
        if is_temporary:
            raise StoreUnavailable(
                f"The folder for temporary files cannot be written to: {error.strerror}. Mend "
                "that, or name another with TMPDIR."
            ) from error
        if error.errno not in FULL:
            raise StoreUnavailable(
                "The service cannot write what was sent to its cache directory. Check that it "
                "exists and can be written to, then send it again."
            ) from error
        raise StorageFull(
            "There is no room on the service's disk for what was sent. Make room in the cache "
            "directory, then send it again."
        ) from error
