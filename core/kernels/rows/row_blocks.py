"""Sums over rows: a function of a block of rows, mapped over the blocks and added up.

joblib says who does the mapping, one block after the other unless it is configured otherwise:
``joblib.parallel_config("loky", n_jobs=2)`` takes processes, ``parallel_config("dask")`` the
machines of a Dask cluster. Blocks depend on the rows alone, so the sums are the same to the last
bit wherever they are made.
"""

import itertools
from functools import partial

import numba
import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed
from joblib.parallel import get_active_backend

from core.kernels.hardware.thread_map import thread_each, thread_map

#: About how many stored entries a block has. That bounds what a block needs besides its rows: SciPy
#: copies values in single precision that are multiplied by several weights in double.
BLOCK_ENTRIES = 2**20
#: The same where several numbers are made for each row: a block of short rows has many rows.
MAPPED_ENTRIES = 2**17


def row_blocks(X, n_entries=None):
    """Return the boundaries of blocks of about so many stored entries.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        In CSR format.
    n_entries : int in [1, inf), default=None
        Of a block; None means ``BLOCK_ENTRIES``.

    Returns
    -------
    list of slice
        Of rows, one after the other; at least one.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_blocks import row_blocks
    >>> row_blocks(sp.csr_array([[1.0, 0], [0, 1]]))
    [slice(0, 2, None)]
    """
    n_entries = BLOCK_ENTRIES if n_entries is None else n_entries
    if X.nnz <= n_entries:
        return [slice(0, X.shape[0])]
    limits = np.arange(n_entries, X.nnz, n_entries)
    inner = np.searchsorted(X.indptr, limits)
    bounds = np.unique([0, *inner, X.shape[0]]).tolist()
    return [slice(*pair) for pair in itertools.pairwise(bounds)]


def sum_over_rows(function, X, *columns):
    """Return the sum of ``function(X[block], *(column[block] for each column))`` over blocks.

    Parameters
    ----------
    function : callable
        From rows of X, in CSR format, and the same rows of the columns to an array; one of a
        module, so that it can be sent to another process. That of two blocks of rows together
        is the sum of those of each.
    X : sparse array of shape (n_samples, n_features)
        In CSR format. Blocks share its arrays.
    *columns : ndarrays of shape (n_samples, ...)
        What else there is for each row.

    Returns
    -------
    ndarray
        The sum, added up in the order of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_blocks import sum_over_rows
    >>> X = sp.csr_array([[1.0, 0], [2, 3]])
    >>> float(sum_over_rows(lambda rows, weights: weights @ rows.sum(axis=1), X, np.array([1, 2])))
    11.0
    """
    blocks = row_blocks(X)
    if len(blocks) == 1:
        return function(X, *columns)
    parts = ((rows_of(X, block), *(column[block] for column in columns)) for block in blocks)
    if getattr(get_active_backend(prefer="threads")[0], "uses_threads", False):
        # joblib takes 12 ms to begin, longer than most sums.
        totals = thread_map(lambda part: function(*part), parts)
    else:
        totals = iter(Parallel(return_as="generator")(delayed(function)(*part) for part in parts))
    total = next(totals)
    for other in totals:
        total += other
    return total


def map_rows(function, X, *columns):
    """Return what a function gives for each row, without what it holds of all rows at once.

    Parameters
    ----------
    function : callable
        From rows of X, in CSR format, and the same rows of the columns to an ndarray with an item
        for each row.
    X : sparse array of shape (n_samples, n_features)
        In CSR format. Blocks share its arrays.
    *columns : ndarrays of shape (n_samples, ...)
        What else there is for each row.

    Returns
    -------
    ndarray of shape (n_samples, ...)
        What came of all rows.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_blocks import map_rows
    >>> map_rows(lambda rows: rows.max(axis=1).toarray(), sp.csr_array([[1.0, 0], [2, 3]])).tolist()
    [1.0, 3.0]
    """
    blocks = row_blocks(X, MAPPED_ENTRIES)
    return np.concatenate(
        [function(rows_of(X, block), *(column[block] for column in columns)) for block in blocks]
    )


def transposed_product(X, weights):
    """Return ``X.T @ weights``: the sum of the rows, weighted.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        In CSR format.
    weights : ndarray of shape (n_samples,) or (n_samples, n_sums)
        How much of each row; a boolean mask selects rows.

    Returns
    -------
    ndarray of shape (n_features,) or (n_features, n_sums)
        Float64.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_blocks import transposed_product
    >>> transposed_product(sp.csr_array([[1.0, 0], [2, 3]]), np.array([1, 0.5])).tolist()
    [2.0, 1.5]
    """
    return sum_over_rows(_transposed_product, X, np.asarray(weights))


