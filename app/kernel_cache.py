"""Whether compiled kernels can be kept, and are whole: else they cannot even be imported."""

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

from app.command_failed import CommandFailed

VARIABLE = "NUMBA_CACHE_DIR"
#: Has kernels, as many modules do.
_PLACE, _MODULE = "kernels/rows/__pycache__", "core.kernels.rows.row_blocks"


def refuse_missing_cache() -> None:
    """Check that there is a folder for compiled kernels, before anything is started.

    Numba itself, which takes a second to load, is asked only where none of its usual folders can
    be written to.

    Raises
    ------
    CommandFailed
    """
    if any(map(_takes_files, _usual_folders())):
        return
    try:
        import_module(_MODULE)
    except RuntimeError as error:
        raise CommandFailed(
            f"{VARIABLE}: compiled code can be kept neither beside the installed package nor in "
            "the home of this user. Set it to a folder that can be written to, then try again."
        ) from error


@contextmanager
def compiling() -> Iterator[None]:
    """End this process with a line if the system refuses to keep what is compiled in the block.

    Several kinds of processes compile as they start, some of them far from any command.
    """
    try:
        yield
    except OSError as error:
        raise SystemExit(
            f"{VARIABLE}: compiled code, or a temporary file beside it, cannot be kept: {error}. "
            "Make room, or set it to another folder that can be written to, then try again."
        ) from error


def remove_damaged_kernels() -> None:
    """Remove what is not whole: no module that has one of these could be imported.

    Numba writes files whole, but does not wait for the disk, so a loss of power leaves such. What
    is missing is compiled anew.
    """
    for folder in _usual_folders(""):
        for path in folder.rglob("*.nb[ci]"):
            with suppress(OSError):
                if not _is_whole(path):
                    path.unlink()


def _is_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 1))
        return file.read() == pickle.STOP


def _usual_folders(place: str = _PLACE) -> list[Path]:
    given = os.environ.get(VARIABLE)
    package = find_spec("core")
    beside = [] if package is None else package.submodule_search_locations or []
    home = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    folders = [given, *(f"{folder}/{place}" for folder in beside), f"{home}/numba"]
    return [Path(folder) for folder in folders if folder]


def _takes_files(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True
