"""What the fork server of the worker loads once for all jobs, besides the libraries.

The first call of a compiled kernel in a process takes half a second, in which numba sets itself up.
Each child runs ``app.cli`` anew where that is what the worker was started with: what it imports is
loaded here, but not the module itself, as runpy warns of a module that is run after its import.
"""

import numpy as np
from scipy.sparse import csr_array

from app.commands import client_commands  # noqa: F401 - loaded for the children
from core.kernels.row_blocks import row_products

row_products(csr_array(np.ones((1, 1), dtype=np.float32)), np.ones(1))
