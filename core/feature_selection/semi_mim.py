"""semi-MIM: mutual information between each feature and being labeled."""

from core.feature_selection.base_information import BaseBinnedSelector
from core.feature_selection.score_order import best_first_rounded


class SemiMIM(BaseBinnedSelector):
    """Select the features with the most mutual information with being labeled.

    Unlabeled samples stand in for negatives. Under labels missing at random this scales the
    information of all features by nearly the same factor, so that their ranking is that of fully
    labeled data. Features are judged one by one: copies are all kept.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    n_bins : int in [2, inf), default=5
        Bins for features with more distinct values than that.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or with equally many samples each. If one value is far from all others,
        these share one bin of equal width.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Mutual information, in nats.
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
    .. [1] K. Sechidis and G. Brown, "Simple strategies for semi-supervised feature selection",
       Machine Learning 107, 2018.

    Examples
    --------
    >>> from core.feature_selection import SemiMIM
    >>> X = [[1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]]
    >>> y = [1, 1, 0, 0]
    >>> SemiMIM(n_features_to_select=1).fit(X, y).scores_.round(4).tolist()
    [0.6931, 0.2158, 0.0]
    """

    assumption = "Which positives were labeled does not depend on their features."
    reference = "Sechidis and Brown, Semi-supervised feature selection, Machine Learning 2018"

    def __init__(self, n_features_to_select=10, *, n_bins=5, binning="width", pos_label=None):
        self.n_features_to_select = n_features_to_select
        self.n_bins = n_bins
        self.binning = binning
        self.pos_label = pos_label

    def _rank_features(self, X, is_positive):
        scores = self._information(X, is_positive).of_features()
        return best_first_rounded(scores), scores
