"""Clusters of unit rows by their cosines; centroids are dense, rows stay sparse."""

from functools import partial

import numba
import numpy as np
from sklearn.utils import check_random_state

from core.kernels.rows.row_blocks import map_rows, sum_over_rows
from core.kernels.rows.row_hash import content_order
from core.progress import report

#: Most assignments in a restart.
MAX_ITER = 100


def spherical_kmeans(Z, n_clusters, *, is_member=None, n_init=1, random_state=None):
    """Assign each row to the cluster whose mean has the largest cosine with it.

    Each restart begins with random groups and ends when no row changes its cluster, or after
    ``MAX_ITER`` assignments; the restart with the largest total cosine of rows with the mean of
    their own cluster is kept. Clusters that lose all rows are dropped.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format, none of them empty.
    n_clusters : int in [1, n_samples]
        Most clusters.
    is_member : ndarray of bool of shape (n_samples,), default=None
        Rows to assign; None means all.
    n_init : int in [1, inf), default=1
        Restarts.
    random_state : int, RandomState instance or None, default=None
        Seed of the random groups.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
        Cluster of each row, -1 for the others; none of the numbers from 0 on is left out.
    n_iter : int
        Assignments of the restart that is kept.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.clusters.spherical_kmeans import spherical_kmeans
    >>> Z = sp.csr_array([[1.0, 0], [0.8, 0.6], [0, 1]])
    >>> clusters, _ = spherical_kmeans(Z, 2, n_init=5, random_state=0)
    >>> bool(clusters[0] == clusters[1]), bool(clusters[0] == clusters[2])
    (True, False)
    """
    random = check_random_state(random_state)
    is_member = np.ones(Z.shape[0], dtype=bool) if is_member is None else is_member
    order = content_order(Z, is_member)
    members = order[is_member[order]]
    best, best_n_iter, best_total = None, 0, -np.inf
    for restart in range(n_init):
        labels = np.full(Z.shape[0], -1)
        labels[members] = random.randint(n_clusters, size=len(members))
        labels, n_iter = _settled(Z, labels)
        total = own_cosines(Z, labels, group_means(Z, labels))[is_member].sum()
        if total > best_total:
            best, best_n_iter, best_total = labels, n_iter, total
        report("cluster", (restart + 1) / n_init)
    best[is_member] = np.unique(best[is_member], return_inverse=True)[1]
    return best, best_n_iter


def group_means(Z, labels):
    """Return the mean row of each group, of shape (n_features, n_groups); -1 is no group."""
    sizes = np.bincount(labels[labels >= 0])
    means = sum_over_rows(partial(_group_sums, n_groups=len(sizes)), Z, labels)
    means /= np.maximum(sizes, 1)
    return means


def _group_sums(Z, labels, n_groups):
    return _sums(Z.indptr, Z.indices, Z.data, labels, Z.shape[1], n_groups)


@numba.njit(cache=True, nogil=True)
def _sums(indptr, indices, data, labels, n_features, n_groups):
    sums = np.zeros((n_features, n_groups))
    for row in np.flatnonzero(labels >= 0):
        for entry in range(indptr[row], indptr[row + 1]):
            sums[indices[entry], labels[row]] += data[entry]
    return sums


def cosines(Z, means):
    """Return the cosine of each unit row with each column of ``means``; 0 with one of zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->j", means, means))
    return (Z @ means) / np.where(lengths > 0, lengths, 1)


def own_cosines(Z, labels, means):
    """Return the cosine of each unit row with the mean of its own group, (n_samples,).

    Of rows without a group it is meaningless.
    """
    return map_rows(lambda rows, own: cosines(rows, means)[np.arange(len(own)), own], Z, labels)


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


def _settled(Z, labels):
    for n_iter in range(1, MAX_ITER + 1):
        previous, labels = labels, _nearest_means(Z, labels)
        if (labels == previous).all():
            return labels, n_iter
    return labels, MAX_ITER


def _nearest_means(Z, labels):
    means, is_empty = group_means(Z, labels), np.bincount(labels[labels >= 0]) == 0

    def nearest(rows):
        similarity = cosines(rows, means)
        similarity[:, is_empty] = -np.inf
        return similarity.argmax(axis=1)

    return np.where(labels >= 0, map_rows(nearest, Z), -1)
