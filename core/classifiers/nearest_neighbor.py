"""Nearest neighbor: cosine to the most similar positive."""

import numpy as np

from core.base import BasePUClassifier
from core.classifier_bases.thresholds import OneClassMixin
from core.kernels.graphs.knn_graph import nearest_rows
from core.kernels.rows.unit_rows import unit_rows


class NearestNeighbor(OneClassMixin, BasePUClassifier):
    """Cosine similarity to the nearest labeled positive.

    Learns from the positives alone; unlabeled samples and judged negatives are accepted and
    ignored. Negative cosines count as 0.

    Parameters
    ----------
    relative : bool, default=False
        Whether the similarity of the nearest positive to its own nearest positive is subtracted,
        so that the cut adapts to how dense the positives lie there.
    threshold : {"auto", "quantile", "min", "mean"} or float, default="auto"
        Rule for the cut, over the scores of each positive among the others; a number is the cut
        itself. "auto" takes the quantile for five positives or more, else 0.1. Where scores are
        relative, "auto" takes 0: a sample must be as near to its neighbor as that neighbor is to
        its own.
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
    similarity_ : ndarray of shape (n_positive,)
        What is subtracted where a positive is the nearest: its cosine with its own nearest one,
        or 0 for all of them unless ``relative``.
    offset_ : float
        The cut.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit. The flag "one_seed" says that a single positive has no neighbor that
        scores could be relative to.

    References
    ----------
    .. [1] P. Datta, "Characteristic concept representations", PhD thesis, University of
       California, Irvine, 1997. The relative rule is as remembered, not verified.
    .. [2] L. M. Manevitz and M. Yousef, "One-class SVMs for document classification", Journal of
       Machine Learning Research 2, 2001, section 3.

    Examples
    --------
    >>> from core.classifiers import NearestNeighbor
    >>> X = [[4, 1, 0, 0], [0, 0, 5, 0], [0, 0, 0, 1]]
    >>> y = [1, 1, 0]
    >>> NearestNeighbor().fit(X, y).predict([[2, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 7]])
    array([1, 1, 0])
    """

    assumption = "What is close to any one of the positives is of the kind."
    reference = "Manevitz and Yousef, One-class SVMs for document classification, JMLR 2, 2001"
    requires_unlabeled = False

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        **OneClassMixin._threshold_constraints,
        "relative": ["boolean"],
    }

    def __init__(
        self, *, relative=False, threshold="auto", quantile=0.05, n_deviations=0, pos_label=None
    ):
        self.relative = relative
        self.threshold = threshold
        self.quantile = quantile
        self.n_deviations = n_deviations
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self.X_fit_ = self._positive_rows(X, is_positive)
        every = np.arange(self.X_fit_.shape[0])
        nearest = nearest_rows(self.X_fit_, self.X_fit_, 1, own=every)
        self.similarity_ = np.zeros(len(every))
        is_relative = self._is_relative
        if is_relative:
            self.similarity_ = nearest.sum(axis=1)
        elif self.relative:
            self.add_flag("one_seed")
        self.offset_ = self._cut(
            self._scores(nearest),
            fixed=0.0 if is_relative else 0.1,
            rule=0.0 if is_relative and self.threshold == "auto" else None,
        )

    @property
    def _is_relative(self):
        return self.relative and self.X_fit_.shape[0] > 1

    def _scores(self, nearest):
        """Return the scores of rows that store their cosine with the nearest positive, if any."""
        has_neighbor = np.diff(nearest.indptr) > 0
        # Without a neighbor there is nothing to be relative to: no score is lower than -1.
        scores = np.full(len(has_neighbor), -1.0 if self._is_relative else 0.0)
        scores[has_neighbor] = nearest.data - self.similarity_[nearest.indices]
        return scores

    def _score_samples(self, X):
        return self._scores(nearest_rows(unit_rows(X), self.X_fit_, 1))

    def _explain(self, X):
        # Of the similarity; what is subtracted from it belongs to no feature.
        Z = unit_rows(X)
        is_nearest = nearest_rows(Z, self.X_fit_, 1)
        is_nearest.data[:] = 1
        return Z.multiply(is_nearest @ self.X_fit_).tocsr()

    def _feature_weights(self):
        return np.asarray(self.X_fit_.mean(axis=0))
