"""Rows scaled to unit length, and products with them."""

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.rows.row_blocks import document_frequencies, unsigned
from core.kernels.rows.scaled_rows import (
    LEAST_SQUARE,
    MOST_SQUARE,
    scale_in_place,
    unit_and_length,
    with_data,
)


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
    >>> from core.kernels.rows.unit_rows import unit_products
    >>> unit_products(sp.csr_array([[3.0, 4], [0, 0]]), np.array([1.0, 2])).tolist()
    [2.2, 0.0]
    """
    return _unit_products(X.indptr, unsigned(X.indices), X.data, weights)


# Most rows are short, so what each row costs counts. The odd entry comes first, without a branch.
# The others go into two sums, which the processor adds up side by side. Rows whose square is too
# small or too large for that are left to ``_unit_product``.
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
        square += other_square
        if LEAST_SQUARE <= square <= MOST_SQUARE:
            products[row] = (product + other_product) / np.sqrt(square)
        else:
            begin = np.intp(indptr[row])
            products[row] = _unit_product(indices[begin:stop], data[begin:stop], weights)
    return products


@numba.njit(cache=True, nogil=True)
def _unit_product(indices, values, weights):
    unit, length = unit_and_length(values)
    product = 0.0
    for entry in range(len(values)):
        product += values[entry] / unit * weights[indices[entry]]
    return product / length if length else 0.0
