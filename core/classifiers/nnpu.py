"""nnPU: a score trained on the risk of positive and unlabeled samples, kept from overfitting."""

import numpy as np

from core.classifier_bases.class_prior_mixin import ClassPriorMixin
from core.classifier_bases.log_odds import LogOddsMixin
from core.classifier_bases.network_classifier import NetworkClassifier
from core.kernels.linear.pu_risks import LOSSES, pu_risk
from core.options import NOT_NEGATIVE, SHARE, StrOptions


class NNPU(ClassPriorMixin, LogOddsMixin, NetworkClassifier):
    """Non-negative risk estimation (nnPU) with a linear score or a small network.

    The unbiased risk subtracts what the positives among the unlabeled samples cost,
    ``r = mean_U loss(-g) - pi mean_P loss(-g)``. A flexible score drives r below zero, which no
    risk can be: it overfits. Wherever r of a mini-batch is below ``-beta``, training steps back
    and raises r instead of descending.

    Judged negatives estimate the risk of negatives as well: they take ``n_N / (n_N + max(n_P,
    n_N))`` of it from the unlabeled samples, which are then without them, and this part is never
    cut off.

    Parameters
    ----------
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, pi; the parameter that matters most. None
        estimates it from how high positives rank that a logistic regression did not see.
    loss : {"logistic", "sigmoid", "squared", "double_hinge"}, default="logistic"
        Loss of a sample: ``log(1 + exp(-z))``, ``1 / (1 + exp(z))``, ``(z - 1)² / 4`` or
        ``max(-z, max(0, (1 - z) / 2))``. The paper takes "sigmoid", which ranks texts worse where
        the class prior is small.
    cut : {"prior", "zero"}, default="prior"
        "prior" accepts a share of the unlabeled training samples: the class prior. "zero" cuts at
        a score of 0, as published; with few positives nearly all scores are below it.
    beta : float in [0, inf), default=0.0
        How far r may fall below zero.
    gamma : float in [0, 1], default=1.0
        Length of a step back relative to a step forth.
    non_negative : bool, default=True
        Whether to step back at all; False minimises the unbiased risk (uPU) by mini-batches, which
        overfits with hidden layers.
    hidden_layer_sizes : array-like of int, default=()
        Units in each hidden layer, 1 to 10,000 in each of at most 10; none makes the score linear
        in the features.
    n_components : int in [1, 300], default=100
        Singular vectors of X that a network is trained on.
    n_epochs : int in [1, 100000], default=100
        Passes over the unlabeled samples.
    n_batches : int in [1, inf), default=10
        Mini-batches in a pass; fewer where they would hold less than 64 unlabeled samples, so that
        a small pile may need more passes.
    learning_rate : float in (0, inf), default=0.01
        Size of a step of Adam; 0.001, as published, learns too little from texts in 100 passes.
    alpha : float in [0, inf), default=0.005
        Weight of the penalty, half the squared weights. The root mean square length of the samples
        is the unit of X.
    random_state : int, RandomState instance or None, default=None
        Draws mini-batches, singular vectors and the first weights of hidden layers.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    class_prior_ : float
        The class prior it was trained with.
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score; of a network, on average over the training
        samples.
    intercept_ : float
        Score of an empty sample; without hidden layers only.
    weights_, biases_ : list of ndarray
        Layers of the network, the first of shape (n_features, n_units); with hidden layers only.
    offset_ : float
        The cut on the score.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``class_prior`` and ``class_prior_source``, ``risk``, ``n_iter``
        (steps) and ``n_steps_back``. The flag "prior_unknown" says that nothing tells the class
        prior, so that 0.1 was taken; "prior_clamped" that a given one was changed to leave a sample
        on each side; "outlying_length" that a sample is more than a hundred times as long as the
        median one.

    References
    ----------
    .. [1] R. Kiryo, G. Niu, M. C. du Plessis and M. Sugiyama, "Positive-unlabeled learning with
       non-negative risk estimator", NIPS 2017, algorithm 1.

    Examples
    --------
    >>> from core.classifiers import NNPU
    >>> X = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    >>> y = [1, 1, 0, 0, 0]
    >>> NNPU(class_prior=1 / 3, random_state=0).fit(X, y).predict([[2, 1], [0, 3]])
    array([1, 0])
    """

    assumption = (
        "Which positives are labeled does not depend on their words, and the class prior is about "
        "right."
    )
    reference = "Kiryo, Niu, du Plessis and Sugiyama, PU learning with non-negative risk, NIPS 2017"
    bytes_per_entry = 4

    _parameter_constraints: dict = {
        **NetworkClassifier._parameter_constraints,
        "class_prior": [SHARE, None],
        "loss": [StrOptions(set(LOSSES))],
        **ClassPriorMixin._cut_constraints,
        "beta": [NOT_NEGATIVE],
        "gamma": [SHARE],
        "non_negative": ["boolean"],
    }

    def __init__(
        self,
        *,
        class_prior=None,
        loss="logistic",
        cut="prior",
        beta=0.0,
        gamma=1.0,
        non_negative=True,
        hidden_layer_sizes=(),
        n_components=100,
        n_epochs=100,
        n_batches=10,
        learning_rate=0.01,
        alpha=0.005,
        random_state=None,
        pos_label=None,
    ):
        self.class_prior = class_prior
        self.loss = loss
        self.cut = cut
        self.beta = beta
        self.gamma = gamma
        self.non_negative = non_negative
        self.hidden_layer_sizes = hidden_layer_sizes
        self.n_components = n_components
        self.n_epochs = n_epochs
        self.n_batches = n_batches
        self.learning_rate = learning_rate
        self.alpha = alpha
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self._set_class_prior(X, is_positive, is_negative)
        self.report_["n_steps_back"] = 0
        self._train(X, is_positive, is_negative)
        g, groups = self._score_samples(X), self._groups(is_positive, is_negative)
        self.offset_ = self._risk_cut(g, X, ~(is_positive | is_negative))
        self.report_["risk"] = float(self._risk(g, groups)[0])

    def _risk(self, g, groups):
        return pu_risk(
            g,
            groups,
            self.class_prior_,
            LOSSES[self.loss],
            is_non_negative=self.non_negative,
            beta=self.beta,
            gamma=self.gamma,
        )

    def _slopes(self, g, g_mixed, groups, mix, epoch):
        _, slopes, is_corrected = self._risk(g, groups)
        self.report_["n_steps_back"] += is_corrected
        return slopes, np.zeros_like(g_mixed)
