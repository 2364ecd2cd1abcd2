"""Dist-PU: predicted probabilities whose means agree with the class prior."""

import numpy as np
from scipy.special import expit

from core.classifier_bases.class_prior_mixin import ClassPriorMixin
from core.classifier_bases.log_odds import LogOddsMixin
from core.classifier_bases.network_classifier import NetworkClassifier
from core.kernels.linear.pu_risks import distribution_risk
from core.kernels.networks.networks import Mix
from core.options import ABOVE_ZERO, AT_LEAST_ZERO, NOT_NEGATIVE, SHARE


class DistPU(ClassPriorMixin, LogOddsMixin, NetworkClassifier):
    """Positive-unlabeled learning from a label distribution perspective (Dist-PU).

    The predicted probability ``s = 1 / (1 + exp(-g))``, with a linear score g or a small network,
    is to be 1 on average over the positives and the class prior over the unlabeled samples:
    ``2 pi |mean_P s - 1| + |mean_U s - pi|``. After a warm-up, the entropy of s is penalised, so
    that the probabilities move to 0 and 1, and samples mixed from two others are to have the same
    mixture of their predicted probabilities.

    Judged negatives add ``2 (1 - pi) |mean_N s - 0|``, times ``n_N / (n_N + max(n_P, n_N))``; the
    unlabeled samples are then without them.

    Parameters
    ----------
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, pi; the parameter that matters most. None
        estimates it from how high positives rank that a logistic regression did not see.
    cut : {"prior", "zero"}, default="prior"
        "prior" accepts a share of the unlabeled training samples: the class prior. "zero" cuts at
        a probability of one half, as published; with few positives nearly all scores are below it.
    entropy_weight : float in [0, inf), default=0.004
        Weight of the entropy at the end of the training; one that is too large makes everything
        negative.
    mix_weight : float in [0, inf), default=5.0
        Weight of the cross-entropy of mixed samples.
    mix_alpha : float in (0, inf), default=6.0
        Both parameters of the beta distribution that the share of a mixture is drawn from.
    n_warm_up_epochs : int in [0, inf), default=60
        Passes without entropy and mixed samples.
    hidden_layer_sizes : array-like of int, default=()
        Units in each hidden layer, 1 to 10,000 in each of at most 10; none makes the score linear
        in the features.
    n_components : int in [1, 300], default=100
        Singular vectors of X that a network is trained on.
    n_epochs : int in [1, 100000], default=120
        Passes over the unlabeled samples, those of the warm-up among them.
    n_batches : int in [1, inf), default=10
        Mini-batches in a pass; fewer where they would hold less than 64 unlabeled samples, so that
        a small pile may need more passes.
    learning_rate : float in (0, inf), default=0.01
        Size of a step of Adam.
    alpha : float in [0, inf), default=0.005
        Weight of the penalty, half the squared weights. The root mean square length of the samples
        is the unit of X.
    random_state : int, RandomState instance or None, default=None
        Draws mini-batches, mixtures, singular vectors and the first weights of hidden layers.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    class_prior_ : float
        The class prior it was trained with.
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score g; of a network, on average over the
        training samples.
    intercept_ : float
        Score of an empty sample; without hidden layers only.
    weights_, biases_ : list of ndarray
        Layers of the network, the first of shape (n_features, n_units); with hidden layers only.
    offset_ : float
        The cut on the score g.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``class_prior`` and ``class_prior_source``, ``risk`` (without entropy
        and mixed samples) and ``n_iter`` (steps). The flag "prior_unknown" says that nothing tells
        the class prior, so that 0.1 was taken; "prior_clamped" that a given one was changed to
        leave a sample on each side; "outlying_length" that a sample is more than a hundred times as
        long as the median one.

    Notes
    -----
    The weights, ``mix_alpha`` and the numbers of passes are those of the authors' program [2]_. It
    differs in this: its risk is divided by ``2 pi``, beside the same weights; its warm-up has an
    entropy of weight 0.002; the weight then grows as ``1 - cos(pi t / 2)``, here as
    ``(1 - cos(pi t)) / 2``, t being the share of the other passes that is done; the entropy of
    mixed samples has the weight 0.04, here 0; and mixtures are held to what was predicted when
    their samples were met last, here to what is predicted now.

    References
    ----------
    .. [1] Y. Zhao, Q. Xu, Y. Jiang, P. Wen and Q. Huang, "Dist-PU: positive-unlabeled learning
       from a label distribution perspective", CVPR 2022.
    .. [2] https://github.com/Ray-rui/Dist-PU-Positive-Unlabeled-Learning-from-a-Label-Distribution-Perspective,
       ``train.py`` at cb74be1.

    Examples
    --------
    >>> from core.classifiers import DistPU
    >>> X = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    >>> y = [1, 1, 0, 0, 0]
    >>> DistPU(class_prior=1 / 3, random_state=0).fit(X, y).predict([[2, 1], [0, 3]])
    array([1, 0])
    """

    assumption = (
        "Which positives are labeled does not depend on their words, and the class prior is about "
        "right."
    )
    reference = "Zhao, Xu, Jiang, Wen and Huang, Dist-PU, CVPR 2022"
    bytes_per_entry = 4

    _parameter_constraints: dict = {
        **NetworkClassifier._parameter_constraints,
        "class_prior": [SHARE, None],
        **ClassPriorMixin._cut_constraints,
        "entropy_weight": [NOT_NEGATIVE],
        "mix_weight": [NOT_NEGATIVE],
        "mix_alpha": [ABOVE_ZERO],
        "n_warm_up_epochs": [AT_LEAST_ZERO],
    }

    def __init__(
        self,
        *,
        class_prior=None,
        cut="prior",
        entropy_weight=0.004,
        mix_weight=5.0,
        mix_alpha=6.0,
        n_warm_up_epochs=60,
        hidden_layer_sizes=(),
        n_components=100,
        n_epochs=120,
        n_batches=10,
        learning_rate=0.01,
        alpha=0.005,
        random_state=None,
        pos_label=None,
    ):
        self.class_prior = class_prior
        self.cut = cut
        self.entropy_weight = entropy_weight
        self.mix_weight = mix_weight
        self.mix_alpha = mix_alpha
        self.n_warm_up_epochs = n_warm_up_epochs
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
        self._train(X, is_positive, is_negative)
        g, groups = self._score_samples(X), self._groups(is_positive, is_negative)
        self.offset_ = self._risk_cut(g, X, ~(is_positive | is_negative))
        self.report_["risk"] = float(distribution_risk(g, groups, self.class_prior_)[0])

    def _draw_mix(self, groups, random):
        n_samples = sum(map(len, groups))
        share = random.beta(self.mix_alpha, self.mix_alpha)
        return Mix(share, np.arange(n_samples), random.permutation(n_samples))

    def _slopes(self, g, g_mixed, groups, mix, epoch):
        n_rest = self.n_epochs - self.n_warm_up_epochs
        done = (epoch - self.n_warm_up_epochs) / max(n_rest, 1)
        if done < 0:
            return distribution_risk(g, groups, self.class_prior_)[1], np.zeros_like(g_mixed)
        ramp = (1 - np.cos(np.pi * done)) / 2
        _, slopes = distribution_risk(
            g, groups, self.class_prior_, entropy_weight=ramp * self.entropy_weight
        )
        # What is predicted now is what mixtures are held to: a constant, not to be descended.
        target = expit(g)
        target[groups.positive], target[groups.negative] = 1, 0
        target = mix.share * target[mix.left] + (1 - mix.share) * target[mix.right]
        return slopes, self.mix_weight * (expit(g_mixed) - target) / len(target)
