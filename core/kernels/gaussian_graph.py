"""Neighborhood graphs over rows by Euclidean distance, with weights that fall off with it."""

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import kneighbors_graph
from sklearn.utils.sparsefuncs import min_max_axis
from threadpoolctl import threadpool_limits


def unit_range(X):
    """Return the columns scaled to a range of 1, those without a zero shifted to begin at 0.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array; left untouched.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        In CSR format, float64, as sparse as X; constant columns are left as they are.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.gaussian_graph import unit_range
    >>> unit_range(sp.csr_array([[0.0, 7], [4, 5]])).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    low, high = (np.asarray(bound, dtype=np.float64) for bound in min_max_axis(X, axis=0))
    is_full = np.bincount(X.indices, minlength=X.shape[1]) == X.shape[0]
    shift = np.where(is_full & (high > low), low, 0.0)[X.indices]
    width = np.where(high > low, high - low, 1.0)[X.indices]
    return sp.csr_array(((X.data - shift) / width, X.indices, X.indptr), shape=X.shape)


def gaussian_graph(X, n_neighbors):
    """Return the graph that joins each row to its nearest rows, weighted by a Gaussian.

    The weight is ``exp(-distance² / (2 s²))``, s² being the mean squared distance to a neighbor.

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        Rows, at least 2.
    n_neighbors : int in [1, inf)
        Neighbors that each row lists; with fewer other rows, all of them.

    Returns
    -------
    sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format, with an empty diagonal; one row listing the other is enough.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.gaussian_graph import gaussian_graph
    >>> gaussian_graph(np.array([[0.0], [1], [10], [11]]), 1).toarray().round(4).tolist()[0]
    [0.0, 0.6065, 0.0, 0.0]
    """
    if sp.issparse(X) and 3 * X.nnz > 2 * X.shape[0] * X.shape[1]:
        # A dense array takes less memory than a sparse one that is nearly full.
        X = X.toarray()
    n_neighbors = min(n_neighbors, X.shape[0] - 1)
    with threadpool_limits(limits=1, user_api="blas"):
        listed = sp.csr_array(kneighbors_graph(X, n_neighbors, mode="distance"))
    squares = listed.data**2
    listed.data = np.exp(-squares / (2 * (squares.mean() or 1.0)))
    return sp.csr_array(listed.maximum(listed.T))
