"""Columns scaled to a range of 1: sparse ones keep their zeros, dense ones begin at 0."""

import numpy as np
import scipy.sparse as sp

from core.kernels.rows.column_bounds import column_bounds
from core.kernels.rows.row_blocks import document_frequencies


def unit_range(X):
    """Return the columns scaled to a range of 1, those without a zero shifted to begin at 0.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array; left untouched.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        In CSR format, float64, as sparse as X; constant columns are 0.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.unit_range import unit_range
    >>> unit_range(sp.csr_array([[0.0, 7], [4, 5]])).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    low, high = column_bounds(X)
    # The range of a column may be more than a number holds; that of its halves is not.
    with np.errstate(over="ignore"):
        factor = np.where(np.isfinite(high - low), 1.0, 0.5)
    low, high = low * factor, high * factor
    is_full = document_frequencies(X) == X.shape[0]
    scaled = X.data * factor[X.indices]
    scaled -= np.where(is_full, low, 0.0)[X.indices]
    scaled /= np.where(high > low, high - low, 1.0)[X.indices]
    return sp.csr_array((scaled, X.indices, X.indptr), shape=X.shape)


def unit_columns(X):
    """Scale the columns of a dense array to [0, 1], in place; constant ones become 0.

    Any other range is scaled, however small; scikit-learn's ``minmax_scale`` takes one below ten
    times the precision of the type for constant.

    Parameters
    ----------
    X : ndarray of float of shape (n_samples, n_features)
        Changed.

    Returns
    -------
    ndarray of shape (n_samples, n_features)
        X itself.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.rows.unit_range import unit_columns
    >>> unit_columns(np.array([[0.0, 7, 1], [4e-9, 5, 1], [1e-9, 7, 1]])).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.25, 1.0, 0.0]]
    """
    # The range of a column may be more than its type holds; that of its halves is not.
    with np.errstate(over="ignore"):
        is_wide = ~np.isfinite(X.max(axis=0) - X.min(axis=0))
    X[:, is_wide] /= 2
    # In double precision, whatever the type of X.
    low, high = (bound.astype(np.float64) for bound in (X.min(axis=0), X.max(axis=0)))
    X -= low
    X /= np.where(high > low, high - low, 1.0)
    return X
