"""semi-IAMB: the features that being labeled depends on, whatever the others say."""

import numpy as np
from scipy.stats import chi2

from core import progress
from core.feature_selection.base_information import BaseInformationSelector
from core.feature_selection.semi_jmi import rank_jointly
from core.options import INNER_SHARE


class SemiIAMB(BaseInformationSelector):
    """Select the Markov blanket of being labeled, by conditional independence tests.

    Features join the blanket one by one: each time the one that, by a G-test, depends most surely
    on being labeled given those in it. Then those leave that no longer do so given the others. A
    blanket smaller than the number of features asked for is filled up in the order of semi-JMI; of
    a larger one, the features that joined first are kept.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    alpha : float in (0, 1), default=0.05
        A feature joins where its test has a p-value of at most this.
    n_bins : int in [2, inf), default=5
        Bins for features with more distinct values than that.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or with equally many samples each. If one value is far from all others,
        these share one bin of equal width.
    prefilter : int in [1, inf), default=1000
        Most features to look at; of more, those with the most information one by one.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        As those of semi-JMI: mean information of pairs, in nats. -inf where not looked at.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features: the blanket in the order it grew, then the order of semi-JMI.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit; ``blanket_size`` and ``n_candidates``. ``flags`` has
        "blanket_larger" where features of the blanket had to be left out.

    Notes
    -----
    A test on few labels finds little: to find as much as with full labels takes
    ``pi / (1 - pi) * (1 - p) / p`` times the samples, where pi is the share of positives and p
    that of labeled ones.

    References
    ----------
    .. [1] K. Sechidis and G. Brown, "Simple strategies for semi-supervised feature selection",
       Machine Learning 107, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection import SemiIAMB
    >>> y = np.arange(40) < 20
    >>> X = np.column_stack([y, y, np.arange(40) % 2])
    >>> selector = SemiIAMB(n_features_to_select=1).fit(X, y)
    >>> selector.get_support().tolist(), selector.report_["blanket_size"]
    ([True, False, False], 1)
    """

    assumption = "Which positives were labeled does not depend on their features."
    reference = "Sechidis and Brown, Semi-supervised feature selection, Machine Learning 2018"

    _parameter_constraints: dict = {
        **BaseInformationSelector._parameter_constraints,
        "alpha": [INNER_SHARE],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        alpha=0.05,
        n_bins=5,
        binning="width",
        prefilter=1000,
        pos_label=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.n_bins = n_bins
        self.binning = binning
        self.prefilter = prefilter
        self.pos_label = pos_label

    def _rank_discrete(self, information, n_selected):
        blanket = self._shrink(information, self._grow(information))
        self.report_["blanket_size"] = len(blanket)
        if len(blanket) > n_selected:
            self.add_flag("blanket_larger")
        ranking, scores = rank_jointly(information, n_selected)
        is_rest = np.isin(ranking, blanket, invert=True)
        return np.concatenate([blanket, ranking[is_rest]]).astype(int), scores

    def _grow(self, information):
        blanket = []
        while len(blanket) < information.features.n_features:
            p_value, g = _tests(information, blanket)
            p_value[blanket] = np.inf
            # The smallest p-value, of equal ones the largest statistic, then the first feature.
            best = int(np.lexsort((-g, p_value))[0])
            if p_value[best] > self.alpha:
                break
            blanket.append(best)
            progress.report("grow", len(blanket) / information.features.n_features)
        return blanket

    def _shrink(self, information, blanket):
        while blanket:
            tests = [_test_of(information, feature, blanket) for feature in blanket]
            p_value, g = map(np.array, zip(*tests, strict=True))
            worst = int(np.lexsort((g, -p_value))[0])
            if p_value[worst] < self.alpha:
                break
            blanket = [*blanket[:worst], *blanket[worst + 1 :]]
        return blanket


def _tests(information, blanket):
    """Return the p-value and the statistic of the G-test of each feature given a blanket."""
    configuration = information.configuration(blanket)
    g = 2 * information.n_samples * information.given(configuration)
    n_configurations = configuration.max() + 1
    freedom = np.maximum(1, (information.n_values() - 1) * n_configurations)
    return chi2.sf(g, freedom), g


def _test_of(information, feature, blanket):
    p_value, g = _tests(information, [other for other in blanket if other != feature])
    return p_value[feature], g[feature]
