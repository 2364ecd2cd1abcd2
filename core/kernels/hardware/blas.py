"""Linear algebra on one thread, where waking others takes longer than the work."""

from functools import cache

from threadpoolctl import ThreadpoolController


def one_thread(user_api="blas"):
    """Return a context in which linear algebra, or with None OpenMP as well, has one thread.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.hardware.blas import one_thread
    >>> with one_thread():
    ...     float(np.ones(3) @ np.ones(3))
    3.0
    """
    return _controller().limit(limits=1, user_api=user_api)


@cache
def _controller():
    # To look for the libraries takes milliseconds.
    return ThreadpoolController()
