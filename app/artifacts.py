"""Files of models, rankings and matrices: written whole or not at all, verified when read."""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from uuid import uuid4

import obstore
import structlog
from obstore.exceptions import BaseError
from obstore.store import LocalStore, from_url

from app.artifact_errors import cause, not_read, not_stored, reason, unusable
from app.local_files import local_folder, mark_read, sha256, sync, takes_files

_BLOCK = 2**20
_COPIES = "copies"
_COPY_SECONDS = 7 * 24 * 3600
_DAY_SECONDS = 24 * 3600
#: What a job has stored has its row by then.
_UNNAMED_SECONDS = 3600
#: Files of models and matrices have a second of these in their names while they are written.
_HEX = "[0-9a-f]" * 32
#: A volume that is full takes files, but nothing in them.
_PROBE = bytes(4096)
#: Doubled at each try, so a store that is back is found soon.
_LONGEST_PAUSE = timedelta(seconds=2)

logger = structlog.get_logger(__name__)


class Folder(StrEnum):
    """What the keys of the store begin with; the clean-up looks at all of these."""

    MODELS = "models"
    RANKINGS = "rankings"
    MATRICES = "matrices"
    TABLES = "tables"
    FEATURE_SELECTIONS = "feature_selections"
    #: What is being written: a crash leaves it.
    INCOMING = "incoming"