def row_products(X, weights, is_wanted=None):
    """Return ``X @ weights`` without a copy of values in single precision.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        In CSR format.
    weights : ndarray of shape (n_features,) or (n_features, n_products)
        In double precision.
    is_wanted : ndarray of bool of shape (n_samples,), default=None
        Rows to multiply, for one product; the others get 0. None means all.

    Returns
    -------
    ndarray of shape (n_samples,) or (n_samples, n_products)
        Float64.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_blocks import row_products
    >>> row_products(sp.csr_array([[1.0, 0], [2, 3]]), np.array([1, 0.5])).tolist()
    [1.0, 3.5]
    """
    if weights.ndim == 1:
        is_wanted = np.ones(X.shape[0], dtype=bool) if is_wanted is None else is_wanted
        products = np.zeros(X.shape[0])
        parts = X.indptr, unsigned(X.indices), X.data, weights, is_wanted, products
        thread_each(partial(_row_products, *parts), map(_bounds, row_blocks(X)))
        return products
    products = np.empty((X.shape[0], weights.shape[1]))
    for block in row_blocks(X):
        products[block] = rows_of(X, block) @ weights
    return products


def mean_row(X, is_member):
    """Return the mean of the rows of a mask that is not empty, of shape (n_features,)."""
    return transposed_product(X, is_member) / is_member.sum()


def document_frequencies(X, is_counted=None):
    """Return in how many rows, of all or of a mask, each column has an entry, (n_features,).

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_blocks import document_frequencies
    >>> document_frequencies(sp.csr_array([[1.0, 0], [2, 3]])).tolist()
    [2, 1]
    """
    if is_counted is None:
        return sum_over_rows(_document_frequencies, X)
    return sum_over_rows(_document_frequencies, X, is_counted)


def has_entries(X):
    """Return which rows of a CSR array are not empty, of shape (n_samples,).

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_blocks import has_entries
    >>> has_entries(sp.csr_array([[1.0, 0], [0, 0]])).tolist()
    [True, False]
    """
    return np.diff(X.indptr) > 0


def unsigned(indices):
    """Return the same numbers as unsigned ones: compiled code need not look for negative ones."""
    return indices.view(f"u{indices.dtype.itemsize}")


def rows_of(X, block):
    """Return a slice of the rows of a CSR array; it shares the arrays of X."""
    start, stop = X.indptr[block.start], X.indptr[block.stop]
    rows = sp.csr_array((block.stop - block.start, X.shape[1]), dtype=X.dtype)
    # Set one by one: the constructor copies parts of a large array.
    rows.data, rows.indices = X.data[start:stop], X.indices[start:stop]
    rows.indptr = X.indptr[block.start : block.stop + 1] - start
    # SciPy would check each block otherwise.
    rows.has_canonical_format = True
    return rows


def _transposed_product(X, weights):
    weights = weights.astype(np.float64, copy=False)
    if weights.ndim > 1:
        return X.T @ weights
    return _sum_of_rows(X.indptr, unsigned(X.indices), X.data, weights, X.shape[1])


def _bounds(block):
    return np.array([block.start, block.stop])


# SciPy would copy values in single precision for each product with weights in double.
@numba.njit(cache=True, nogil=True)
def _row_products(indptr, indices, data, weights, is_wanted, products, bounds):
    for row in range(bounds[0], bounds[1]):
        if not is_wanted[row]:
            continue
        total = 0.0
        for entry in range(indptr[row], indptr[row + 1]):
            total += np.float64(data[entry]) * weights[indices[entry]]
        products[row] = total


@numba.njit(cache=True, nogil=True)
def _sum_of_rows(indptr, indices, data, weights, n_features):
    total = np.zeros(n_features)
    for row in range(len(weights)):
        if weights[row] == 0:
            continue
        for entry in range(indptr[row], indptr[row + 1]):
            total[indices[entry]] += weights[row] * np.float64(data[entry])
    return total


def _document_frequencies(X, is_counted=None):
    indices = X.indices
    if is_counted is not None:
        indices = indices[np.repeat(is_counted, np.diff(X.indptr))]
    return np.bincount(indices, minlength=X.shape[1])
