"""One-class k-means: cosine to the nearest of a few centres of the positives."""

import numpy as np

from core.base import BasePUClassifier
from core.classifier_bases.thresholds import OneClassMixin
from core.kernels.clusters.spherical_kmeans import (
    cosines,
    group_means,
    left_out_cosines,
    spherical_kmeans,
)
from core.kernels.rows.unit_rows import unit_rows
from core.options import AT_LEAST_ONE, REPEATS


class OneClassKMeans(OneClassMixin, BasePUClassifier):
    """Cosine similarity to the nearest cluster of the labeled positives.

    Learns from the positives alone; unlabeled samples and judged negatives are accepted and
    ignored. With one cluster it is the prototype classifier.

    Parameters
    ----------
    n_clusters : int in [1, inf), default=3
        Most clusters; never more than there are positives.
    n_init : int in [1, 100000], default=10
        Restarts of the clustering; that with the most similar clusters is kept.
    threshold : {"auto", "quantile", "min", "mean"} or float, default="auto"
        Rule for the cut, over the similarities of the positives, each left out of the centre of
        its own cluster; a number is the cut itself. "auto" takes the quantile for five positives
        or more, else 0.05.
    quantile : float in [0, 1], default=0.05
        Quantile of the positives' scores that is the cut, between two scores in proportion: of
        five the lowest one is below it (rules "auto" and "quantile").
    n_deviations : int in [-3, 3], default=0
        Standard deviations added to the mean (rule "mean").
    random_state : int, RandomState instance or None, default=None
        Seed of the first assignment of each restart.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    centers_ : ndarray of shape (n_features, n_clusters)
        The mean of the L2-normalised positives of each cluster, scaled to unit length.
    offset_ : float
        The cut on the cosine, in [-1, 1].
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit, among them ``cluster_sizes`` and ``n_iter``, the assignments until
        no positive changed its cluster, in the restart that was kept.

    References
    ----------
    .. [1] P.-N. Tan, M. Steinbach and V. Kumar, "Introduction to data mining", 2005, chapter on
       anomaly detection.
    .. [2] M. Golo, R. Marcacini and R. Rossi, "An extensive empirical evaluation of preprocessing
       techniques and supervised one class learning algorithms for text classification", ENIAC
       2019.

    Examples
    --------
    >>> from core.classifiers import OneClassKMeans
    >>> X = [[4, 1, 0, 0], [3, 1, 0, 0], [0, 0, 5, 0], [0, 0, 0, 1]]
    >>> y = [1, 1, 1, 0]
    >>> classifier = OneClassKMeans(n_clusters=2, random_state=0).fit(X, y)
    >>> classifier.predict([[2, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 7]])
    array([1, 1, 0])
    """

    assumption = "The positives are about a few things, each of which lies around a centre."
    reference = "Golo, Marcacini and Rossi, An extensive empirical evaluation, ENIAC 2019"
    requires_unlabeled = False

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        **OneClassMixin._threshold_constraints,
        "n_clusters": [AT_LEAST_ONE],
        "n_init": [REPEATS],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        n_clusters=3,
        n_init=10,
        threshold="auto",
        quantile=0.05,
        n_deviations=0,
        random_state=None,
        pos_label=None,
    ):
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.threshold = threshold
        self.quantile = quantile
        self.n_deviations = n_deviations
        self.random_state = random_state
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        return 16 * min(self.n_clusters, n_labeled) * n_features

    def _fit(self, X, is_positive, is_negative):
        Z = self._positive_rows(X, is_positive)
        clusters, n_iter = spherical_kmeans(
            Z,
            min(self.n_clusters, Z.shape[0]),
            n_init=self.n_init,
            random_state=self.random_state,
        )
        means = group_means(Z, clusters)
        lengths = np.linalg.norm(means, axis=0)
        self.centers_ = means / np.where(lengths > 0, lengths, 1)
        sizes = np.bincount(clusters)
        self.report_ |= {"cluster_sizes": sizes.tolist(), "n_iter": n_iter}
        self.offset_ = self._cut(self._left_out_scores(Z, clusters, sizes * lengths), fixed=0.05)

    def _left_out_scores(self, Z, clusters, sum_lengths):
        """Return the score of each positive with the centre of its cluster formed without it."""
        similarity = cosines(Z, self.centers_)
        own = np.arange(len(clusters)), clusters
        length = sum_lengths[clusters]
        similarity[own] = left_out_cosines(similarity[own] * length, length**2)
        return similarity.max(axis=1)

    def _score_samples(self, X):
        return (unit_rows(X) @ self.centers_).max(axis=1)

    def _explain(self, X):
        Z = unit_rows(X)
        nearest = (Z @ self.centers_).argmax(axis=1)
        Z.data *= self.centers_[Z.indices, np.repeat(nearest, np.diff(Z.indptr))]
        return Z

    def _feature_weights(self):
        return self.centers_.mean(axis=1)
