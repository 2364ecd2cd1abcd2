"""Mutual information with the hidden class, corrected by the class prior."""

import numpy as np

from core.feature_selection.base_information import BaseBinnedSelector
from core.feature_selection.score_order import best_first_rounded
from core.options import INNER_SHARE


class PUMutualInformation(BaseBinnedSelector):
    """Select the features with the most mutual information with the hidden class.

    Labeled positives show how positives are spread, all samples how the mixture is. With the class
    prior, what is left over shows how negatives are. This information is comparable to that of
    fully labeled data, whereas information about being labeled is smaller the fewer labels there
    are.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    class_prior : float in (0, 1), default=0.5
        Share of positives among the unlabeled samples.
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
        Facts about the fit. ``flags`` has "prior_too_large" where a value is rarer among all
        samples than the positives alone would make it, by more than sampling explains.

    References
    ----------
    .. [1] K. Sechidis, M. Sperrin, E. S. Petherick, M. Lujan and G. Brown, "Dealing with
       under-reported variables: an information theoretic solution", International Journal of
       Approximate Reasoning 85, 2017.

    Examples
    --------
    >>> from core.feature_selection import PUMutualInformation
    >>> X = [[1, 1], [1, 0], [1, 1], [1, 0], [0, 1], [0, 0], [0, 1], [0, 0]]
    >>> y = [1, 1, 0, 0, 0, 0, 0, 0]
    >>> selector = PUMutualInformation(n_features_to_select=1, class_prior=1 / 3).fit(X, y)
    >>> selector.scores_.round(4).tolist()
    [0.6931, 0.0]
    """

    assumption = (
        "Labeled positives are a fair sample of the positives, and the class prior is known."
    )
    reference = "Sechidis et al., Dealing with under-reported variables, IJAR 2017"

    _parameter_constraints: dict = {
        **BaseBinnedSelector._parameter_constraints,
        "class_prior": [INNER_SHARE],
    }

    def __init__(
        self, n_features_to_select=10, *, class_prior=0.5, n_bins=5, binning="width", pos_label=None
    ):
        self.n_features_to_select = n_features_to_select
        self.class_prior = class_prior
        self.n_bins = n_bins
        self.binning = binning
        self.pos_label = pos_label

    def _rank_features(self, X, is_positive):
        information = self._information(X, is_positive)
        n_unlabeled = information.n_samples - information.n_positive
        n_hidden = self.class_prior * n_unlabeled
        share = (information.n_positive + n_hidden) / information.n_samples
        scores, excess = information.of_class(share)
        # The largest of n normal errors is about sqrt(2 log n) of them.
        if (excess > np.sqrt(2 * np.log(max(X.shape[1], 2)))).any():
            self.add_flag("prior_too_large")
        return best_first_rounded(scores), scores
