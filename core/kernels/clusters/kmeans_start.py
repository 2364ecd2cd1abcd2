"""A cheap partition to start a mixture from: k-means++ seeds and a few steps of Lloyd."""

import numpy as np

#: Seeds are chosen among the first rows only.
N_SEED_ROWS = 500
#: Steps of Lloyd.
N_STEPS = 4


def kmeans_start(X, uniforms):
    """Assign each row to one of the clusters that few steps of k-means find.

    Parameters
    ----------
    X : ndarray of shape (n_features, n_samples)
        One feature a line, float32.
    uniforms : ndarray of shape (n_clusters,)
        Numbers in [0, 1) that choose the seeds: equal numbers choose alike.

    Returns
    -------
    ndarray of shape (n_samples,)
        Cluster of each row, in [0, n_clusters).

    References
    ----------
    D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.clusters.kmeans_start import kmeans_start
    >>> X = np.array([[0.0, 5, 0.1, 5.1]], dtype=np.float32)
    >>> clusters = kmeans_start(X, np.array([0.3, 0.3]))
    >>> bool(clusters[0] == clusters[2]), bool(clusters[0] == clusters[1])
    (True, False)
    """
    seed_rows = np.ascontiguousarray(X[:, :N_SEED_ROWS])
    centres = X[:, _seeds(seed_rows, uniforms)].T
    numbers = np.arange(len(uniforms))[:, None]
    for _ in range(N_STEPS):
        members = (_nearest(X, centres) == numbers).astype(X.dtype)
        sizes = members.sum(axis=1, keepdims=True)
        means = (members @ X.T) / np.maximum(sizes, 1)
        centres = np.where(sizes > 0, means, centres)
    return _nearest(X, centres)


def _seeds(X, uniforms):
    """Choose rows by their squared distance to the nearest one chosen before."""
    squares = np.einsum("ij,ij->j", X, X)
    distances, seeds = np.full(X.shape[1], np.inf, dtype=X.dtype), []
    odds = np.ones_like(distances)
    for uniform in uniforms:
        cumulated = np.cumsum(odds, dtype=np.float64)
        seed = np.searchsorted(cumulated, uniform * cumulated[-1], side="right")
        seeds.append(min(seed, X.shape[1] - 1))
        centre = X[:, seeds[-1]]
        distances = np.minimum(distances, squares - 2 * (centre @ X) + centre @ centre)
        odds = np.maximum(distances, 0)
    return seeds


def _nearest(X, centres):
    squares = np.einsum("ij,ij->i", centres, centres)
    return (squares[:, None] - 2 * (centres @ X)).argmin(axis=0)
