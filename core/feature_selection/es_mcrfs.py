"""ES-MCRFS: an agent that learns which features to take. Experimental."""

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.utils import check_random_state

from core import progress
from core.classifier_bases.held_out import held_out_splits
from core.feature_selection.base_dense import BaseDenseSelector
from core.feature_selection.score_order import best_first
from core.kernels.features.feature_agent import FeatureAgent
from core.options import ABOVE_ZERO, REPEATS

#: Share of the steps at random, in the first walk and the last.
EXPLORATION = 1.0, 0.1
#: Cost of a mean correlation of 1 between the features taken.
REDUNDANCY_COST = 0.1
#: Ridge penalty of the regression that a mask is judged by.
RIDGE = 1.0


class ESMCRFS(BaseDenseSelector):
    """Select features by reinforcement learning with walks that stop early (ES-MCRFS).

    Experimental: only the abstract of the paper was at hand, and its published selections are no
    better than random ones. States, network and reward are our own.

    An agent goes through the features and takes or leaves each, as a small network values the
    two. A complete walk is worth the area under the ROC curve of a regression on its features
    over held-out samples, less a tenth of the mean absolute correlation between them. Walks
    explore, and each counts by how probable it is without exploration; those that count little are
    stopped early.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    max_iter : int in [1, 100000], default=300
        Walks, stopped ones included.
    learning_rate : float in (0, inf), default=0.001
        Step of Adam.
    prefilter : int in [1, inf), default=200
        Most features to look at; of more, those with the largest chi-squared.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the split, the network and the walks.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        How much more taking the feature is worth than leaving it, in a last walk without
        exploration, in (-1, 1), plus 2 if the feature was taken; -inf where not looked at.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the features taken in the last walk.
    objective_ : list of float
        Reward of each complete walk.
    n_iter_ : int
        Walks, stopped ones included.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_candidates``, ``n_iter``, ``n_complete`` walks, ``n_masks`` that
        were judged, ``stop_reason`` ("max_iter"), ``converged`` (always False), and ``flags``:
        "experimental" always, "nothing_learned" where no walk was complete.

    References
    ----------
    .. [1] K. Liu, P. Wang, D. Wang, W. Du, D. O. Wu and Y. Fu, "Efficient reinforced feature
       selection via early stopping traverse strategy", ICDM 2021. arXiv:2109.14180

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection import ESMCRFS
    >>> X = np.random.default_rng(0).random((200, 6))
    >>> y = (X[:, 3] > 0.7).astype(int)
    >>> selector = ESMCRFS(n_features_to_select=2, random_state=0).fit(X, y)
    >>> int(selector.get_support().sum())
    2
    """

    assumption = "Features can be judged by how well a few of them together rank held-out samples."
    reference = "Liu et al., Efficient reinforced feature selection, ICDM 2021"
    bytes_per_cell = 20
    min_positives = 10

    _parameter_constraints: dict = {
        **BaseDenseSelector._parameter_constraints,
        "max_iter": [REPEATS],
        "learning_rate": [ABOVE_ZERO],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        max_iter=300,
        learning_rate=0.001,
        prefilter=200,
        pos_label=None,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.prefilter = prefilter
        self.pos_label = pos_label
        self.random_state = random_state

    def _rank_dense(self, X, is_positive):
        random_state = check_random_state(self.random_state)
        agent = FeatureAgent(
            X,
            is_positive,
            self.n_features_to_select,
            learning_rate=self.learning_rate,
            random=np.random.default_rng(random_state.randint(2**31 - 1)),
        )
        [(training, held_out)] = held_out_splits(is_positive, random_state=random_state)
        area = _HeldOutArea(X, is_positive, training, held_out)
        self.objective_ = []
        for i, exploration in enumerate(np.linspace(*EXPLORATION, self.max_iter)):
            mask, weight, states = agent.walk(exploration)
            if weight:
                reward = area(mask) - REDUNDANCY_COST * _overlap(agent.correlations, mask)
                self.objective_.append(reward)
                agent.learn(states, mask, weight, reward)
            progress.report("walk", (i + 1) / self.max_iter)
        self._report_walks(len(area.known))
        mask, _, states = agent.walk(0, may_stop=False)
        scores = agent.advantages(states) + 2 * mask
        return best_first(scores), scores

    def _report_walks(self, n_masks):
        self.n_iter_ = self.max_iter
        self.report_ |= {
            "n_iter": self.n_iter_,
            "n_complete": len(self.objective_),
            "n_masks": n_masks,
            "stop_reason": "max_iter",
            "converged": False,
        }
        self.add_flag("experimental")
        if not self.objective_:
            self.add_flag("nothing_learned")


class _HeldOutArea:
    """The area under the ROC curve over held-out samples of a ridge regression on a mask."""

    def __init__(self, X, is_positive, training, held_out):
        self.mean = X[training].mean(axis=0)
        centred = X[training] - self.mean
        self.products = centred.T @ centred + RIDGE * np.eye(X.shape[1])
        self.target = centred.T @ (is_positive[training] - is_positive[training].mean())
        self.held_out, self.is_positive = X[held_out], is_positive[held_out]
        self.known = {}

    def __call__(self, mask):
        key = mask.tobytes()
        if key not in self.known:
            weights = np.linalg.solve(self.products[np.ix_(mask, mask)], self.target[mask])
            scores = self.held_out[:, mask] @ weights
            self.known[key] = float(roc_auc_score(self.is_positive, scores))
        return self.known[key]


def _overlap(correlations, mask):
    """Return the mean correlation between two features of a mask, 0 of a single one."""
    n = int(mask.sum())
    return float(correlations[np.ix_(mask, mask)].sum() / max(n * (n - 1), 1))
