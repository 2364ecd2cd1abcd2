"""semi-JMI: features that tell much about being labeled together with those chosen before."""

import numpy as np

from core import progress
from core.feature_selection.base_information import BaseInformationSelector
from core.feature_selection.score_order import best_first_rounded, first_of_best


class SemiJMI(BaseInformationSelector):
    """Select features by joint mutual information (JMI) with being labeled.

    The first feature is the one with the most information. Then, again and again, the feature is
    taken whose pairs with the features chosen so far have the most: features that say the same
    add little, features that only together say something are found.

    Unlabeled samples stand in for negatives. The method for partly labeled data chooses between
    that and the opposite by a class prior; without labeled negatives it is always that.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    n_bins : int in [2, inf), default=5
        Bins for features with more distinct values than that.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or with equally many samples each. If one value is far from all others,
        these share one bin of equal width.
    prefilter : int in [1, inf), default=5000
        Most features to look at; of more, those with the most information one by one.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Mean information of the pairs with the features chosen before, in nats, when the feature was
        chosen, or at the end; for the first one, its own information. They need not descend along
        the ranking. -inf where not looked at.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features in the order they were chosen.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit; ``n_candidates`` is how many features were looked at. ``flags`` has
        "few_positives" below ten.

    Notes
    -----
    Time per chosen feature: the entries of the rows in which it has a value of its own. Features
    stay sparse.

    References
    ----------
    .. [1] K. Sechidis and G. Brown, "Simple strategies for semi-supervised feature selection",
       Machine Learning 107, 2018.

    Examples
    --------
    >>> from core.feature_selection import SemiJMI
    >>> X = [[1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]]
    >>> y = [1, 1, 0, 0]
    >>> SemiJMI(n_features_to_select=2).fit(X, y).feature_order_.tolist()
    [0, 1, 2]
    """

    assumption = "Which positives were labeled does not depend on their features."
    reference = "Sechidis and Brown, Semi-supervised feature selection, Machine Learning 2018"

    def __init__(
        self, n_features_to_select=10, *, n_bins=5, binning="width", prefilter=5000, pos_label=None
    ):
        self.n_features_to_select = n_features_to_select
        self.n_bins = n_bins
        self.binning = binning
        self.prefilter = prefilter
        self.pos_label = pos_label

    def _rank_discrete(self, information, n_selected):
        return rank_jointly(information, n_selected)


def rank_jointly(information, n_selected):
    """Return the indices of features as JMI chooses them, and their scores.

    The features that are not chosen follow in the order of their scores.
    """
    scores = information.of_features()
    total, chosen = np.zeros_like(scores), []
    is_free, is_constant = np.ones(len(scores), dtype=bool), information.is_constant()
    while True:
        # A constant adds nothing, but with what tells all no other does.
        tells = is_free & ~is_constant
        last = first_of_best(np.where(tells if tells.any() else is_free, scores, -np.inf))
        chosen.append(last)
        is_free[last] = False
        progress.report("select", len(chosen) / n_selected)
        if len(chosen) == n_selected or not is_free.any():
            rest = best_first_rounded(np.where(is_free, scores, -np.inf))[: is_free.sum()]
            return np.concatenate([chosen, rest]), scores
        total += information.of_pairs(last)
        scores[is_free] = total[is_free] / len(chosen)
