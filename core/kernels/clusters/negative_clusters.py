"""Clusters of reliable negatives, of which methods take the means."""

from core.kernels.clusters.spherical_kmeans import spherical_kmeans

#: Reliable negatives for each cluster, at least: the mean of fewer is hardly one.
MIN_PER_CLUSTER = 5


def negative_clusters(Z, is_reliable, n_clusters, *, random_state=None):
    """Return the cluster of each reliable negative, -1 for all other samples.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format, none of them empty.
    is_reliable : ndarray of bool of shape (n_samples,)
        At least one is true.
    n_clusters : int in [1, inf)
        Most clusters; fewer where they would have less than ``MIN_PER_CLUSTER`` on average.
    random_state : int, RandomState instance or None, default=None
        As for ``spherical_kmeans``.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.clusters.negative_clusters import negative_clusters
    >>> Z = sp.csr_array(np.repeat([[1.0, 0], [0, 1]], 6, axis=0))
    >>> negative_clusters(Z, np.arange(12) > 1, 30, random_state=0).tolist()
    [-1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    """
    most = max(1, min(n_clusters, int(is_reliable.sum()) // MIN_PER_CLUSTER))
    labels, _ = spherical_kmeans(Z, most, is_member=is_reliable, random_state=random_state)
    return labels
