"""mRMR: features that tell much about being labeled and little about each other."""

import numpy as np

from core import progress
from core.feature_selection.base_information import BaseInformationSelector
from core.feature_selection.score_order import ROUNDING, best_first_rounded, first_of_best
from core.options import StrOptions

#: Added to the redundancy where the relevance is divided by it, in bits.
MARGIN = 1e-4


class MRMR(BaseInformationSelector):
    """Select features by minimum redundancy and maximum relevance (mRMR).

    The first feature is the one with the most mutual information with being labeled, its
    relevance. Then, again and again, the feature with the largest relevance for its redundancy is
    taken. Its redundancy is the mean information between it and the features chosen so far.
    Constant features come after all others.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    criterion : {"quotient", "difference"}, default="quotient"
        Relevance over redundancy (MIQ) or relevance less redundancy (MID).
    n_bins : int in [2, inf), default=5
        Bins for features with more distinct values than that.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or with equally many samples each. If one value is far from all others,
        these share one bin of equal width.
    prefilter : int in [1, inf), default=5000
        Most features to look at; of more, those with the largest relevance.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        The criterion when the feature was chosen, or at the end, of information in bits; for the
        first one, its relevance. They need not descend along the ranking. -inf where not looked at.
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
    A widely used implementation casts values to whole numbers instead of cutting them into bins;
    on features scaled to [0, 1] little but the order of the columns is left.

    References
    ----------
    .. [1] H. Peng, F. Long and C. Ding, "Feature selection based on mutual information: criteria
       of max-dependency, max-relevance, and min-redundancy", IEEE Transactions on Pattern
       Analysis and Machine Intelligence 27(8), 2005.

    Examples
    --------
    >>> from core.feature_selection import MRMR
    >>> X = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> y = [1, 1, 0, 0]
    >>> MRMR(n_features_to_select=1).fit(X, y).scores_.tolist()
    [1.0, 1.0, 0.0]
    """

    assumption = "Features of the kind differ from those of the pile one by one."
    reference = "Peng, Long and Ding, Feature selection based on mutual information, PAMI 2005"

    _parameter_constraints: dict = {
        **BaseInformationSelector._parameter_constraints,
        "criterion": [StrOptions({"quotient", "difference"})],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        criterion="quotient",
        n_bins=5,
        binning="width",
        prefilter=5000,
        pos_label=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.criterion = criterion
        self.n_bins = n_bins
        self.binning = binning
        self.prefilter = prefilter
        self.pos_label = pos_label

    def _rank_discrete(self, information, n_selected):
        relevance = information.of_features() / np.log(2)
        scores, redundancy = relevance.copy(), np.zeros_like(relevance)
        is_free, chosen = np.ones(len(scores), dtype=bool), []
        is_constant = information.is_constant()
        # A quotient by next to no redundancy has a rounding error that is as much larger.
        rounding = ROUNDING / MARGIN if self.criterion == "quotient" else ROUNDING
        while is_free.any() and len(chosen) < n_selected:
            # Else constants would go first where all others have negative scores.
            tells = is_free & ~is_constant
            is_next = tells if tells.any() else is_free
            last = first_of_best(np.where(is_next, scores, -np.inf), rounding)
            chosen.append(last)
            is_free[last] = False
            redundancy += information.between(last) / np.log(2)
            criterion = self._criterion(relevance, redundancy / len(chosen))
            if len(chosen) < n_selected:
                scores[is_free] = criterion[is_free]
            progress.report("select", len(chosen) / n_selected)
        rest = best_first_rounded(np.where(is_free, scores, -np.inf), rounding)[: is_free.sum()]
        return np.concatenate([chosen, rest]), scores

    def _criterion(self, relevance, redundancy):
        if self.criterion == "difference":
            return relevance - redundancy
        return relevance / (redundancy + MARGIN)
