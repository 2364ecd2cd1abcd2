"""K-best: chi-squared between each feature and being labeled."""

import numpy as np
from sklearn.feature_selection import chi2

from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.score_order import best_first_rounded
from core.kernels.rows.scaled_rows import with_data

#: Values that can be squared and divided are larger than this and smaller than one over it.
LEAST = 1e-100


class KBest(BaseFeatureSelector):
    """Select the features that depend most on being labeled, by chi-squared.

    Unlabeled samples stand in for negatives. Under labels missing at random this scales the
    scores of all features alike, so that their ranking is that of fully labeled data.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Chi-squared statistics, 0 for features without a value. They scale with the unit of a
        feature: features of different units should be scaled to [0, 1] before.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] Y. Yang and J. O. Pedersen, "A comparative study on feature selection in text
       categorization", ICML 1997.

    Examples
    --------
    >>> from core.feature_selection import KBest
    >>> X = [[1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0]]
    >>> y = [1, 1, 0, 0]
    >>> KBest(n_features_to_select=1).fit(X, y).get_support()
    array([ True, False, False])
    """

    representation = "counts"
    assumption = "Which positives were labeled does not depend on their words."
    reference = "Yang and Pedersen, Feature selection in text categorization, ICML 1997"
    requires_non_negative = True

    def __init__(self, n_features_to_select=10, *, pos_label=None):
        self.n_features_to_select = n_features_to_select
        self.pos_label = pos_label

    def _rank_features(self, X, is_positive):
        # Squares of very large or small values are no numbers; scores grow with the unit of X.
        largest = float(X.data.max(initial=0.0)) or 1.0
        unit = 1.0 if LEAST < largest < 1 / LEAST else largest
        scaled = X if unit == 1 else with_data(X, X.data / unit)
        # A feature without a value gives 0/0: it tells nothing.
        scores = np.nan_to_num(chi2(scaled, is_positive)[0], nan=0.0)
        with np.errstate(over="ignore"):
            return best_first_rounded(scores * (unit / largest)), scores * unit
