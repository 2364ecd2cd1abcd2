"""What the fork server of the worker loads once for all jobs, besides the libraries.

The first call of a compiled kernel in a process takes half a second, in which numba sets itself up,
and the first count of known terms a quarter. A pass of the garbage collector over all that is
loaded takes another quarter, in which a child copies most of it: children leave it alone.
Each child runs ``app.cli`` anew where that is what the worker was started with: what it imports is
loaded here, but not the module itself, as runpy warns of a module that is run after its import.
"""

import gc

import numpy as np
from scipy.sparse import csr_array

from app.commands import client_commands  # noqa: F401 - loaded for the children
from core.kernels.row_blocks import row_products
from core.kernels.tokens.counts import FEW_BYTES
from core.text import TokenCounter

row_products(csr_array(np.ones((1, 1), dtype=np.float32)), np.ones(1))
# So many bytes that plain Python does not count them.
TokenCounter().fit([b"word"]).transform([b"word " * (FEW_BYTES // 4)])
gc.collect()
gc.freeze()
