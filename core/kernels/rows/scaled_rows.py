"""Rows scaled to a norm of 1, and their lengths, right for values of any size.

``sklearn.preprocessing.normalize`` looks X over first, which takes longer than a short text.
"""

import math
from copy import copy
from types import SimpleNamespace

import numba
import numpy as np
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l1

#: Sums of squares outside of these may have lost digits, in single precision.
LEAST_SQUARE, MOST_SQUARE = 1e-30, 1e30


def scale_in_place(X, norm="l2"):
    """Divide each row by its norm.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array of finite floats, which are overwritten; rows without entries stay empty. Its
        ``indptr`` may be of 64 bits beside ``indices`` of 32.
    norm : {"l1", "l2"}, default="l2"
        The norm that rows have afterwards.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        X itself.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.scaled_rows import scale_in_place
    >>> scale_in_place(sp.csr_array([[3.0, 4], [0, 0]])).toarray()
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    if norm == "l2":
        _to_unit_length(X.indptr, X.data)
    else:
        # The loop reads no indices, but wants them to be of the type of indptr.
        inplace_csr_row_normalize_l1(
            SimpleNamespace(data=X.data, shape=X.shape, indices=X.indptr, indptr=X.indptr)
        )
    return X


def with_data(X, data):
    """Return a CSR array with other values in the places of those of X, which it shares.

    The constructor would look over the places once more.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.scaled_rows import with_data
    >>> with_data(sp.csr_array([[3.0, 0], [0, 4]]), np.ones(2)).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    changed = copy(X)
    changed.data = data
    return changed


def row_lengths(X):
    """Return the Euclidean length of each row, of shape (n_samples,), in float64.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.scaled_rows import row_lengths
    >>> row_lengths(sp.csr_array([[3.0, 4], [0, 0]])).tolist()
    [5.0, 0.0]
    """
    return _lengths(X.indptr, X.data)


@numba.njit(cache=True, nogil=True)
def unit_and_length(values):
    """Return what to divide a row by before it is squared, and its length then; for numba.

    The unit is a power of two, so that nothing is rounded.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.rows.scaled_rows import unit_and_length
    >>> unit_and_length(np.array([3.0, -4])), unit_and_length(np.array([0.0, 2.0**1000]))
    ((1.0, 5.0), (1.0715086071862673e+301, 1.0))
    """
    square = 0.0
    for value in values:
        square += np.float64(value) * np.float64(value)
    if LEAST_SQUARE <= square <= MOST_SQUARE:
        return 1.0, np.sqrt(square)
    largest = 0.0
    for value in values:
        largest = max(largest, abs(np.float64(value)))
    if largest == 0:
        return 1.0, 0.0
    unit = math.ldexp(0.5, math.frexp(largest)[1])
    square = 0.0
    for value in values:
        square += (value / unit) ** 2
    return unit, np.sqrt(square)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _to_unit_length(indptr, data):
    for row in range(len(indptr) - 1):
        # Unsigned, since numba looks for negative numbers otherwise.
        start, stop = np.uintp(indptr[row]), np.uintp(indptr[row + 1])
        square = 0.0
        for entry in range(start, stop):
            square += data[entry] * data[entry]
        length = np.sqrt(square)
        if not LEAST_SQUARE <= square <= MOST_SQUARE:
            unit, length = unit_and_length(data[start:stop])
            for entry in range(start, stop):
                data[entry] /= unit
        if length > 0:
            for entry in range(start, stop):
                data[entry] /= length


@numba.njit(cache=True, nogil=True)
def _lengths(indptr, data):
    lengths = np.zeros(len(indptr) - 1)
    for row in range(len(lengths)):
        unit, length = unit_and_length(data[indptr[row] : indptr[row + 1]])
        lengths[row] = unit * length
    return lengths