class Artifacts:
    """A folder or an object store; safe to use from several threads.

    Parameters
    ----------
    url : str
        A folder, ``file://``, ``s3://``, ``gs://`` or ``az://``; the credentials of an object
        store come from the environment, by the names its own tools use.
    cache_directory : Path
        Where verified copies of remote files are kept, under their keys.
    retry_seconds : float, default=2
        How long an object store that does not answer is asked again; a request cannot wait long,
        the work of hours can.
    is_start : bool, default=True
        Whether to make a folder that is missing; later, its volume may not be mounted.

    Attributes
    ----------
    folder : Path or None
        Where the files are, unless in an object store.
    """

    def __init__(
        self, url: str, cache_directory: Path, *, retry_seconds: float = 2, is_start: bool = True
    ) -> None:
        self.folder = local_folder(url)
        self._cache = cache_directory
        self._verified: dict[Path, tuple[int, int, str]] = {}
        self._faults: dict[str, str] = {}
        if self.folder is None:
            self._store = from_url(
                url,
                retry_config={
                    "max_retries": 1000,  # the time decides
                    "retry_timeout": timedelta(seconds=retry_seconds),
                    "backoff": {"max_backoff": _LONGEST_PAUSE},
                },
            )
        else:
            # Here, as errors of Python say why it cannot be made, or read.
            if is_start:
                self.folder.mkdir(parents=True, exist_ok=True)
            else:
                next(self.folder.iterdir(), None)
            self._store = LocalStore(self.folder)

    def save(self, key: str, write: Callable[[Path], object]) -> dict[str, Any]:
        """Store what ``write`` puts into the path it is given; return key, size and SHA-256.

        Raises
        ------
        StorageFull, StoreUnavailable
            If there is no room, or the store cannot be used; nothing of the file is left.
        """
        try:
            with self._incoming() as path:
                write(path)
                sync(path)
                file = {"key": key, "size": path.stat().st_size, "sha256": sha256(path)}
                self._publish(path, file)
        except (OSError, BaseError) as error:
            raise not_stored(f"The file {key!r}", error, self.folder) from error
        return file

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Give a folder for files that are removed as soon as they are open.

        Raises
        ------
        StorageFull, StoreUnavailable
            If anything in the block fails for want of room, or another reason of the system.
        """
        try:
            yield self._scratch_folder()
        except OSError as error:
            raise not_stored("A temporary file", error, self.folder) from error

    def path(self, file: dict[str, Any]) -> Path:
        """Return where the file lies on this machine, after comparing it with its SHA-256.

        Raises
        ------
        ArtifactUnavailable, StoreUnavailable
            If it is missing or damaged, or out of reach.
        """
        path = self._path(file["key"])
        try:
            if self.folder is None and not self._is_intact(path, file):
                self._download(file)
            is_intact = self._is_intact(path, file)
            if self.folder is None and is_intact:
                mark_read(path)
        except (OSError, BaseError) as error:
            raise not_read(file, error) from error
        if not is_intact:
            raise unusable(file, "it is not the file that was stored")
        return path

    def is_verified(self, file: dict[str, Any]) -> bool:
        """Tell whether ``path`` would return at once: the file was compared and is unchanged."""
        path = self._path(file["key"])
        try:
            return self._verified.get(path) == _stamp(path, file)
        except OSError:
            return False

    def delete(self, *keys: str) -> None:
        """Delete files without rows; one that cannot be deleted now the clean-up finds later."""
        for key in keys:
            path = self._path(key)
            self._verified.pop(path, None)
            try:
                if self.folder is None:
                    path.unlink(missing_ok=True)
                obstore.delete(self._store, key)
            except FileNotFoundError:
                pass
            except (OSError, BaseError) as error:
                logger.warning("file not deleted", key=key, reason=reason(error))

    def list(self, folder: str | None = None) -> Iterator[tuple[str, datetime]]:
        """Yield the key and the time of every file of the store, or of one of its folders."""
        for chunk in obstore.list(self._store, folder, chunk_size=1000):
            for item in chunk:
                yield item["path"], item["last_modified"]

    def trim_cache(self) -> None:
        """Remove the copies nobody read for long, and what a crash left; mapped ones stay whole."""
        kept = {f"{_COPIES}/*/{_HEX}": _COPY_SECONDS}
        kept |= {f"{Folder.INCOMING}/{name}": _DAY_SECONDS for name in (_HEX, f"{_HEX}.{_HEX}")}
        for pattern, seconds in kept.items():
            for path in self._cache.glob(pattern):
                with suppress(FileNotFoundError):
                    if path.is_file() and path.stat().st_atime < time.time() - seconds:
                        self._remove_copy(path)

    def remove_copies(self, named: set[str]) -> None:
        """Remove copies of files with other keys than these, those of rows."""
        copies = self._cache / _COPIES
        for path in copies.glob("*/*"):
            with suppress(FileNotFoundError):
                is_named = path.relative_to(copies).as_posix() in named
                if not is_named and path.stat().st_mtime < time.time() - _UNNAMED_SECONDS:
                    self._remove_copy(path)

    def fault(self) -> str | None:
        """Return why the store cannot be used, if so, in words for answers; the log has more."""
        return self._fault_of("artifact store", self._check_store)

    def cache_fault(self) -> str | None:
        """Return the same of the cache directory, where requests have temporary files."""
        return self._fault_of("cache directory", self._check_cache)

    def can_store(self) -> bool:
        """Tell whether a job would find the store ready, and room for its temporary files."""
        where = "folder for temporary files"
        return not (self.fault() or self._fault_of(where, self._check_scratch))

    def _fault_of(self, what: str, check: Callable[[], object]) -> str | None:
        try:
            check()
        except (OSError, BaseError) as error:
            known, self._faults[what] = self._faults.get(what), cause(error)
            if known != self._faults[what]:
                told = {"cause": cause(error), "reason": reason(error)}
                logger.error("storage cannot be used", what=what, **told)
            return f"The {what} cannot be used: {cause(error)}."
        self._faults.pop(what, None)
        return None

    def _check_store(self) -> None:
        if self.folder is None:
            next(iter(obstore.list(self._store, chunk_size=1)), None)
            return
        if not takes_files(self.folder):
            raise OSError(errno.EACCES, "its folder is missing or cannot be written to")
        for name in Folder:
            # One that is missing is made when it is needed.
            if (self.folder / name).exists() and not takes_files(self.folder / name):
                raise OSError(errno.EACCES, f"its folder {name!s} cannot be written to")

    def _check_cache(self) -> None:
        self._cache.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=self._cache) as file:
            file.write(_PROBE)

    def _check_scratch(self) -> None:
        with self._incoming() as path:
            path.write_bytes(_PROBE)

    def _scratch_folder(self) -> Path:
        folder = (self.folder or self._cache) / Folder.INCOMING
        folder.mkdir(mode=0o700, parents=self.folder is None, exist_ok=True)
        return folder

    @contextmanager
    def _incoming(self) -> Iterator[Path]:
        path = self._scratch_folder() / uuid4().hex
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    def _publish(self, path: Path, file: dict[str, Any]) -> None:
        if self.folder is None:
            obstore.put(self._store, file["key"], path)
            self.trim_cache()
        target = self._path(file["key"])
        target.parent.mkdir(parents=self.folder is None, exist_ok=True)
        os.replace(path, target)
        sync(target.parent)
        self._verified[target] = _stamp(target, file)

    def _path(self, key: str) -> Path:
        return (self.folder or self._cache / _COPIES) / key

    def _remove_copy(self, path: Path) -> None:
        self._verified.pop(path, None)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            logger.warning("copy not deleted", name=path.name, reason=reason(error))

    def _download(self, file: dict[str, Any]) -> None:
        with self._incoming() as path:
            with path.open("wb") as target:
                for chunk in obstore.get(self._store, file["key"]).stream(_BLOCK):
                    target.write(chunk)
            copy = self._path(file["key"])
            copy.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, copy)
        self.trim_cache()

    def _is_intact(self, path: Path, file: dict[str, Any]) -> bool:
        if self.folder is None and not path.exists():
            return False
        stamp = _stamp(path, file)
        if self._verified.get(path) == stamp:
            return True
        if stamp[1] == file["size"] and sha256(path) == file["sha256"]:
            self._verified[path] = stamp
            return True
        return False


def _stamp(path: Path, file: dict[str, Any]) -> tuple[int, int, str]:
    """Return what changes when the file does, or when another one is meant."""
    status = path.stat()
    return status.st_mtime_ns, status.st_size, file["sha256"]
