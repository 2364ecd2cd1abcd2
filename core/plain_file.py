"""Files of plain containers, numbers, strings and arrays; reading one makes nothing else.

A file is a joblib pickle, uncompressed so that its arrays can be memory-mapped. A pickle is a
program that may call whatever it names: here it may name what arrays are made of, and no more.
"""

import os
import pickle
import platform
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

import joblib
import numpy as np
from joblib.numpy_pickle import NumpyArrayWrapper, NumpyUnpickler

from core.errors import BadParameter
from core.version import __version__

FORMAT = 1


class InvalidModelFile(ValueError):
    """A file that is damaged, made by something else, or holds what it must not."""


def is_plain(dtype):
    """Return whether arrays of a data type can be in a file: numbers and str, no objects."""
    return isinstance(dtype, np.dtype) and dtype.kind in "biufcSU" and dtype.isnative


def write_plain(content, path, kind):
    """Write plain content to a file and wait until it is on the disk.

    Parameters
    ----------
    content : object
        Containers, numbers, str, None and arrays; the caller sees to it.
    path : path-like
        The file.
    kind : str
        What it is; ``read_plain`` must ask for the same.
    """
    header = {"format": FORMAT, "kind": kind, "versions": library_versions()}
    # A file that is mapped, maybe by the content itself, must not change: another takes its place.
    path = Path(path).resolve()
    new = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        with new.open("xb") as file:
            joblib.dump({**header, "content": content}, file, compress=0)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def read_plain(path, mmap_mode, kind):
    """Return the content of a file that ``write_plain`` wrote.

    Parameters
    ----------
    path : path-like
        The file.
    mmap_mode : {"r", "c"} or None
        How arrays are mapped: read-only or copy-on-write; None reads them into memory.
    kind : str
        What the file must be.

    Returns
    -------
    object
        The content.

    Raises
    ------
    BadParameter
        If ``mmap_mode`` is another.
    InvalidModelFile
        If the file is anything else.
    OSError
        If the file cannot be opened.
    """
    if mmap_mode not in ("r", "c", None):
        raise BadParameter(f"mmap_mode must be 'r', 'c' or None, got {mmap_mode!r}.", "mmap_mode")
    with open(path, "rb") as file:
        unpickler = _PlainUnpickler(
            os.fspath(path), file, ensure_native_byte_order=mmap_mode is None, mmap_mode=mmap_mode
        )
        try:
            content = unpickler.load()
        except OSError:
            raise
        except Exception as error:  # there is nothing that unpickling damaged bytes cannot raise
            # The messages of other errors only tell which reader stumbled.
            why = f": {error}" if isinstance(error, _NotAllowed) else "."
            reason = f"{path} is no {kind} file of seedbed, or damaged{why}"
            raise InvalidModelFile(reason) from error
    if not isinstance(content, dict) or content.get("kind") != kind:
        raise InvalidModelFile(f"{path} is no {kind} file of seedbed.")
    if content.get("format") != FORMAT or "content" not in content:
        raise InvalidModelFile(f"{path} is not of format {FORMAT}.")
    return content["content"]


@cache
def library_versions():
    """Return the versions that a result depends on: dict of str to str."""
    names = ("numpy", "scipy", "scikit-learn", "numba", "joblib")
    own = {"python": platform.python_version(), "seedbed": __version__}
    return own | {name: version(name) for name in names}


class _NotAllowed(pickle.UnpicklingError):
    """A file asks for more than plain arrays."""


class _StoredArray(NumpyArrayWrapper):
    def read_mmap(self, unpickler):
        file = unpickler.file_handle
        offset = int.from_bytes(file.read(1)) + file.tell()  # padding, for alignment
        array = np.ndarray(self.shape, self.dtype, unpickler.mapping, offset, order=self.order)
        file.seek(offset + array.nbytes)
        return array


ALLOWED_NAMES = {
    ("joblib.numpy_pickle", "NumpyArrayWrapper"): _StoredArray,
    ("numpy", "dtype"): np.dtype,
    ("numpy", "ndarray"): np.ndarray,
}


class _PlainUnpickler(NumpyUnpickler):
    dispatch = NumpyUnpickler.dispatch.copy()

    @cached_property
    def mapping(self):
        """The file, mapped once for all arrays: each mapping takes a file descriptor."""
        return np.memmap(self.filename, mode=self.mmap_mode)

    def find_class(self, module, name):
        if (module, name) not in ALLOWED_NAMES:
            # In a file of another kind the name may be any bytes.
            shown = f"{module}.{name}"[:100]
            raise _NotAllowed(f"{shown!r} is not allowed in a file")
        return ALLOWED_NAMES[module, name]

    def load_build(self):
        state, target = self.stack[-1], self.stack[-2]
        if isinstance(target, np.dtype) and state == target.__reduce__()[2]:
            # NumPy crashes on a state that does not fit. The one that fits changes nothing: the
            # data types of plain arrays in native byte order are complete without it.
            self.stack.pop()
            return
        # A state given to a class would change it for the whole process.
        if not isinstance(target, NumpyArrayWrapper) or not is_plain(state["dtype"]):
            raise _NotAllowed(f"a state for {target!r} is not allowed in a file")
        super().load_build()

    dispatch[pickle.BUILD[0]] = load_build
