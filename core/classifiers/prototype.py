"""Prototype: cosine to the mean of the positives."""

import numpy as np

from core.classifier_bases.linear import UnitLinearClassifier
from core.classifier_bases.thresholds import OneClassMixin
from core.kernels.clusters.spherical_kmeans import left_out_cosines
from core.kernels.rows.row_blocks import transposed_product


class Prototype(OneClassMixin, UnitLinearClassifier):
    """Cosine similarity to the mean of the labeled positives.

    Learns from the positives alone; unlabeled samples are accepted and ignored. Fast, robust at
    one seed, and the yardstick for everything else.

    Parameters
    ----------
    threshold : {"auto", "quantile", "min", "mean"} or float, default="auto"
        Rule for the cut, over the leave-one-out similarities of the positives; a number is the
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
    coef_ : ndarray of shape (n_features,)
        The mean of the L2-normalised positives, scaled to unit length.
    offset_ : float
        The cut on the cosine, in [-1, 1].
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] L. M. Manevitz and M. Yousef, "One-class SVMs for document classification", Journal of
       Machine Learning Research 2, 2001, section 3 (the prototype algorithm).

    Examples
    --------
    >>> from core.classifiers import Prototype
    >>> X = [[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]
    >>> y = [1, 1, 0, 0]
    >>> Prototype().fit(X, y).predict([[2, 1, 0], [0, 0, 3]])
    array([1, 0])
    """

    assumption = "All positives are about one thing: they lie around one centre."
    reference = "Manevitz and Yousef, One-class SVMs for document classification, JMLR 2, 2001"
    requires_unlabeled = False
    intercept_ = 0.0

    _parameter_constraints: dict = {
        **UnitLinearClassifier._parameter_constraints,
        **OneClassMixin._threshold_constraints,
    }

    def __init__(self, *, threshold="auto", quantile=0.05, n_deviations=0, pos_label=None):
        self.threshold = threshold
        self.quantile = quantile
        self.n_deviations = n_deviations
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        Z = self._positive_rows(X, is_positive)
        total = transposed_product(Z, np.ones(Z.shape[0]))
        self.coef_ = total / (np.linalg.norm(total) or 1.0)
        self.offset_ = self._cut(left_out_cosines(Z @ total, total @ total), fixed=0.05)
