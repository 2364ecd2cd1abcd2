"""Rows scaled to unit length, and products with them."""

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.row_blocks import document_frequencies, unsigned
from core.kernels.scaled_rows import scale_in_place, with_data


def unit_rows(X, *, max_df=1.0):
    """Return the rows scaled to unit length, float64, without terms that are too frequent.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array; left untouched.
    max_df : float in (0, 1], default=1.0
        Share of the samples above which a term is dropped. Time grows with the sum of the squared
        document frequencies, most of it spent on a few terms that tell little apart.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        In CSR format; rows without terms stay empty. Its indices may be those of X.
    """
    if max_df < 1:
        is_kept = document_frequencies(X) <= max_df * X.shape[0]
        X = X @ sp.diags_array(is_kept.astype(X.dtype), format="csr")
        X.eliminate_zeros()
    return scale_in_place(with_data(X, X.data.astype(np.float64)))


def unit_products(X, weights):
    """Return ``unit_rows(X) @ weights``, of shape (n_samples,), without scaling the rows.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.unit_rows import unit_products
    >>> unit_products(sp.csr_array([[3.0, 4], [0, 0]]), np.array([1.0, 2])).tolist()
    [2.2, 0.0]
    """
    return _unit_products(X.indptr, unsigned(X.indices), X.data, weights)


def row_lengths(X):
    """Return the Euclidean length of each row, of shape (n_samples,), in float64.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.unit_rows import row_lengths
    >>> row_lengths(sp.csr_array([[3.0, 4], [0, 0]])).tolist()
    [5.0, 0.0]
    """
    return np.sqrt(_squared_lengths(X.indptr, X.data))


@numba.njit(cache=True, nogil=True)
def _squared_lengths(indptr, data):
    squares = np.zeros(len(indptr) - 1)
    for row in range(len(squares)):
        for entry in range(indptr[row], indptr[row + 1]):
            squares[row] += np.float64(data[entry]) * np.float64(data[entry])
    return squares


# Short rows cost more than their entries: the odd one comes first and without a branch, the others
# in two sums that do not wait for each other, and the division looks for no zero.
@numba.njit(cache=True, nogil=True, error_model="numpy")
def _unit_products(indptr, indices, data, weights):
    products = np.zeros(len(indptr) - 1)
    entry, last = np.intp(0), len(data) - 1
    if last < 0:
        return products
    for row in range(len(products)):
        stop = np.intp(indptr[row + 1])
        is_odd = (stop - entry) & 1
        first = min(entry, last)
        value = np.float64(data[first]) * is_odd
        product, square = value * weights[indices[first]], value * value
        other_product, other_square = 0.0, 0.0
        entry += is_odd
        while entry < stop:
            value, other = np.float64(data[entry]), np.float64(data[entry + 1])
            product += value * weights[indices[entry]]
            square += value * value
            other_product += other * weights[indices[entry + 1]]
            other_square += other * other
            entry += 2
        length = np.sqrt(square + other_square)
        products[row] = (product + other_product) / (length + (length == 0))
    return products
