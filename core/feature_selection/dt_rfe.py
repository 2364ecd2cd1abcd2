"""DT-RFE: features that a forest still uses after the others were taken away."""

import math
from numbers import Integral

import numpy as np

from core import progress
from core.feature_selection.base_dense import BaseDenseSelector
from core.feature_selection.score_order import best_first
from core.kernels.features.forest_importances import forest_importances
from core.options import AT_LEAST_ONE, REPEATS, SHARE_ABOVE_ZERO, Interval, StrOptions
from core.validation import RealNotInt


class DTRFE(BaseDenseSelector):
    """Select features by recursive elimination with a forest of decision trees (DT-RFE).

    A random forest learns to tell labeled positives from unlabeled samples, the features of least
    importance to it are dropped, and so on until as many are left as asked for.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    step : int in [1, inf) or float in (0, 1), default=0.1
        How many features to drop after each forest, or which share of those that remain, rounded
        up.
    n_estimators : int in [1, 100000], default=100
        Trees of each forest, grown by as many threads as the ``n_jobs`` of
        ``joblib.parallel_config``.
    min_samples_leaf : int in [1, inf), default=5
        Fewest samples at the end of a branch.
    max_samples : float in (0, 1], default=0.3
        How many samples are drawn for each tree, with replacement, as a share of all.
    class_weight : {"balanced", "balanced_subsample"}, default=None
        Whether to draw both classes equally often, or to weigh them alike in each tree; None means
        neither. Without either, most trees see too few of a few positives.
    prefilter : int in [1, inf), default=1000
        Most features to look at; of more, those with the largest chi-squared.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the forests.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        How many forests had the feature, plus its importance to the last of them, in [0, 1].
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit; ``n_forests`` is how many were grown, ``n_candidates`` how many
        features were looked at.

    Notes
    -----
    ``step=1`` with ``min_samples_leaf=1`` and ``max_samples=1`` drops the features that ``RFE`` of
    scikit-learn drops with a ``RandomForestClassifier`` of the same seed, except that of equally
    unimportant ones it drops the last.

    References
    ----------
    .. [1] P. M. Granitto, C. Furlanello, F. Biasioli and F. Gasperi, "Recursive feature elimination
       with random forest for PTR-MS analysis of agroindustrial products", Chemometrics and
       Intelligent Laboratory Systems 83(2), 2006.

    Examples
    --------
    >>> from core.feature_selection import DTRFE
    >>> X = [[5, 1], [6, 0], [7, 1], [8, 0], [1, 1], [2, 0], [3, 1], [4, 0]]
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> DTRFE(1, min_samples_leaf=1, max_samples=1, random_state=0).fit(X, y).get_support()
    array([ True, False])
    """

    assumption = "Features of the kind, alone or together, set labeled positives apart."
    bytes_per_cell = 16
    reference = "Granitto et al., Recursive feature elimination with random forest, 2006"

    _parameter_constraints: dict = {
        **BaseDenseSelector._parameter_constraints,
        "step": [
            AT_LEAST_ONE,
            Interval(RealNotInt, 0, 1, closed="neither"),
        ],
        "n_estimators": [REPEATS],
        "min_samples_leaf": [AT_LEAST_ONE],
        "max_samples": [SHARE_ABOVE_ZERO],
        "class_weight": [StrOptions({"balanced", "balanced_subsample"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        step=0.1,
        n_estimators=100,
        min_samples_leaf=5,
        max_samples=0.3,
        class_weight=None,
        prefilter=1000,
        pos_label=None,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.n_estimators = n_estimators
        self.min_samples_leaf = min_samples_leaf
        self.max_samples = max_samples
        self.class_weight = class_weight
        self.prefilter = prefilter
        self.pos_label = pos_label
        self.random_state = random_state

    def _rank_dense(self, X, is_positive):
        scores = np.zeros(X.shape[1])
        remaining, n_forests = np.arange(X.shape[1]), 0
        while n_forests == 0 or len(remaining) > self.n_features_to_select:
            n_forests += 1
            importances = self._importances(X[:, remaining], is_positive)
            scores[remaining] = n_forests + importances
            n_kept = max(
                len(remaining) - self._n_dropped(len(remaining)), self.n_features_to_select
            )
            remaining = remaining[np.sort(best_first(importances)[:n_kept])]
            n_surplus = len(remaining) - self.n_features_to_select
            progress.report("eliminate", 1 - n_surplus / X.shape[1])
        self.report_["n_forests"] = n_forests
        return best_first(scores), scores

    def _n_dropped(self, n_remaining):
        if isinstance(self.step, Integral):
            return self.step
        # Without the rounding errors of the product.
        return max(1, math.ceil(round(self.step * n_remaining, 9)))

    def _importances(self, X, is_positive):
        return forest_importances(
            X,
            is_positive,
            n_estimators=self.n_estimators,
            min_samples_leaf=min(self.min_samples_leaf, len(X)),
            n_drawn=max(1, round(self.max_samples * len(X))),
            class_weight=self.class_weight,
            random_state=self.random_state,
        )
