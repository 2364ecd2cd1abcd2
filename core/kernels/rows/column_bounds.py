"""The least and the greatest value of each column, in one pass."""

import numba
import numpy as np

from core.kernels.rows.row_blocks import unsigned


def column_bounds(X):
    """Return the least and the greatest value of each column, zeros that are not stored included.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array of at least one row.

    Returns
    -------
    low, high : ndarrays of shape (n_features,)
        Float64.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.column_bounds import column_bounds
    >>> low, high = column_bounds(sp.csr_array([[0.0, 7], [4, 5]]))
    >>> low.tolist(), high.tolist()
    ([0.0, 5.0], [4.0, 7.0])
    """
    return _bounds(unsigned(X.indices), X.data, *X.shape)


@numba.njit(cache=True, nogil=True)
def _bounds(indices, data, n_samples, n_features):
    low, high = np.full(n_features, np.inf), np.full(n_features, -np.inf)
    n_stored = np.zeros(n_features, dtype=np.int64)
    for entry in range(len(indices)):
        column, value = indices[entry], np.float64(data[entry])
        low[column] = min(low[column], value)
        high[column] = max(high[column], value)
        n_stored[column] += 1
    for column in range(n_features):
        if n_stored[column] < n_samples:
            low[column] = min(low[column], 0.0)
            high[column] = max(high[column], 0.0)
    return low, high
