"""Random ranking: what a ranking is worth that knows nothing."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from core.base import BasePUClassifier
from core.kernels.rows.row_hash import row_hash
from core.options import SHARE


class RandomRanking(BasePUClassifier):
    """Scores without any meaning: a baseline.

    The score is a hash of the text and the seed, spread evenly over [0, 1): equal texts have
    equal scores, others have nothing to do with each other, and a text keeps its score whatever
    is scored beside it.

    Parameters
    ----------
    class_prior : float in [0, 1], default=0.5
        Share of the texts that is predicted positive.
    random_state : int, RandomState instance or None, default=None
        Seed of the scores.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    seed_ : int
        What the hash begins with.
    offset_ : float
        The cut: 1 - ``class_prior``.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
       OOPSLA 2014 (the mixing of bits).

    Examples
    --------
    >>> from core.classifiers import RandomRanking
    >>> X = [[1, 0], [0, 1], [1, 0]]
    >>> scores = RandomRanking(random_state=0).fit(X, [1, 0, 0]).score_samples(X)
    >>> bool(scores[0] == scores[2]), bool(scores[0] == scores[1])
    (True, False)
    """

    representation = "counts"
    assumption = "None: it learns nothing."
    reference = "Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014"
    requires_unlabeled = False
    bytes_per_feature = 16
    has_additive_score = False

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        "class_prior": [SHARE],
        "random_state": ["random_state"],
    }

    def __init__(self, *, class_prior=0.5, random_state=None, pos_label=None):
        self.class_prior = class_prior
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        self.offset_ = 1.0 - self.class_prior

    def _score_samples(self, X):
        # The upper 53 bits make a float in [0, 1).
        return (row_hash(X, seed=self.seed_) >> np.uint64(11)) * 2.0**-53

    def _explain(self, X):
        return sp.csr_array(X.shape)

    def _feature_weights(self):
        return np.zeros(self.n_features_in_)
