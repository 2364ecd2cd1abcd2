"""VPU: a variational bound that needs no class prior."""

import numpy as np
from scipy.special import expit, log_expit, logit

from core.classifier_bases.network_classifier import NetworkClassifier
from core.kernels.linear.pu_risks import variational_risk
from core.kernels.networks.networks import Mix
from core.options import ABOVE_ZERO, NOT_NEGATIVE

#: Share of the training samples at or below the one whose Phi becomes 1.
TOP_QUANTILE = 0.999


class VPU(NetworkClassifier):
    """Variational positive-unlabeled learning (VPU), which needs no class prior.

    ``Phi = 1 / (1 + exp(-g))``, with a linear score g or a small network, minimises
    ``log mean_U Phi - mean_P log Phi``: the bound is tight where Phi is proportional to the
    probability of the positive class. Samples mixed from an unlabeled and a positive one keep it
    from overfitting: their Phi is to be the same mixture of that of the unlabeled one and of 1.

    Judged negatives take ``n_N / (n_N + max(n_P, n_N))`` of the weight of the first mean, as if
    more of the unlabeled samples, which are then without them, were like them.

    Parameters
    ----------
    mix_alpha : float in (0, inf), default=0.3
        Both parameters of the beta distribution that the share of a mixture is drawn from.
    mix_weight : float in [0, inf), default=1.0
        Weight of the mixed samples, times the share of the unlabeled one; 1 is as published.
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
        Size of a step of Adam.
    alpha : float in [0, inf), default=0.05
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
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score g; of a network, on average over the
        training samples.
    intercept_ : float
        Score of an empty sample; without hidden layers only.
    weights_, biases_ : list of ndarray
        Layers of the network, the first of shape (n_features, n_units); with hidden layers only.
    offset_ : float
        The cut: where Phi is half of ``phi_max_``.
    phi_max_ : float
        Phi of the best training samples, its 99.9 % quantile: Phi is known up to a factor only.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``risk`` (without mixed samples), ``phi_max`` and ``n_iter`` (steps).
        The flag "outlying_length" says that a sample is more than a hundred times as long as the
        median one.

    References
    ----------
    .. [1] H. Chen, F. Liu, Y. Wang, L. Zhao and H. Wu, "A variational approach for learning from
       positive and unlabeled data", NeurIPS 2020.

    Examples
    --------
    >>> from core.classifiers import VPU
    >>> X = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    >>> y = [1, 1, 0, 0, 0]
    >>> VPU(random_state=0).fit(X, y).predict([[2, 1], [0, 3]])
    array([1, 0])
    """

    assumption = (
        "Which positives are labeled does not depend on their words; some documents are certainly "
        "of the kind."
    )
    reference = "Chen, Liu, Wang, Zhao and Wu, A variational approach for PU data, NeurIPS 2020"
    bytes_per_entry = 2
    bytes_per_sample = 64
    bytes_per_feature = 64

    _parameter_constraints: dict = {
        **NetworkClassifier._parameter_constraints,
        "mix_alpha": [ABOVE_ZERO],
        "mix_weight": [NOT_NEGATIVE],
    }

    def __init__(
        self,
        *,
        mix_alpha=0.3,
        mix_weight=1.0,
        hidden_layer_sizes=(),
        n_components=100,
        n_epochs=100,
        n_batches=10,
        learning_rate=0.01,
        alpha=0.05,
        random_state=None,
        pos_label=None,
    ):
        self.mix_alpha = mix_alpha
        self.mix_weight = mix_weight
        self.hidden_layer_sizes = hidden_layer_sizes
        self.n_components = n_components
        self.n_epochs = n_epochs
        self.n_batches = n_batches
        self.learning_rate = learning_rate
        self.alpha = alpha
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self._train(X, is_positive, is_negative)
        g = self._score_samples(X)
        self.phi_max_ = float(expit(np.quantile(g, TOP_QUANTILE)))
        self.offset_ = float(logit(self.phi_max_ / 2))
        groups = self._groups(is_positive, is_negative)
        self.report_ |= {
            "risk": float(variational_risk(g, groups)[0]),
            "phi_max": self.phi_max_,
        }

    def _draw_mix(self, groups, random):
        share = random.beta(self.mix_alpha, self.mix_alpha)
        positive = random.choice(groups.positive, len(groups.unlabeled))
        return Mix(share, groups.unlabeled, positive)

    def _slopes(self, g, g_mixed, groups, mix, epoch):
        _, slopes = variational_risk(g, groups)
        _, left, mixed = mix_penalty(g[mix.left], g_mixed, mix.share)
        slopes[mix.left] += self.mix_weight * left
        return slopes, self.mix_weight * mixed

    has_probabilities = True

    def _own_probabilities(self, scores):
        positive = np.minimum(expit(scores) / self.phi_max_, 1)
        return np.column_stack([1 - positive, positive])


def mix_penalty(g, g_mixed, share):
    """Return ``share mean (log target - log Phi(g_mixed))²`` and its slopes by both scores.

    ``target = share Phi(g) + 1 - share`` is the mixture of Phi of an unlabeled sample and of that
    of a positive, 1.
    """
    phi = expit(g)
    target = share * phi + 1 - share
    distance = np.log(target) - log_expit(g_mixed)
    weight = 2 * share / len(g) * distance
    value = share * np.mean(distance**2)
    return value, weight * share * phi * (1 - phi) / target, -weight * expit(-g_mixed)
