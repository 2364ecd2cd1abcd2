"""Classifiers whose score is the log-odds of being positive."""

import numpy as np
from scipy.special import expit

from core.classifier_bases.linear import LinearClassifier


class LogOddsClassifier(LinearClassifier):
    """Base of classifiers whose score is the log-odds of being positive: a sum over the terms.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        What each term adds to the log-odds.
    intercept_ : float
        Log-odds of a text before its terms are read.
    """

    has_probabilities = True

    def _own_probabilities(self, scores):
        return probabilities_of(scores)


def probabilities_of(log_odds):
    """Return the probabilities of the unlabeled class and the positive one.

    Parameters
    ----------
    log_odds : ndarray of shape (n_samples,)
        Of being positive.

    Returns
    -------
    ndarray of shape (n_samples, 2)
        In [0, 1]; small ones are exact on both sides.

    Examples
    --------
    >>> import numpy as np
    >>> from core.classifier_bases.log_odds import probabilities_of
    >>> probabilities_of(np.log([1.0, 4.0])).round(4).tolist()
    [[0.5, 0.5], [0.2, 0.8]]
    """
    return np.column_stack([expit(-log_odds), expit(log_odds)])
