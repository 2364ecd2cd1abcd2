"""Clusters of unit rows by their cosines; centroids are dense, rows stay sparse."""

import numpy as np
from sklearn.utils import check_random_state

from core.kernels.row_blocks import transposed_product
from core.progress import report


def spherical_kmeans(Z, n_clusters, *, n_init=1, max_iter=100, random_state=None):
    """Assign each row to the cluster whose mean has the largest cosine with it.

    Each restart begins with random groups and ends when no row changes its cluster, or after
    ``max_iter`` assignments; the restart with the largest total cosine of rows with the mean of
    their own cluster is kept. Clusters that lose all rows are dropped.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format, none of them empty.
    n_clusters : int in [1, n_samples]
        Most clusters.
    n_init : int in [1, inf), default=1
        Restarts.
    max_iter : int in [1, inf), default=100
        Most assignments in a restart.
    random_state : int, RandomState instance or None, default=None
        Seed of the random groups.

    Returns
    -------
    ndarray of shape (n_samples,)
        Cluster of each row; none of the numbers from 0 on is left out.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.spherical_kmeans import spherical_kmeans
    >>> Z = sp.csr_array([[1.0, 0], [0.8, 0.6], [0, 1]])
    >>> clusters = spherical_kmeans(Z, 2, n_init=5, random_state=0)
    >>> bool(clusters[0] == clusters[1]), bool(clusters[0] == clusters[2])
    (True, False)
    """
    random = check_random_state(random_state)
    best, best_total = None, -np.inf
    for restart in range(n_init):
        labels = random.randint(n_clusters, size=Z.shape[0])
        for _ in range(max_iter):
            previous, labels = labels, _nearest_means(Z, labels)
            if (labels == previous).all():
                break
        total = own_cosines(Z, labels, group_means(Z, labels)).sum()
        if total > best_total:
            best, best_total = labels, total
        report("cluster", (restart + 1) / n_init)
    return np.unique(best, return_inverse=True)[1]


def group_means(Z, labels):
    """Return the mean row of each group, of shape (n_features, n_groups)."""
    members = np.zeros((Z.shape[0], labels.max() + 1))
    members[np.arange(len(labels)), labels] = 1
    return transposed_product(Z, members / np.maximum(members.sum(axis=0), 1))


def cosines(Z, means):
    """Return the cosine of each unit row with each column of ``means``; 0 with one of zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->j", means, means))
    return (Z @ means) / np.where(lengths > 0, lengths, 1)


def own_cosines(Z, labels, means):
    """Return the cosine of each unit row with the mean of its own group, (n_samples,)."""
    return cosines(Z, means)[np.arange(len(labels)), labels]


def left_out_cosines(products, squared_length):
    """Return the cosine of each unit row with the sum of the others, without forming it.

    Parameters
    ----------
    products : ndarray of shape (n_samples,)
        Product of each row with the sum of all rows.
    squared_length : float or ndarray of shape (n_samples,)
        Squared length of that sum.

    Returns
    -------
    ndarray of shape (n_samples,)
        Cosines; 0 where the others add up to nothing.
    """
    # |sum - z|² = |sum|² - 2 z.sum + 1.
    rest = np.sqrt(np.maximum(squared_length - 2 * products + 1, 0))
    # Rounding leaves the root of it, about 1e-8, where nothing is left.
    return np.divide(products - 1, rest, out=np.zeros_like(products), where=rest > 1e-7)


def _nearest_means(Z, labels):
    similarity = cosines(Z, group_means(Z, labels))
    similarity[:, np.bincount(labels) == 0] = -np.inf
    return similarity.argmax(axis=1)
