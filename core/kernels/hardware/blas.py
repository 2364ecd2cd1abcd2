"""Linear algebra on one thread, where waking others takes longer than the work."""

from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread(user_api="blas"):
    """Let linear algebra, or with None OpenMP as well, have one thread.

    Several threads may be inside at once: what there was before returns when the last one leaves.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.hardware.blas import one_thread
    >>> with one_thread():
    ...     float(np.ones(3) @ np.ones(3))
    3.0
    """
    with ExitStack() as limits:
        limits.enter_context(_OF_BLAS)
        if user_api is None:
            # Each thread has its own number of OpenMP, so that none undoes that of another.
            limits.enter_context(_controller().limit(limits=1, user_api="openmp"))
        yield


class _SharedLimit:
    """The limit of linear algebra, which is one number for the whole process."""

    def __init__(self):
        self._lock = Lock()
        self._n_inside = 0
        self._limit = None

    def __enter__(self):
        with self._lock:
            if not self._n_inside:
                self._limit = _controller().limit(limits=1, user_api="blas")
            self._n_inside += 1

    def __exit__(self, *_):
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                self._limit.restore_original_limits()


_OF_BLAS = _SharedLimit()


@cache
def _controller():
    # To look for the libraries takes milliseconds.
    return ThreadpoolController()
