"""LGBM-OPT: features with which boosted trees rank held-out samples best."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.utils import check_random_state

from core.classifier_bases.held_out import held_out_splits
from core.feature_selection.base_search import BaseSearchSelector
from core.feature_selection.score_order import best_first_rounded
from core.feature_selection.search_settings import default_clip_rate
from core.kernels.features.boosted_trees import check_lightgbm, held_out_auc
from core.kernels.features.compact_ga import search_masks
from core.options import REPEATS

#: With fewer positives to judge by, masks of noise fit them, and the best of many does.
ENOUGH_HELD_OUT = 20


class LGBMOPT(BaseSearchSelector):
    """Select features by the search of FSCPU for the area under the ROC curve of LightGBM.

    A mask of features is worth how well boosted trees, trained with them on four fifths of the
    samples, rank the labeled positives among the rest. Random masks are compared in pairs; the
    probability of each feature moves towards the better mask. Selected are the features that are
    most probable in the end.

    It needs LightGBM: ``pip install 'lightgbm>=4.7,<5'``.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    n_estimators : int in [1, 100000], default=100
        Trees that a mask is judged by.
    learning_rate : float in (0, 0.5), default=0.05
        Step of a probability.
    max_iter : int in [1, inf), default=1000
        Most pairs of masks.
    max_seconds : float in [0, inf), default=None
        End the search after this time with what was found so far; None means never.
    prefilter : int in [1, inf), default=500
        Most features to look at; of more, those with the largest chi-squared.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the split, the masks and the trees.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Probability of each feature at the end of the search; -inf where not looked at.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    objective_ : list of float
        Area under the ROC curve of the better mask of each pair. It is optimistic, above all for
        few positives: no estimate of quality.
    n_iter_ : int
        Pairs of masks.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_candidates``, ``n_masks`` that trees were grown for, ``n_iter``,
        ``converged``, ``converged_share`` (how much of what is selected has a probability within
        0.1 of 1, or of what is left out within 0.1 of 0; the smaller), ``stop_reason``
        ("converged", "max_iter", "max_seconds", "cancelled" or "nothing_to_choose"), and ``flags``:
        "not_converged" (``converged_share`` below a half at the end of ``max_iter``),
        "out_of_time", "cancelled", "few_held_out" (fewer than 20 positives to judge by).

    References
    ----------
    .. [1] K. Uchikoshi and Y. Akimoto, "Feature selection based on cluster assumption in PU
       learning", GECCO 2025, section 6.2.2. arXiv:2504.12651
    .. [2] G. Ke et al., "LightGBM: a highly efficient gradient boosting decision tree", NeurIPS
       2017.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection import LGBMOPT
    >>> X = np.random.default_rng(0).random((300, 4))
    >>> y = (X[:, 1] + X[:, 2] > 1.5).astype(int)
    >>> LGBMOPT(2, max_iter=50, random_state=0).fit(X, y).get_support(indices=True)
    array([1, 2])
    """

    assumption = "There are labels enough to judge by a fifth of them."
    reference = (
        "Uchikoshi and Akimoto, Feature selection based on cluster assumption in PU learning, "
        "GECCO 2025"
    )
    min_positives = 10

    _parameter_constraints: dict = {
        **BaseSearchSelector._parameter_constraints,
        "n_estimators": [REPEATS],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        n_estimators=100,
        learning_rate=0.05,
        max_iter=1000,
        max_seconds=None,
        prefilter=500,
        pos_label=None,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.prefilter = prefilter
        self.pos_label = pos_label
        self.random_state = random_state

    def _rank_dense(self, X, is_positive):
        check_lightgbm()
        n_features = X.shape[1]
        self.objective_, self.n_iter_ = [], 0
        if n_features == self.n_features_to_select:
            self.report_ |= {"stop_reason": "nothing_to_choose", "converged": True, "n_iter": 0}
            return np.arange(n_features), np.ones(n_features)
        random = check_random_state(self.random_state)
        value = self._objective(X, is_positive, random)
        known = {}
        with ThreadPoolExecutor(2) as pool:
            search = search_masks(
                lambda *masks: _values(masks, value, known, pool),
                np.ones(n_features),
                self.n_features_to_select,
                learning_rate=self.learning_rate,
                clip_rate=default_clip_rate(n_features),
                max_iter=self.max_iter,
                max_seconds=self.max_seconds,
                random=np.random.default_rng(random.randint(2**31 - 1)),
            )
        self.objective_ = search.objective
        self.report_["n_masks"] = len(known)
        self._report_search(search)
        return best_first_rounded(search.probabilities), search.probabilities

    def _objective(self, X, is_positive, random):
        """Return the function of a mask to its value."""
        [(training, held_out)] = held_out_splits(is_positive, share=0.2, random_state=random)
        seed = random.randint(2**31 - 1)
        if is_positive[held_out].sum() < ENOUGH_HELD_OUT:
            self.add_flag("few_held_out")

        def value(mask):
            return held_out_auc(
                X[:, mask],
                is_positive,
                training,
                held_out,
                n_estimators=self.n_estimators,
                seed=seed,
            )

        return value


def _values(masks, value, known, pool):
    """Return the values of masks; those that are not known yet at the same time."""
    keys = [mask.tobytes() for mask in masks]
    new = {key: mask for key, mask in zip(keys, masks, strict=True) if key not in known}
    known.update(zip(new, pool.map(value, new.values()), strict=True))
    return tuple(known[key] for key in keys)
