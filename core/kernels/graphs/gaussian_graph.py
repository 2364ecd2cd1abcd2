"""Neighborhood graphs over rows by Euclidean distance, with weights that fall off with it."""

import numpy as np
import scipy.sparse as sp
from sklearn import config_context
from sklearn.neighbors import kneighbors_graph

from core.kernels.hardware.blas import one_thread

#: Memory of a block of distances, in MiB; scikit-learn would take a GiB.
BLOCK_MB = 32


def gaussian_graph_bytes(n_samples, n_neighbors):
    """Return what :func:`gaussian_graph` of sparse rows holds at most: edges, and distances.

    Examples
    --------
    >>> from core.kernels.graphs.gaussian_graph import gaussian_graph_bytes
    >>> gaussian_graph_bytes(1_000_000, 5) < 1e9
    True
    """
    edges = 100 * min(n_neighbors, n_samples) * n_samples
    return edges + 3 * min(8 * n_samples**2, BLOCK_MB * 2**20)


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
    >>> from core.kernels.graphs.gaussian_graph import gaussian_graph
    >>> gaussian_graph(np.array([[0.0], [1], [10], [11]]), 1).toarray().round(4).tolist()[0]
    [0.0, 0.6065, 0.0, 0.0]
    """
    if sp.issparse(X) and 3 * X.nnz > 2 * X.shape[0] * X.shape[1]:
        # A dense array takes less memory than a sparse one that is nearly full.
        X = X.toarray()
    n_neighbors = min(n_neighbors, X.shape[0] - 1)
    with one_thread(), config_context(working_memory=BLOCK_MB):
        listed = sp.csr_array(kneighbors_graph(X, n_neighbors, mode="distance"))
    squares = listed.data**2
    listed.data = np.exp(-squares / (2 * (squares.mean() or 1.0)))
    return sp.csr_array(listed.maximum(listed.T))
