"""MRMR-UFS2: one feature of each group of like ones, the best by the clusters of the samples."""

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import spectral_clustering
from sklearn.preprocessing import scale
from sklearn.utils import check_random_state

from core import progress
from core.feature_selection.base_dense import BaseDenseSelector
from core.feature_selection.score_order import best_first_rounded
from core.feature_selection.silence import silence
from core.kernels.features.discrete_features import DiscreteFeatures, discretize
from core.kernels.features.mutual_information import Information
from core.kernels.graphs.gaussian_graph import gaussian_graph
from core.kernels.hardware.blas import one_thread
from core.options import AT_LEAST_ONE, AT_LEAST_TWO

#: Joins the parts of a graph.
WEAKEST_EDGE = 1e-9
#: Fewest rows per cluster of rows, on average.
MIN_CLUSTER_ROWS = 5
#: For each pair of points that are grouped: similarities, and what clustering makes of them.
PAIR_BYTES = 40


class MRMRUFS2(BaseDenseSelector):
    """Select features without labels, by clusters of samples and of features (MRMR-UFS2).

    Spectral clustering groups the samples; the relevance of a feature is its mutual information
    with these groups. Spectral clustering groups the features, too: those of one group say the
    same, and the most relevant one of each group is selected. There are as many groups as features
    to select; of samples at most a fifth of their number, and at least two.

    Labels are looked at only to leave out most of more than ``prefilter`` features.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    n_neighbors : int in [1, inf), default=5
        Neighbors that each sample and each feature lists.
    n_bins : int in [2, inf), default=5
        Bins of equal width for features with more distinct values than that.
    max_samples : int in [2, inf), default=2000
        Most samples to group; of more, so many are drawn. Time is their number cubed.
    prefilter : int in [1, inf), default=500
        Most features to look at; of more, those with the largest chi-squared.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the sample and of the clusterings.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Relevance in nats; -inf for features that were not looked at.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features: the selected ones, by relevance within each round of grouping,
        then the others by relevance.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_candidates``, ``n_rows`` that were grouped, ``n_clusters`` of
        them, and ``n_rounds`` of grouping features.

    References
    ----------
    .. [1] B. Khozaei and M. Eftekhari, "Unsupervised feature selection based on spectral clustering
       with maximum relevancy and minimum redundancy approach", International Journal of Pattern
       Recognition and Artificial Intelligence 35(11), 2021. Rebuilt from descriptions of it.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection import MRMRUFS2
    >>> X = np.random.default_rng(0).random((60, 3))
    >>> X[:, 1] = X[:, 0]
    >>> y = np.arange(60) < 20
    >>> MRMRUFS2(2, random_state=0).fit(X, y).get_support().tolist()
    [True, False, True]
    """

    assumption = "The kind is one of the groups that the samples fall into without labels."
    reference = "Khozaei and Eftekhari, Unsupervised feature selection, IJPRAI 2021"

    _parameter_constraints: dict = {
        **BaseDenseSelector._parameter_constraints,
        "n_neighbors": [AT_LEAST_ONE],
        "n_bins": [AT_LEAST_TWO],
        "max_samples": [AT_LEAST_TWO],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        n_neighbors=5,
        n_bins=5,
        max_samples=2000,
        prefilter=500,
        pos_label=None,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.n_bins = n_bins
        self.max_samples = max_samples
        self.prefilter = prefilter
        self.pos_label = pos_label
        self.random_state = random_state

    def _own_bytes(self, n_samples, n_features, itemsize):
        n_points = max(min(n_samples, self.max_samples), self._n_candidates(n_features))
        return super()._own_bytes(n_samples, n_features, itemsize) + PAIR_BYTES * n_points**2

    def _rank_dense(self, X, is_positive):
        random = check_random_state(self.random_state)
        if len(X) > self.max_samples:
            X = X[np.sort(random.permutation(len(X))[: self.max_samples])]
        Z = scale(X.astype(np.float64), copy=False)
        n_clusters = min(max(2, self.n_features_to_select), max(2, len(X) // MIN_CLUSTER_ROWS))
        self.report_ |= {"n_rows": len(X), "n_clusters": n_clusters}
        progress.report("group samples", 0)
        # Distances of k-means are too few for threads of their own.
        with one_thread(None):
            relevance = cluster_information(
                discretize(sp.csr_array(X), self.n_bins), self._groups(Z, n_clusters, random)
            )
            return self._rank_groups(Z, relevance, random), relevance

    def _rank_groups(self, Z, relevance, random):
        """Return the best of each group of features, again and again, then the rest."""
        chosen, rest = [], best_first_rounded(relevance)
        n_rounds = 0
        while len(chosen) < self.n_features_to_select:
            n_rounds += 1
            groups = self._groups(Z[:, rest].T, self.n_features_to_select, random)
            first = np.sort(np.unique(groups, return_index=True)[1])
            chosen, rest = [*chosen, *rest[first]], np.delete(rest, first)
            progress.report("group features", len(chosen) / self.n_features_to_select)
        self.report_["n_rounds"] = n_rounds
        return np.concatenate([chosen, rest]).astype(int)

    def _groups(self, points, n_groups, random):
        """Return the group of each point by spectral clustering."""
        if n_groups >= len(points):
            return np.arange(len(points))
        if n_groups == 1:
            return np.zeros(len(points), dtype=int)
        similarity = gaussian_graph(points, self.n_neighbors).toarray() + WEAKEST_EDGE
        with silence:  # k-means finds fewer groups where points are equal
            return spectral_clustering(similarity, n_clusters=n_groups, random_state=random)


def cluster_information(features, clusters):
    """Return the mutual information of discrete features with a partition of the rows, in nats.

    Parameters
    ----------
    features : DiscreteFeatures
        Of the rows.
    clusters : ndarray of int of shape (n_samples,)
        Cluster of each row, in [0, n_clusters).

    Returns
    -------
    ndarray of shape (n_features,)
        In [0, log n_clusters].

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.feature_selection.mrmr_ufs2 import cluster_information
    >>> from core.kernels.features.discrete_features import discretize
    >>> features = discretize(sp.csr_array([[1.0, 1], [1, 0], [0, 1], [0, 0]]))
    >>> cluster_information(features, np.array([0, 0, 1, 1])).round(4).tolist()
    [0.6931, 0.0]
    """
    members = sp.csr_array((np.ones(len(clusters)), (np.arange(len(clusters)), clusters)))
    indicators = sp.hstack([features.indicators, members], format="csr")
    owner = np.append(features.feature, np.full(members.shape[1], features.n_features))
    joined = DiscreteFeatures(indicators, owner, features.n_features + 1)
    # Which rows are positive is of no consequence here.
    return Information(joined, clusters == 0).between(features.n_features)[:-1]
