"""Elkan-Noto: a classifier of labels, corrected for the positives without one."""

import numpy as np
from scipy.special import logit
from sklearn.utils import check_random_state

from core.class_prior.conversion import label_frequency_from_prior
from core.classifier_bases.linear import LinearClassifier
from core.errors import BadParameter, NoUnlabeled
from core.kernels.linear.cross_fit import cross_fitted_probabilities
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.rows.row_hash import content_order
from core.options import ABOVE_ZERO, AT_LEAST_TWO, SHARE, StrOptions

#: Probabilities of a label stay this far from 0 and 1.
MARGIN = 1e-6


class ElkanNoto(LinearClassifier):
    """Elkan and Noto's correction for labels missing completely at random.

    A logistic regression learns g, the probability that a sample is labeled, from positives
    against everything else. Its mean over positives left out of training is the label frequency
    c, and g / c the probability of being positive. A second regression can learn from that: an
    unlabeled sample enters it as positive by the probability it still has, and as negative by the
    rest.

    Parameters
    ----------
    variant : {"weighted", "divided", "case_control"}, default="weighted"
        "weighted" trains the second regression; "divided" takes g / c. "case_control" is for
        positives that were collected apart from the unlabeled samples, not picked out of them: it
        multiplies the odds of g by ``class_prior``, which must be given, and ``n_U / n_P``.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples. Where given, the label frequency follows
        from it instead of being estimated.
    n_folds : int in [2, inf), default=5
        Parts that are left out of training in turn, at most one per positive.
    C : float in (0, inf), default=10.0
        How much the likelihood counts against the length of the weights. Where it counts for
        little, g hardly differs between samples: too many are taken for positive.
    random_state : int, RandomState instance or None, default=None
        Seed of the parts.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What each feature adds to the log-odds: of being positive ("weighted"), or labeled.
    intercept_ : float
        Log-odds of an empty sample.
    log_scale_ : float
        Logarithm of what turns the probability ("divided") or the odds ("case_control") of being
        labeled into the probability of being positive; 0 for "weighted".
    offset_ : float
        The cut on the log-odds, where the probability of being positive is one half.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``label_frequency`` c, its ``label_frequency_error`` (standard error,
        0 where it was given), and ``class_prior``, the estimated share of positives among the
        unlabeled samples; judged negatives are none of these.

    References
    ----------
    .. [1] C. Elkan and K. Noto, "Learning classifiers from only positive and unlabeled data", KDD
       2008, sections 2 (estimator e1) and 3. doi:10.1145/1401890.1401920

    Examples
    --------
    >>> from core.classifiers import ElkanNoto
    >>> X = [[1, 1, 0], [1, 0, 0], [2, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 2]]
    >>> classifier = ElkanNoto(random_state=0).fit(X, [1, 1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    assumption = "Positives were labeled completely at random."
    reference = "Elkan and Noto, Learning classifiers from only positive and unlabeled data, 2008"
    bytes_per_entry = 4
    bytes_per_sample = 128
    bytes_per_feature = 112
    min_positives = 2

    _parameter_constraints: dict = {
        **LinearClassifier._parameter_constraints,
        "variant": [StrOptions({"weighted", "divided", "case_control"})],
        "class_prior": [SHARE, None],
        "n_folds": [AT_LEAST_TWO],
        "C": [ABOVE_ZERO],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        variant="weighted",
        class_prior=None,
        n_folds=5,
        C=10.0,
        random_state=None,
        pos_label=None,
    ):
        self.variant = variant
        self.class_prior = class_prior
        self.n_folds = n_folds
        self.C = C
        self.random_state = random_state
        self.pos_label = pos_label

    def _validate_params(self):
        super()._validate_params()
        if self.variant == "case_control" and self.class_prior is None:
            raise BadParameter(
                'variant="case_control" needs class_prior, got None.', "variant", "class_prior"
            )

    def _fit(self, X, is_positive, is_negative):
        if self.variant == "case_control":
            self._fit_case_control(X, is_positive, is_negative)
            return
        is_unlabeled = ~(is_positive | is_negative)
        labeled = cross_fitted_probabilities(
            X,
            is_positive,
            n_folds=self.n_folds,
            C=self.C,
            random=check_random_state(self.random_state),
            order=content_order(X, is_positive, is_negative),
        )
        label_frequency = self._label_frequency(labeled, is_positive, int(is_unlabeled.sum()))
        weights = hidden_positive_weights(labeled[is_unlabeled], label_frequency)
        targets = is_positive.astype(np.float64)
        if self.variant == "weighted":
            targets[is_unlabeled] = weights
            self.log_scale_ = self.offset_ = 0.0
        else:
            self.log_scale_ = -float(np.log(label_frequency))
            # g > c / 2
            self.offset_ = float(logit(label_frequency / 2))
        self.coef_, self.intercept_ = fit_soft_logistic(X, targets, C=self.C)
        self.report_["class_prior"] = float(weights.sum() / max(1, is_unlabeled.sum()))

    def _fit_case_control(self, X, is_positive, is_negative):
        # Judged negatives are no sample of the unlabeled, so they cannot enter the odds.
        rows = ~is_negative
        if is_positive[rows].all():
            raise NoUnlabeled("every unlabeled sample was judged negative: none is left.")
        self.coef_, self.intercept_ = fit_soft_logistic(X[rows], is_positive[rows], C=self.C)
        n_positive, n_unlabeled = is_positive.sum(), (rows & ~is_positive).sum()
        class_prior = self._clamped_prior(n_unlabeled)
        self.log_scale_ = float(np.log(class_prior * n_unlabeled / n_positive))
        self.offset_ = float(np.log(0.5)) - self.log_scale_
        self.report_["class_prior"] = class_prior

    def _label_frequency(self, labeled, is_positive, n_unlabeled):
        seen = labeled[is_positive & (labeled > 0)]
        error = 0.0
        if self.class_prior is None:
            label_frequency = float(seen.mean())
            error = float(seen.std(ddof=1) / np.sqrt(len(seen))) if len(seen) > 1 else 0.0
        else:
            class_prior = self._clamped_prior(n_unlabeled)
            n_positive = int(is_positive.sum())
            label_frequency = label_frequency_from_prior(class_prior, n_positive, n_unlabeled)
        label_frequency = min(1.0, max(MARGIN, label_frequency))
        self.report_.update(label_frequency=label_frequency, label_frequency_error=error)
        return label_frequency

    has_probabilities = True

    def _own_probabilities(self, scores):
        log_labeled = scores if self.variant == "case_control" else -np.logaddexp(0, -scores)
        positive = np.exp(np.minimum(0, log_labeled + self.log_scale_))
        return np.column_stack([1 - positive, positive])


def hidden_positive_weights(labeled, label_frequency):
    """Return the probability that an unlabeled sample is positive.

    Parameters
    ----------
    labeled : ndarray of shape (n_unlabeled,)
        Probability that a sample like it is labeled; g in the paper.
    label_frequency : float in (0, 1]
        Probability that a positive is labeled; c in the paper.

    Returns
    -------
    ndarray of shape (n_unlabeled,)
        In [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from core.classifiers.elkan_noto import hidden_positive_weights
    >>> hidden_positive_weights(np.array([0.25, 0.1, 0.4]), 0.5).round(4).tolist()
    [0.3333, 0.1111, 0.6667]
    """
    labeled = np.clip(labeled, MARGIN, 1 - MARGIN)
    odds = labeled / (1 - labeled)
    return np.clip((1 - label_frequency) / label_frequency * odds, 0, 1)
