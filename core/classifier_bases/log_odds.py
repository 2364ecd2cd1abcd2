"""Classifiers whose score is the log-odds of being positive."""

import numpy as np
from scipy.special import expit

from core.classifier_bases.linear import LinearClassifier


class LogOddsMixin:
    """For classifiers whose score is the log-odds of being positive.

    Of several losses that a classifier can take, it is with the logistic one.

    Examples
    --------
    >>> from core.classifiers.upu import UPU
    >>> UPU(loss="logistic").has_probabilities, UPU(loss="squared").has_probabilities
    (True, False)
    """

    loss = "logistic"

    @property
    def has_probabilities(self):
        """Whether scores are log-odds."""
        return self.loss == "logistic"

    def _own_probabilities(self, scores):
        # Small ones are exact on both sides.
        return np.column_stack([expit(-scores), expit(scores)])


class LogOddsClassifier(LogOddsMixin, LinearClassifier):
    """Base of classifiers whose score is the log-odds of being positive: a sum over the terms.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        What each term adds to the log-odds.
    intercept_ : float
        Log-odds of a text before its terms are read.
    """
