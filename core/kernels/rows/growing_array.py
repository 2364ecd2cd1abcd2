"""An array to which arrays are appended, in memory or in a file that has no name."""

import mmap
import tempfile

import numpy as np

from core.kernels.hardware.thread_map import thread_each


class GrowingArray:
    """What is appended, one after the other; to be closed by ``contextlib.closing``.

    Parameters
    ----------
    dtype : dtype
        Of the array.
    folder : path-like or None
        Where a temporary file holds it; None means memory.

    Examples
    --------
    >>> from core.kernels.rows.growing_array import GrowingArray
    >>> growing = GrowingArray(float, None)
    >>> growing.append([1, 2])
    >>> growing.append([3])
    >>> growing.array().tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, dtype, folder):
        self.dtype = np.dtype(dtype)
        self.parts = []
        self.length = 0
        # Without a name, so that nothing is left of it whatever happens.
        self.file = None if folder is None else tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - see close

    def append(self, part):
        """Append a part, converted to the type of the array."""
        part = np.ascontiguousarray(part, dtype=self.dtype)
        self.length += len(part)
        if self.file is None:
            self.parts.append(part)
        else:
            self.file.write(part)

    def array(self):
        """Return the whole as an array that can be written to; nothing can be appended then."""
        if self.file is not None:
            return self._mapped()
        if len(self.parts) == 1:
            return self.parts.pop()
        whole = np.empty(self.length, dtype=self.dtype)
        ends = np.cumsum([len(part) for part in self.parts]).tolist()

        def put(i):
            part, self.parts[i] = self.parts[i], None
            whole[ends[i] - len(part) : ends[i]] = part

        thread_each(put, range(len(ends)))
        return whole

    def _mapped(self):
        if not self.length:
            return np.empty(0, dtype=self.dtype)
        self.file.flush()
        return np.frombuffer(mmap.mmap(self.file.fileno(), 0), dtype=self.dtype)

    def close(self):
        """Let go of the file, which lives on as long as an array on it."""
        if self.file is not None:
            self.file.close()
