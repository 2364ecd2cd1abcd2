"""Dense tables as rows in CSR format, without the list of coordinates that SciPy makes first."""

import numba
import numpy as np
import scipy.sparse as sp


def csr_of_dense(X):
    """Return a dense array as a canonical CSR array.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Of floats. Its values are shared where none is zero.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        With 32-bit indices where they fit, and no stored zeros.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.rows.dense_rows import csr_of_dense
    >>> X = csr_of_dense(np.array([[0.0, 2], [3, 4]]))
    >>> X.data.tolist(), X.indices.tolist(), X.indptr.tolist()
    ([2.0, 3.0, 4.0], [1, 0, 1], [0, 1, 3])
    """
    X = np.ascontiguousarray(X)
    n_samples, n_features = X.shape
    ends = np.cumsum(np.count_nonzero(X, axis=1))
    n_entries = int(ends[-1]) if n_samples else 0
    fits = max(n_entries, n_features) <= np.iinfo(np.int32).max
    indptr = np.append(0, ends).astype(np.int32 if fits else np.int64)
    if n_entries == X.size:
        columns = np.arange(n_features, dtype=indptr.dtype)
        parts = (X.ravel(), np.tile(columns, n_samples), indptr)
    else:
        data, indices = np.empty(n_entries, X.dtype), np.empty(n_entries, indptr.dtype)
        _fill(X, data, indices)
        parts = (data, indices, indptr)
    rows = sp.csr_array(parts, shape=X.shape)
    rows.has_canonical_format = True
    return rows


@numba.njit(cache=True, nogil=True)
def _fill(X, data, indices):
    end = 0
    for row in range(X.shape[0]):
        for column in range(X.shape[1]):
            if X[row, column] != 0:
                data[end], indices[end] = X[row, column], column
                end += 1
