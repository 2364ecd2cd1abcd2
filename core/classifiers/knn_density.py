"""k-nearest-neighbor density: mean cosine to the nearest positives."""

import numpy as np

from core.base import BasePUClassifier
from core.classifier_bases.thresholds import OneClassMixin
from core.kernels.graphs.knn_graph import nearest_rows
from core.kernels.rows.row_blocks import BLOCK_ENTRIES
from core.kernels.rows.unit_rows import unit_rows
from core.options import AT_LEAST_ONE


class KNNDensity(OneClassMixin, BasePUClassifier):
    """Mean cosine similarity to the nearest labeled positives.

    Learns from the positives alone; unlabeled samples and judged negatives are accepted and
    ignored. Negative cosines count as 0.

    Parameters
    ----------
    n_neighbors : int in [1, inf), default=3
        Nearest positives; never more than there are.
    threshold : {"auto", "quantile", "min", "mean"} or float, default="auto"
        Rule for the cut, over the similarities of each positive to the others; a number is the
        cut itself. "auto" takes the quantile for five positives or more, else 0.05.
    quantile : float in [0, 1], default=0.05
        Quantile of the positives' scores that is the cut, between two scores in proportion: of
        five the lowest one is below it (rules "auto" and "quantile").
    n_deviations : int in [-3, 3], default=0
        Standard deviations added to the mean (rule "mean").
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    X_fit_ : sparse array of shape (n_positive, n_features)
        The positives, scaled to unit length, without empty ones.
    offset_ : float
        The cut on the mean cosine, in [0, 1] unless it is given.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] P.-N. Tan, M. Steinbach and V. Kumar, "Introduction to data mining", 2005, chapter on
       anomaly detection.
    .. [2] M. Golo, R. Marcacini and R. Rossi, "An extensive empirical evaluation of preprocessing
       techniques and supervised one class learning algorithms for text classification", ENIAC
       2019.

    Examples
    --------
    >>> from core.classifiers import KNNDensity
    >>> X = [[4, 1, 0, 0], [3, 1, 0, 0], [0, 0, 5, 0], [0, 0, 0, 1]]
    >>> y = [1, 1, 1, 0]
    >>> KNNDensity(n_neighbors=2).fit(X, y).predict([[2, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 7]])
    array([1, 1, 0])
    """

    assumption = "What is close to several positives is of the kind."
    reference = "Golo, Marcacini and Rossi, An extensive empirical evaluation, ENIAC 2019"
    requires_unlabeled = False

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        **OneClassMixin._threshold_constraints,
        "n_neighbors": [AT_LEAST_ONE],
    }

    def __init__(
        self, *, n_neighbors=3, threshold="auto", quantile=0.05, n_deviations=0, pos_label=None
    ):
        self.n_neighbors = n_neighbors
        self.threshold = threshold
        self.quantile = quantile
        self.n_deviations = n_deviations
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        # Neighbors of the samples that are scored at a time: few texts have less than eight terms.
        return 40 * min(self.n_neighbors, n_labeled) * min(n_samples, BLOCK_ENTRIES // 8)

    def _fit(self, X, is_positive, is_negative):
        self.X_fit_ = self._positive_rows(X, is_positive)
        every = np.arange(self.X_fit_.shape[0])
        n_others = len(every) - 1
        self.offset_ = self._cut(
            self._nearest(self.X_fit_, n_others, own=every).sum(axis=1) if n_others else [],
            fixed=0.05,
        )

    def _nearest(self, Z, n_positive, *, own=None):
        """Return the cosines with the nearest positives, divided by their number."""
        n_neighbors = min(self.n_neighbors, n_positive)
        return nearest_rows(Z, self.X_fit_, n_neighbors, own=own) / n_neighbors

    def _score_samples(self, X):
        return self._nearest(unit_rows(X), self.X_fit_.shape[0]).sum(axis=1)

    def _explain(self, X):
        Z = unit_rows(X)
        share = self._nearest(Z, self.X_fit_.shape[0])
        share.data[:] = 1 / min(self.n_neighbors, self.X_fit_.shape[0])
        return Z.multiply(share @ self.X_fit_).tocsr()

    def _feature_weights(self):
        return np.asarray(self.X_fit_.mean(axis=0))
