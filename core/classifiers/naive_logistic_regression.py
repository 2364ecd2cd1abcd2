"""Naive logistic regression: every unlabeled sample is taken for negative."""

import numpy as np
from sklearn.utils import check_random_state

from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.rows.row_hash import known_and_drawn
from core.options import ABOVE_ZERO, AT_LEAST_ONE


class NaiveLogisticRegression(LogOddsClassifier):
    """Logistic regression of positives against everything else: a baseline.

    Hidden positives count as negatives, so that the cut accepts too little, often nothing; the
    order is good all the same and hard to beat where there are many seeds. It is fitted to a
    tight tolerance: a solver that stops early would be a weaker baseline.

    Parameters
    ----------
    C : float in (0, inf), default=1.0
        How much the likelihood counts against the length of the weights.
    tol : float in (0, inf), default=1e-8
        Largest entry of the mean gradient at which the solver stops.
    max_unlabeled : int in [1, inf), default=None
        Most unlabeled samples to learn from, drawn at random, each with the weight of those that
        it stands for; None means all. All are scored.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What each feature adds to the log-odds of being labeled.
    intercept_ : float
        Log-odds of an empty sample.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] C. Elkan and K. Noto, "Learning classifiers from only positive and unlabeled data", KDD
       2008, section 2 (the nontraditional classifier).

    Examples
    --------
    >>> from core.classifiers import NaiveLogisticRegression
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> classifier = NaiveLogisticRegression().fit(X, [1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    assumption = "Hardly any unlabeled document is of the kind."
    reference = "Elkan and Noto, Learning classifiers from only positive and unlabeled data, 2008"
    bytes_per_entry = 4
    bytes_per_sample = 128
    bytes_per_feature = 112

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "C": [ABOVE_ZERO],
        "tol": [ABOVE_ZERO],
        "max_unlabeled": [AT_LEAST_ONE, None],
        "random_state": ["random_state"],
    }

    def __init__(self, *, C=1.0, tol=1e-8, max_unlabeled=None, random_state=None, pos_label=None):
        self.C = C
        self.tol = tol
        self.max_unlabeled = max_unlabeled
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        is_known, random = is_positive | is_negative, check_random_state(self.random_state)
        rows = known_and_drawn(X, is_known, ~is_known, self.max_unlabeled, random)
        weights = np.ones(len(rows))
        if len(rows) < X.shape[0]:
            weights[~is_known[rows]] = (~is_known).sum() / self.max_unlabeled
            X, is_positive = X[rows], is_positive[rows]
        options = {"C": self.C, "tol": self.tol}
        self.coef_, self.intercept_ = fit_soft_logistic(X, is_positive, weights, **options)
        self.offset_ = 0.0
