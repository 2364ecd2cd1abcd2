"""Sparse rows with a few dense columns beside them, whose products need no column index."""

from functools import partial
from typing import Any, NamedTuple

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.hardware.thread_map import thread_each, thread_map
from core.kernels.rows.row_blocks import (
    document_frequencies,
    row_blocks,
    row_products,
    transposed_product,
    unsigned,
)

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

    def products(self, weights):
        """Return the rows times ``weights``, (n_samples,)."""
        n_sparse = self.sparse.shape[1]
        products = row_products(self.sparse, weights[:n_sparse])
        if self.dense.shape[1]:
            parts = self.dense, weights[n_sparse:], products
            thread_each(partial(_add_products, *parts), self._blocks())
        return products

    def weighted_sum(self, weights):
        """Return the sum of the rows times their weights, (n_columns,)."""
        total = transposed_product(self.sparse, weights)
        if not self.dense.shape[1]:
            return total
        parts = thread_map(partial(_sum_of_rows, self.dense, weights), self._blocks())
        return np.append(total, sum(parts))

    def curved_sum(self, vector, bends):
        """Return ``X1.T @ (bends * (X1 @ vector))``, where X1 is the rows and a column of ones.

        Parameters
        ----------
        vector : ndarray of shape (n_columns + 1,)
        bends : ndarray of shape (n_samples,)
            Rows where it is 0 are not looked at.

        Returns
        -------
        ndarray of shape (n_columns + 1,)
        """
        X = self.sparse
        parts = X.indptr, unsigned(X.indices), X.data, self.dense, vector, bends
        blocks = [(block.start, block.stop) for block in row_blocks(X)]
        return sum(thread_map(partial(_curved_sum, *parts), blocks))

    def without_unused(self):
        """Return the columns that have entries, every dense one among them, and the rows of these.

        The columns of most entries come first: side by side they stay in the cache of a processor.
        Arrays are shared, but for the column indices, which are not in order.
        """
        n_sparse = self.sparse.shape[1]
        frequencies = document_frequencies(self.sparse)
        columns = np.argsort(-frequencies, kind="stable")[: np.count_nonzero(frequencies)]
        number = np.empty(n_sparse, dtype=self.sparse.indices.dtype)
        number[columns] = np.arange(len(columns))
        parts = self.sparse.data, number[self.sparse.indices], self.sparse.indptr
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
def _product(row, weights):
    total = 0.0
    for k in range(len(row)):
        total += np.float64(row[k]) * weights[k]
    return total


@numba.njit(cache=True, nogil=True)
def _curved_sum(indptr, indices, data, dense, vector, bends, bounds):
    total = np.zeros(len(vector))
    n_sparse = len(vector) - dense.shape[1] - 1
    weights, total_of_dense = vector[n_sparse:-1], total[n_sparse:-1]
    for row in range(bounds[0], bounds[1]):
        if bends[row] == 0:
            continue
        score = 0.0
        for entry in range(indptr[row], indptr[row + 1]):
            score += np.float64(data[entry]) * vector[indices[entry]]
        score = bends[row] * (score + _product(dense[row], weights) + vector[-1])
        # The entries of the row are still in the cache.
        for entry in range(indptr[row], indptr[row + 1]):
            total[indices[entry]] += score * np.float64(data[entry])
        for k in range(len(weights)):
            total_of_dense[k] += score * np.float64(dense[row, k])
        total[-1] += score
    return total


@numba.njit(cache=True, nogil=True)
def _add_products(dense, weights, products, bounds):
    for row in range(bounds[0], bounds[1]):
        products[row] += _product(dense[row], weights)


@numba.njit(cache=True, nogil=True)
def _sum_of_rows(dense, weights, bounds):
    total = np.zeros(dense.shape[1])
    for row in range(bounds[0], bounds[1]):
        weight = weights[row]
        if weight != 0:
            for k in range(len(total)):
                total[k] += weight * np.float64(dense[row, k])
    return total
