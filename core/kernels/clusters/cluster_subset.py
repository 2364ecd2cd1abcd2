"""Which clusters to call positive: recall times precision over all subsets, by prefixes."""

import numpy as np


def best_cluster_subset(n_positive, sizes, *, early_stop=False):
    """Return the largest recall times precision of a set of clusters, and that set.

    A set of clusters is the classifier that accepts their rows. Ordered by their share of
    positives, the best set is a prefix (proposition 4.1); of equally good ones it is the longest.

    Parameters
    ----------
    n_positive : ndarray of shape (n_clusters,)
        Positives in each cluster, not all 0.
    sizes : ndarray of shape (n_clusters,)
        Rows in each cluster, or the sum of their weights; 0 for empty clusters.
    early_stop : bool, default=False
        Whether to stop at the first prefix that is worse than the one before, as the paper does;
        a longer prefix may be better still.

    Returns
    -------
    value : float
        In [share of positives, 1].
    is_member : ndarray of bool of shape (n_clusters,)
        The clusters of the set.

    References
    ----------
    K. Uchikoshi and Y. Akimoto, "Feature selection based on cluster assumption in PU learning",
    GECCO 2025, equation 5 and algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.clusters.cluster_subset import best_cluster_subset
    >>> value, is_member = best_cluster_subset(np.array([4, 3, 1, 0]), np.array([5, 6, 10, 20]))
    >>> round(value, 6), is_member.tolist()
    (0.556818, [True, True, False, False])
    """
    n_positive, sizes = np.asarray(n_positive), np.asarray(sizes)
    filled = np.flatnonzero(sizes)
    order = filled[np.argsort(-n_positive[filled] / sizes[filled], kind="stable")]
    accepted = np.cumsum(n_positive[order], dtype=np.float64)
    values = accepted**2 / (accepted[-1] * np.cumsum(sizes[order]))
    if early_stop:
        is_worse = np.append(np.diff(values) < 0, True)
        values = values[: is_worse.argmax() + 1]
    last = len(values) - 1 - values[::-1].argmax()
    is_member = np.zeros(len(sizes), dtype=bool)
    is_member[order[: last + 1]] = True
    return float(values[last]), is_member
