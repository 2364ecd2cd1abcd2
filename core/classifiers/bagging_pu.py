"""Bagging PU: the mean of many classifiers, each against a small sample of the unlabeled."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight

from core.calibration.prior_cut import prior_cut
from core.classifier_bases.linear import LinearClassifier
from core.kernels.convergence import tell_not_converged, unconverged
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.linear.squared_hinge_svm import fit_svm
from core.kernels.rows.row_blocks import has_entries, row_products
from core.kernels.rows.row_hash import content_order
from core.options import ABOVE_ZERO, AT_LEAST_ONE, REPEATS, SHARE, StrOptions
from core.progress import report

#: Size of the samples where there is a single positive: by the usual rule it would be one.
MIN_SIZE_ONE_POSITIVE = 10

#: Tolerance of each logistic regression, far below what the samples make the weights differ by.
TOL = 1e-4


class BaggingPU(LinearClassifier):
    """Bagging for positive and unlabeled learning.

    Trains linear classifiers, each of all positives against a small bootstrap sample of the
    unlabeled, which holds few hidden positives or none. An unlabeled sample of the training set is
    scored by the mean over those that were trained without it; any other by the mean over all.
    Each classifier is scaled to weights of unit length first, so that all count alike. Judged
    negatives are in every sample.

    Parameters
    ----------
    n_estimators : int in [1, 100000], default=100
        Number of classifiers; half as many are enough for a ranking.
    max_samples : int in [1, inf), default=None
        Unlabeled samples that each classifier is trained on, at most as many as there are. None
        means as many as there are positives, or ten for a single positive.
    learner : {"logistic", "svm"}, default="logistic"
        Logistic regression or a linear support vector machine.
    C : float in (0, inf), default=1.0
        How much errors count against the length of the weights.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples. If given, the cut accepts that share of
        them; if not, the cut is 0.
    random_state : int, RandomState instance or None, default=None
        Seed of the samples.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        Mean of the weights.
    intercept_ : float
        Score of an empty sample.
    transduction_ : ndarray of shape (n_samples,)
        Labels of the training samples; labeled positives stay so.
    transduction_scores_ : ndarray of shape (n_samples,)
        Scores of the training samples, for the unlabeled from classifiers that did not see them:
        equal samples were left out by different ones, so their scores may differ.
    offset_ : float
        The cut on the score.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``max_samples`` as used, ``least_out_of_bag``, the fewest classifiers
        that any unlabeled sample was scored by. The flag "always_in_bag" says that some were in
        every sample and are scored by classifiers that saw them.

    References
    ----------
    .. [1] F. Mordelet and J.-P. Vert, "A bagging SVM to learn from positive and unlabeled
       examples", Pattern Recognition Letters 37, 2014. The size of the samples is as remembered,
       not verified.

    Examples
    --------
    >>> from core.classifiers import BaggingPU
    >>> X = [[1, 1, 0], [1, 0, 0], [2, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 2]]
    >>> classifier = BaggingPU(random_state=0).fit(X, [1, 1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    assumption = "A small sample of the pile holds few documents of the kind."
    reference = "Mordelet and Vert, A bagging SVM to learn from PU examples, 2014"
    bytes_per_sample = 128
    is_transductive = True

    _parameter_constraints: dict = {
        **LinearClassifier._parameter_constraints,
        "n_estimators": [REPEATS],
        "max_samples": [AT_LEAST_ONE, None],
        "learner": [StrOptions({"logistic", "svm"})],
        "C": [ABOVE_ZERO],
        "class_prior": [SHARE, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        n_estimators=100,
        max_samples=None,
        learner="logistic",
        C=1.0,
        class_prior=None,
        random_state=None,
        pos_label=None,
    ):
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.learner = learner
        self.C = C
        self.class_prior = class_prior
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        has_terms = has_entries(X)
        order = content_order(X, is_positive, is_negative)
        is_labeled = (is_positive | is_negative)[order]
        always = order[is_labeled & has_terms[order]]
        unlabeled = order[~is_labeled & has_terms[order]]
        n_positive = int((is_positive & has_terms).sum())
        size = self._size(n_positive, len(unlabeled)) if len(unlabeled) else 0
        bags = self._bags(unlabeled, size)
        n_out = self._average(X, is_positive, always, bags)

        self.offset_ = 0.0
        if self.class_prior is not None and len(unlabeled):
            scores = self.transduction_scores_[unlabeled]
            n_unlabeled = self.report_["n_unlabeled"]
            self.offset_ = prior_cut(scores, self._clamped_prior(n_unlabeled), n_unlabeled)
        least = int(n_out[unlabeled].min(initial=self.n_estimators))
        if least == 0:
            self.add_flag("always_in_bag")
        self.report_.update(max_samples=size, least_out_of_bag=least)

    def _size(self, n_positive, n_unlabeled):
        if self.max_samples is not None:
            return min(int(self.max_samples), n_unlabeled)
        return n_positive if n_positive > 1 else MIN_SIZE_ONE_POSITIVE

    def _bags(self, unlabeled, size):
        """Yield the rows of each bootstrap sample, each from a seed of its own."""
        random = check_random_state(self.random_state)
        for seed in random.randint(np.iinfo(np.int32).max, size=self.n_estimators):
            yield unlabeled[np.random.RandomState(seed).randint(len(unlabeled), size=size)]

    def _average(self, X, is_positive, always, bags):
        """Fit and average the classifiers; return by how many each row was not seen."""
        fits = Parallel(return_as="generator", prefer="threads")(
            delayed(_fit_bag)(X, is_positive, np.append(always, bag), bag, self.learner, self.C)
            for bag in bags
        )
        n_samples = X.shape[0]
        self.coef_, self.intercept_ = np.zeros(X.shape[1]), 0.0
        total, n_out = np.zeros(n_samples), np.zeros(n_samples, dtype=int)
        for number, (coef, intercept, bag, messages) in enumerate(fits, start=1):
            for message in messages:
                tell_not_converged(message)
            self.coef_ += coef / self.n_estimators
            self.intercept_ += intercept / self.n_estimators
            is_out = np.ones(n_samples, dtype=bool)
            is_out[always] = is_out[bag] = False
            total += np.where(is_out, row_products(X, coef, is_out) + intercept, 0)
            n_out += is_out
            report("fit", number / self.n_estimators)
        in_bag = self._score_samples(X)
        self.transduction_scores_ = np.where(n_out > 0, total / np.maximum(n_out, 1), in_bag)
        return n_out


def _fit_bag(X, is_positive, rows, bag, learner, C):
    """Return weights of unit length, their intercept, the bag, and what did not converge."""
    labels = is_positive[rows]
    weights = compute_sample_weight("balanced", labels)
    # Nobody listens in another thread or process: the caller is told by what is returned.
    with unconverged() as messages:
        if learner == "svm":
            coef, intercept = fit_svm(X[rows], labels, weights, C=C)
        else:
            coef, intercept = fit_soft_logistic(X[rows], labels, weights, C=C, tol=TOL)
    length = float(np.sqrt((coef**2).sum())) or 1.0
    return coef / length, intercept / length, bag, messages
