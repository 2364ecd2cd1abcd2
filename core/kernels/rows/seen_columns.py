"""Which features the training samples have: new ones are scored by these alone."""

import numba
import numpy as np

from core.kernels.rows.row_blocks import unsigned


def seen_columns(X):
    """Return which columns of a CSR array have entries, of shape (n_features,).

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.seen_columns import seen_columns
    >>> seen_columns(sp.csr_array([[0.0, 3, 0, 4], [0, 4, 0, 0]])).tolist()
    [False, True, False, True]
    """
    return _seen_columns(unsigned(X.indices), X.shape[1])


def in_columns(X, is_kept):
    """Return the entries of a CSR array that are in columns of a mask; the shape stays.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Left untouched.
    is_kept : ndarray of bool of shape (n_features,)
        Columns whose entries stay.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        X itself where all of them stay.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.seen_columns import in_columns
    >>> kept = in_columns(sp.csr_array([[1.0, 2], [0, 3]]), np.array([True, False]))
    >>> kept.toarray().tolist(), kept.nnz
    ([[1.0, 0.0], [0.0, 0.0]], 1)
    """
    if _are_all_in(unsigned(X.indices), is_kept):
        return X
    kept = X.copy()
    kept.data[~is_kept[X.indices]] = 0
    kept.eliminate_zeros()
    return kept


# Indexing a mask by all entries takes five times as long, here and below.
@numba.njit(cache=True, nogil=True)
def _seen_columns(indices, n_features):
    is_seen = np.zeros(n_features, dtype=np.bool_)
    for column in indices:
        is_seen[column] = True
    return is_seen


@numba.njit(cache=True, nogil=True)
def _are_all_in(indices, is_kept):
    n_kept = 0
    for column in indices:
        n_kept += is_kept[column]
    return n_kept == len(indices)
