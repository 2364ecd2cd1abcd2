"""Random features: what a selection is worth that knows nothing."""

from sklearn.utils import check_random_state

from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.score_order import best_first


class RandomFeatures(BaseFeatureSelector):
    """Select features at random: a baseline.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the scores.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Random numbers in [0, 1).
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, largest score first, constant features last.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] H. Stoppiglia, G. Dreyfus, R. Dubois and Y. Oussar, "Ranking a random feature for
       variable and feature selection", Journal of Machine Learning Research 3, 2003.

    Examples
    --------
    >>> from core.feature_selection import RandomFeatures
    >>> selector = RandomFeatures(2, random_state=0).fit([[1, 0, 2], [0, 1, 3]], [1, 0])
    >>> int(selector.get_support().sum())
    2
    """

    assumption = "None: it learns nothing."
    reference = "Stoppiglia et al., Ranking a random feature for feature selection, JMLR 2003"

    _parameter_constraints: dict = {
        **BaseFeatureSelector._parameter_constraints,
        "random_state": ["random_state"],
    }

    def __init__(self, n_features_to_select=10, *, pos_label=None, random_state=None):
        self.n_features_to_select = n_features_to_select
        self.pos_label = pos_label
        self.random_state = random_state

    def _rank_features(self, X, is_positive):
        scores = check_random_state(self.random_state).random_sample(X.shape[1])
        return best_first(scores), scores
