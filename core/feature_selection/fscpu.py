"""FSCPU: features through which the clusters of the data single out the positives."""

from numbers import Real

import numpy as np
from sklearn.utils import check_random_state

from core.errors import BadParameter
from core.feature_selection.base import ENOUGH_TO_SELECT
from core.feature_selection.base_search import BaseSearchSelector
from core.feature_selection.cluster_objective import OBJECTIVES, pair_evaluation
from core.feature_selection.feature_costs import affordable, checked_costs
from core.feature_selection.score_order import best_first_rounded
from core.feature_selection.search_settings import search_settings
from core.kernels.features.compact_ga import STOP_FLAGS, search_masks
from core.options import ABOVE_ZERO, AT_LEAST_ONE, Interval, StrOptions


class FSCPU(BaseSearchSelector):
    """Select features through which some clusters hold the positives and little else.

    A mask of features is worth the recall times the precision that the best set of clusters of a
    Gaussian mixture has as a classifier of the labeled positives. Random masks are compared in
    pairs; the probability of each feature moves towards the better mask. Selected are the
    features that are most probable in the end.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select; with ``costs``, the default of ``budget``.
    mode : {"fast", "paper"}, default="fast"
        "fast" looks at a sample of the rows after two steps of expectation-maximisation;
        "paper" fits scikit-learn's mixture to all rows until it converges, which takes a
        hundred times as long, or more.
    n_clusters : int in [1, inf), default=10
        Components of the mixture; at most a fifth of the samples is taken, and at least 2.
    costs : array-like of shape (n_features,), default=None
        Cost of each feature, in (0, inf); None means 1 each. With costs, features are selected
        in the order of the ranking as long as they fit, however many, and there must not be more
        features than ``prefilter``.
    budget : float in (0, inf), default=None
        Most that the selected features cost together; None means ``n_features_to_select``. Only
        with ``costs``.
    learning_rate : float in (0, 0.5), default=0.05
        Step of a probability. With more than 50 candidates it is divided by the square root of
        their number over 50.
    clip_rate : float in (0, 0.5), default=None
        How far probabilities stay from 0 and 1; None means 1 over the number of candidates, at
        most a third.
    max_iter : int in [1, inf), default=1000
        Most pairs of masks. With more than 50 candidates it is multiplied by the square root of
        their number over 50.
    max_unlabeled : int in [1, inf), default=1500
        Most unlabeled samples that mode "fast" compares masks on, besides all positives; a thousand
        where these are enough for full covariances.
    max_seconds : float in [0, inf), default=None
        End the search after this time with what was found so far; None means never.
    prefilter : int in [1, inf), default=500
        Most features to look at; of more, those with the largest chi-squared.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the sample, the masks and the mixtures.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Probability of each feature at the end of the search; -inf for features that the
        prefilter left out.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    objective_ : list of float
        Recall times precision of the better mask of each pair. It is optimistic, above all for
        few samples: no estimate of quality.
    n_iter_ : int
        Pairs of masks.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_candidates``, ``n_rows`` that masks were compared on,
        ``n_clusters``, ``covariance``, ``n_iter``, ``converged``, ``converged_share``
        (how much of what is selected has a probability within 0.1 of 1, or of what is left out
        within 0.1 of 0; the smaller), ``stop_reason`` ("converged", "max_iter", "max_seconds",
        "cancelled" or "nothing_to_choose"), and ``flags``: "few_positives" below 10,
        "fewer_clusters", "diagonal_covariance" (too few samples for a full one),
        "clusters_doubtful" (no mask is twice as good as no clusters at all), "not_converged"
        (``converged_share`` below a half at the end of ``max_iter``), "out_of_time", "cancelled".

    References
    ----------
    .. [1] K. Uchikoshi and Y. Akimoto, "Feature selection based on cluster assumption in PU
       learning", GECCO 2025, sections 4.1 and 4.2. arXiv:2504.12651

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection import FSCPU
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-3, 6, size=(360, 6))
    >>> X[:, :2] = random.normal(size=(360, 2))
    >>> X[300:, :2] += 3
    >>> y = (np.arange(360) >= 340).astype(int)
    >>> selector = FSCPU(n_features_to_select=2, n_clusters=4, max_iter=300, random_state=0)
    >>> selector.fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    assumption = "In the right features, the positives lie in a few clusters that hold little else."
    reference = (
        "Uchikoshi and Akimoto, Feature selection based on cluster assumption in PU learning, "
        "GECCO 2025"
    )
    min_positives = 2

    _parameter_constraints: dict = {
        **BaseSearchSelector._parameter_constraints,
        "mode": [StrOptions(set(OBJECTIVES))],
        "n_clusters": [AT_LEAST_ONE],
        "costs": ["array-like", None],
        "budget": [ABOVE_ZERO, None],
        "clip_rate": [Interval(Real, 0, 0.5, closed="neither"), None],
        "max_unlabeled": [AT_LEAST_ONE],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        mode="fast",
        n_clusters=10,
        costs=None,
        budget=None,
        learning_rate=0.05,
        clip_rate=None,
        max_iter=1000,
        max_unlabeled=1500,
        max_seconds=None,
        prefilter=500,
        pos_label=None,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.mode = mode
        self.n_clusters = n_clusters
        self.costs = costs
        self.budget = budget
        self.learning_rate = learning_rate
        self.clip_rate = clip_rate
        self.max_iter = max_iter
        self.max_unlabeled = max_unlabeled
        self.max_seconds = max_seconds
        self.prefilter = prefilter
        self.pos_label = pos_label
        self.random_state = random_state

    def reordered(self, order):
        """Return an unfitted copy for the same features, and their costs, in another order."""
        copy = super().reordered(order)
        if self.costs is None:
            return copy
        costs, _ = checked_costs(self.costs, self.budget, self.n_features_to_select, len(order))
        return copy.set_params(costs=costs[order])

    def _own_bytes(self, n_samples, n_features, itemsize):
        own = super()._own_bytes(n_samples, n_features, itemsize)
        if self.mode == "fast":
            return own
        # Two mixtures of all rows at once: columns of a mask, and densities of the clusters.
        return own + 64 * n_samples * (self.n_features_to_select + self._n_clusters(n_samples))

    def _n_clusters(self, n_samples):
        return max(2, min(self.n_clusters, n_samples // 5))

    def _rank_dense(self, X, is_positive):
        n_features = X.shape[1]
        costs, budget = self._checked_costs(n_features)
        self.objective_, self.n_iter_ = [], 0
        if costs.sum() <= budget:
            self.report_.update(stop_reason="nothing_to_choose", converged=True, n_iter=0)
            return np.arange(n_features), np.ones(n_features)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        random, draws = np.random.default_rng(seed).spawn(2)
        n_selected = int((np.cumsum(np.sort(costs)) <= budget).sum())
        objective = self._objective(X, is_positive, n_selected, random)
        with pair_evaluation(objective) as evaluate:
            search = search_masks(
                self._criterion(X, is_positive, evaluate),
                costs,
                budget,
                max_seconds=self.max_seconds,
                random=draws,
                **search_settings(
                    n_features,
                    budget / costs.sum(),
                    learning_rate=self.learning_rate,
                    clip_rate=self.clip_rate,
                    max_iter=self.max_iter,
                ),
            )
        self._report_search(search)
        if search.stop_reason not in STOP_FLAGS and max(self.objective_) < 2 * is_positive.mean():
            self.add_flag("clusters_doubtful")
        return best_first_rounded(search.probabilities), search.probabilities

    def _objective(self, X, is_positive, n_selected, random):
        n_clusters = self._n_clusters(len(X))
        if n_clusters < self.n_clusters:
            self.add_flag("fewer_clusters")
        if is_positive.sum() < ENOUGH_TO_SELECT:
            self.add_flag("few_positives")
        settings = {"n_clusters": n_clusters, "random": random}
        if self.mode == "fast":
            settings |= {"n_selected": n_selected, "max_unlabeled": self.max_unlabeled}
        objective = OBJECTIVES[self.mode](X, is_positive, **settings)
        if objective.covariance == "diagonal":
            self.add_flag("diagonal_covariance")
        self.report_.update(
            n_rows=objective.n_rows, n_clusters=n_clusters, covariance=objective.covariance
        )
        return objective

    def _criterion(self, X, is_positive, evaluate):
        """Return what compares two masks; it appends to ``objective_``."""

        def criterion(first, second):
            values = evaluate(first, second)
            self.objective_.append(max(values))
            return values

        return criterion

    def _checked_costs(self, n_candidates):
        if self.costs is not None and self.n_features_in_ > n_candidates:
            raise BadParameter(
                f"costs need all {self.n_features_in_} features looked at: raise prefilter.",
                "costs",
                "prefilter",
            )
        return checked_costs(self.costs, self.budget, self.n_features_to_select, n_candidates)

    def _support(self):
        if self.costs is None:
            return super()._support()
        return affordable(self.feature_order_, *self._checked_costs(self.n_features_in_))
