"""What a process does once, before anybody waits for it."""

import gc

import numpy as np
from scipy.sparse import csr_array

from app.kernel_cache import compiling
from core.kernels.rows.row_blocks import row_products


def warm_up() -> None:
    """Let numba set itself up, and the garbage collector pass over what is loaded by now.

    The first call of a compiled kernel in a process takes a third of a second or more. What is
    loaded is never garbage: to look through it took a quarter of an upload, and a child of the fork
    server copied most of it.
    """
    with compiling():
        row_products(csr_array(np.ones((1, 1), dtype=np.float32)), np.ones(1))
    gc.collect()
    gc.freeze()
