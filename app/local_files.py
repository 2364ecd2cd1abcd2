"""Files and folders of this machine."""

import fcntl
import hashlib
import os
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DAY_NS = 24 * 3600 * 10**9


def local_folder(url: str) -> Path | None:
    """Return the folder that an address names; None if it is elsewhere."""
    if url.startswith("file://"):
        return Path(unquote(urlsplit(url).path)).absolute()
    return None if "://" in url else Path(url).absolute()


def takes_files(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def lock(folder: str) -> int:
    """Lock a folder until the descriptor that is returned is closed.

    What removes old files from /tmp, such as systemd, leaves a folder alone that is locked.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def sync(path: Path) -> None:
    """Have what was written to a file or a folder kept through a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def mark_read(path: Path) -> None:
    """Note that a file is used, at most once a day: reading what is mapped does not."""
    status, now = path.stat(), time.time_ns()
    if now - status.st_atime_ns > _DAY_NS:
        os.utime(path, ns=(now, status.st_mtime_ns))
