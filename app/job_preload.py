"""What the fork server of the worker loads once for all jobs, besides the libraries.

The first call of a compiled kernel in a process takes half a second, in which numba sets itself up.
"""

import numpy as np
from scipy.sparse import csr_array

from core.kernels.row_blocks import row_products

row_products(csr_array(np.ones((1, 1), dtype=np.float32)), np.ones(1))
