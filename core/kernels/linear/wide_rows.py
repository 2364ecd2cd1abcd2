"""Sparse rows with a few dense columns beside them, whose products need no column index."""

from functools import partial
from typing import Any, NamedTuple

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.hardware.thread_map import thread_each, thread_map
from core.kernels.linear.training_space import used_columns
from core.kernels.rows.row_blocks import row_products, transposed_product

#: Dense numbers of a block.
BLOCK_NUMBERS = 2**20


class WideRows(NamedTuple):
    """Rows whose first columns are sparse and whose last ones are dense.

    Attributes
    ----------
    sparse : sparse array of shape (n_samples, n_sparse)
        The first columns, in CSR format.
    dense : ndarray of shape (n_samples, n_dense)
        The last columns, contiguous.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.wide_rows import WideRows
    >>> rows = WideRows(sp.csr_array([[1.0, 0], [2, 3]]), np.array([[4.0], [5]]))
    >>> rows.products(np.array([1, 0, 0.5])).tolist()
    [3.0, 4.5]
    >>> rows.weighted_sum(np.array([1, 0.5])).tolist()
    [2.0, 1.5, 6.5]
    """

    sparse: Any
    dense: np.ndarray

    @property
    def shape(self):
        """Numbers of rows and of all columns."""
        return self.sparse.shape[0], self.sparse.shape[1] + self.dense.shape[1]

    def products(self, weights, is_wanted=None):
        """Return the rows times ``weights``, (n_samples,), or 0 where they are not wanted."""
        n_sparse = self.sparse.shape[1]
        products = row_products(self.sparse, weights[:n_sparse], is_wanted)
        if self.dense.shape[1]:
            is_wanted = np.ones(len(products), dtype=bool) if is_wanted is None else is_wanted
            parts = self.dense, weights[n_sparse:], is_wanted, products
            thread_each(partial(_add_products, *parts), self._blocks())
        return products

    def weighted_sum(self, weights):
        """Return the sum of the rows times their weights, (n_columns,)."""
        total = transposed_product(self.sparse, weights)
        if not self.dense.shape[1]:
            return total
        parts = thread_map(partial(_sum_of_rows, self.dense, weights), self._blocks())
        return np.append(total, sum(parts))

    def without_unused(self):
        """Return the columns that have entries, every dense one among them, and the rows of these.

        Their arrays are shared, but for the column indices.
        """
        n_sparse = self.sparse.shape[1]
        columns, indices = used_columns(self.sparse)
        parts = self.sparse.data, indices, self.sparse.indptr
        sparse = sp.csr_array(parts, shape=(self.sparse.shape[0], len(columns)))
        return np.append(columns, np.arange(n_sparse, self.shape[1])), self._replace(sparse=sparse)

    def _blocks(self):
        size = max(1, BLOCK_NUMBERS // self.dense.shape[1])
        n_rows = self.dense.shape[0]
        return [(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def wide_rows(X):
    """Return a CSR array as WideRows without a dense column; WideRows as they are."""
    return X if isinstance(X, WideRows) else WideRows(X, np.empty((X.shape[0], 0)))


# Sums of vectors of numbers, not of one number after the other.
@numba.njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def _add_products(dense, weights, is_wanted, products, bounds):
    for row in range(bounds[0], bounds[1]):
        if is_wanted[row]:
            total = 0.0
            for k in range(dense.shape[1]):
                total += np.float64(dense[row, k]) * weights[k]
            products[row] += total


@numba.njit(cache=True, nogil=True)
def _sum_of_rows(dense, weights, bounds):
    total = np.zeros(dense.shape[1])
    for row in range(bounds[0], bounds[1]):
        weight = weights[row]
        if weight != 0:
            for k in range(len(total)):
                total[k] += weight * np.float64(dense[row, k])
    return total
