"""Do the labeled positives fall into clusters? A test before a method that counts on it."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD
from sklearn.utils import check_array, check_random_state

from core import progress
from core.errors import BadParameter, NoUnlabeled, TooFewPositives
from core.kernels.clusters.gaussian_mixture import (
    ROWS_PER_FEATURE,
    mixture_log_densities,
    smoothed_memberships,
)
from core.kernels.clusters.kmeans_start import kmeans_start
from core.kernels.hardware.blas import one_thread
from core.kernels.rows.masks import as_mask
from core.kernels.rows.unit_range import unit_columns
from core.validation import refusals

#: Clusterings, each through half of the features, and their clusters.
N_CLUSTERINGS, N_CLUSTERS = 20, 10
#: Steps of expectation-maximisation: fewer stay near k-means, which sees noise alone.
N_STEPS = 50
#: Rows that are clustered at most: memory and time grow as permutations times positives.
MAX_POSITIVES, MAX_UNLABELED = 1000, 4000
#: More features than this are replaced by so many components.
MAX_FEATURES, N_COMPONENTS = 100, 20
#: With one positive every labeling has the same value.
MIN_POSITIVES = 2
#: Largest p-value, and smallest ratio, at which positives are said to cluster.
LEVEL, MIN_RATIO = 0.05, 1.5
#: With fewer labels, single features tell little. In table 1 of the paper a search by clusters is
#: better with 50 labels, information with 250.
FEW_LABELS = 100


class ClusterAssumption(NamedTuple):
    """What the labels say of the clusters of the data."""

    #: Largest recall times precision of a set of clusters, in (0, 1].
    value: float
    #: The same over its mean for permuted labels, in (0, inf); about 1 without clusters.
    ratio: float
    #: Share of permutations, the labels themselves among them, that do as well, in (0, 1].
    p_value: float
    #: Whether labels depend on the clusters, by the p-value, and strongly, by the ratio.
    is_met: bool
    #: Name in the registry of a method that suits, to be compared with others: "fscpu" or
    #: "semi_jmi".
    selector: str


def cluster_assumption(X, is_positive, *, n_permutations=999, random_state=None):
    """Test whether labeled positives fall into few clusters of the data.

    Gaussian mixtures cluster the rows through random halves of the features, without labels. The
    statistic is the one that FSCPU maximises: recall times precision of the best set of clusters
    as a classifier of the labeled positives, the largest over the clusterings. The same for
    permuted labels, on the same clusterings, gives the p-value, which is exact whatever the
    clusters are like.

    Labels that depend on the features in another way, far out on one side say, depend a little on
    clusters, too: with many labels the p-value is small then. The ratio is what tells how much;
    both have to speak for clusters.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples. Features are scaled to [0, 1]; of more than 100, as of texts, the first 20
        components of a truncated singular value decomposition are taken, and X stays sparse.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which are labeled positive, at least two; the others are unlabeled. Of more than 1,000
        positives, and of more than 4,000 others, a sample is looked at.
    n_permutations : int in [1, inf), default=999
        Permutations of the labels: the least p-value is one over this plus one. Each takes up to
        30 kB.
    random_state : int, RandomState instance or None, default=None
        Seed of the clusterings and of the permutations.

    Returns
    -------
    ClusterAssumption
        ``value``, ``ratio``, ``p_value``, ``is_met`` and ``selector``: "fscpu" if the assumption
        is met and there are fewer than 100 labels, else "semi_jmi". That positives cluster does
        not say that "fscpu" chooses better than, say, "semi_mim": compare.

    Raises
    ------
    NoUnlabeled, TooFewPositives
        If all samples are labeled, or fewer than two; each is a ValueError with a ``code``.
    BadParameter
        If ``n_permutations`` is less than 1.
    ValueError
        If X is not usable or ``is_positive`` no mask of its rows.

    Notes
    -----
    The test asks for something that K. Uchikoshi and Y. Akimoto, "Feature selection based on
    cluster assumption in PU learning", GECCO 2025, leave for future work; statistic: equation 5.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.cluster_assumption import cluster_assumption
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(400, 4))
    >>> X[340:] += 5
    >>> answer = cluster_assumption(X, np.arange(400) >= 380, n_permutations=99, random_state=0)
    >>> answer.is_met, answer.p_value, answer.selector
    (True, 0.01, 'fscpu')
    >>> labels = random.permutation(400) < 20
    >>> cluster_assumption(X, labels, n_permutations=99, random_state=0).is_met
    False
    """
    with refusals():
        X = check_array(X, accept_sparse="csr", ensure_min_samples=3)
    is_positive = as_mask(is_positive, "is_positive", X.shape[0])
    _check(is_positive, n_permutations)
    seed = check_random_state(random_state).randint(2**31 - 1)
    random = np.random.default_rng(seed)
    with one_thread():
        rows, weight = _rows_to_permute(is_positive, random)
        clusterings = list(_clusterings(_columns(X, seed)[:, rows], random))
    labeled = _permuted(np.flatnonzero(is_positive[rows]), len(rows), n_permutations, random)
    values = np.max([subset_values(labeled, part, weight) for part in clusterings], axis=0)
    ratio = float(values[0] / values[1:].mean())
    p_value = float((values >= values[0]).mean())
    is_met = p_value <= LEVEL and ratio >= MIN_RATIO
    selector = "fscpu" if is_met and is_positive.sum() < FEW_LABELS else "semi_jmi"
    return ClusterAssumption(float(values[0]), ratio, p_value, is_met, selector)


def subset_values(labeled, clusters, weight):
    """Return the largest recall times precision of a set of clusters for several labelings.

    Parameters
    ----------
    labeled : ndarray of int of shape (n_labelings, n_positive)
        The rows that are positive in each.
    clusters : ndarray of int of shape (n_samples,)
        Cluster of each row.
    weight : float in (0, inf)
        How many rows an unlabeled one stands for, a positive one standing for one.

    Returns
    -------
    ndarray of shape (n_labelings,)
        In (0, 1]. As of :func:`core.kernels.clusters.cluster_subset.best_cluster_subset` for each.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.cluster_assumption import subset_values
    >>> subset_values(np.array([[0, 1], [0, 3]]), np.array([0, 0, 1, 1]), 1.0).tolist()
    [1.0, 0.5]
    """
    n_clusters = clusters.max() + 1
    numbers = clusters[labeled] + n_clusters * np.arange(len(labeled))[:, None]
    counts = np.bincount(numbers.ravel(), minlength=n_clusters * len(labeled))
    counts = counts.reshape(-1, n_clusters)
    sizes = counts + weight * (np.bincount(clusters) - counts)
    shares = np.divide(counts, sizes, out=np.zeros(sizes.shape), where=sizes > 0)
    order = np.argsort(-shares, axis=1, kind="stable")
    accepted = np.take_along_axis(counts, order, axis=1).cumsum(axis=1)
    totals = np.take_along_axis(sizes, order, axis=1).cumsum(axis=1)
    # Of clusters ordered by their share of positives the best set is a prefix.
    precision = np.divide(accepted, totals, out=np.zeros(totals.shape), where=totals > 0)
    return (accepted / labeled.shape[1] * precision).max(axis=1)


def _check(is_positive, n_permutations):
    if is_positive.all():
        raise NoUnlabeled("all samples are labeled: unlabeled ones are needed too.")
    if (n_positive := is_positive.sum()) < MIN_POSITIVES:
        raise TooFewPositives(f"at least {MIN_POSITIVES} positives are needed, got {n_positive}.")
    if n_permutations < 1:
        raise BadParameter(f"n_permutations={n_permutations} is less than 1.", "n_permutations")


def _columns(X, seed):
    """Return few features of a range of about 1, one a line."""
    if X.shape[1] <= MAX_FEATURES:
        return unit_columns((X.toarray() if sp.issparse(X) else X).astype(np.float64)).T
    n_components = min(N_COMPONENTS, X.shape[0] - 1)
    # An array, whatever ``transform_output`` scikit-learn is set to.
    svd = TruncatedSVD(n_components, random_state=seed).set_output(transform="default")
    components = svd.fit_transform(X)
    # One scale for all: what later components tell is less.
    return (components / (np.ptp(components, axis=0).max() or 1.0)).T


def _rows_to_permute(is_positive, random):
    """Return rows in random order, and how many positives an unlabeled one of them stands for.

    To permute the labels of these alone is enough: if labels were random, any of these rows would
    be as likely to have one.
    """
    unlabeled, positives = np.flatnonzero(~is_positive), np.flatnonzero(is_positive)
    drawn = random.permutation(unlabeled)[:MAX_UNLABELED]
    labeled = positives
    if len(positives) > MAX_POSITIVES:
        labeled = random.permutation(positives)[:MAX_POSITIVES]
    weight = len(unlabeled) / len(drawn) * len(labeled) / len(positives)
    return random.permutation(np.concatenate([labeled, drawn])), weight


def _clusterings(columns, random):
    """Yield the cluster of each row through one random half of the features after the other."""
    n_features, n_rows = columns.shape
    n_clusters = min(N_CLUSTERS, max(2, n_rows // 5))
    columns = (columns - columns.mean(axis=1, keepdims=True)).astype(np.float32)
    for number in range(N_CLUSTERINGS):
        progress.report("cluster", number / N_CLUSTERINGS)
        mask = np.sort(random.permutation(n_features)[: max(1, n_features // 2)])
        X = columns[mask]
        is_enough = n_rows >= ROWS_PER_FEATURE * n_clusters * len(mask)
        clusters = kmeans_start(X, random.random(n_clusters))
        densities = mixture_log_densities(
            X,
            np.ones(n_rows, dtype=np.float32),
            smoothed_memberships(clusters, n_clusters),
            covariance="full" if is_enough else "diagonal",
            n_iter=N_STEPS,
        )
        yield densities.argmax(axis=0)


def _permuted(positives, n_rows, n_permutations, random):
    """Return the positives, then as many random rows for each permutation."""
    draws = [random.choice(n_rows, len(positives), replace=False) for _ in range(n_permutations)]
    return np.array([positives, *draws])
