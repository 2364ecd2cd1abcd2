"""Linear algebra on one thread, where waking others takes longer than the work."""

from contextlib import ExitStack, contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController

from core.kernels.hardware.shared_context import SharedContext


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


@cache
def _controller():
    # To look for the libraries takes milliseconds.
    return ThreadpoolController()


#: The number of threads of linear algebra is one for the whole process.
_OF_BLAS = SharedContext(lambda: _controller().limit(limits=1, user_api="blas"))
