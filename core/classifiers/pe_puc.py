"""PE-PUC: naive Bayes whose positives are enlarged by label propagation."""

import math
from numbers import Real

import numpy as np
from scipy.special import expit
from sklearn.utils import check_random_state

from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.naive_bayes import fit_soft_labels, log_odds_weights
from core.kernels.graphs.complete_graph import one_class_llgc
from core.kernels.rows.row_blocks import row_products, transposed_product
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.seen_columns import seen_columns
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.reliable_negatives import fallback_size, lowest, usable_rows
from core.options import ABOVE_ZERO, AT_LEAST_ONE, INNER_SHARE, SHARE_ABOVE_ZERO, Interval
from core.progress import report

#: The soft labels are settled when none changes by more.
EM_TOL = 1e-4


class PEPUC(LogOddsClassifier):
    """Positive examples enlarging for positive and unlabeled classification (PE-PUC).

    Naive Bayes of positives against the unlabeled finds candidates: unlabeled samples that it
    accepts. A label is propagated from half of the positives over the complete graph of them and
    the candidates, in some rounds, and the candidates that get most of it become positives. Naive
    Bayes of all positives against the rest then finds reliable negatives, and a last one learns
    from both. Judged negatives are always negative.

    The outline of the method leaves open which positives are halved in later rounds; here it is
    those of the round before.

    Parameters
    ----------
    expansion : float in (0, 1], default=0.7
        Share of the candidates that become positives; lambda in the paper.
    n_rounds : int in [1, inf), default=2
        Rounds of this expansion; m in the paper.
    alpha : float in (0, 1), default=0.99
        Share of the label that a sample takes from others.
    max_candidates : int in [1, inf), default=1000
        Most candidates, those that naive Bayes is surest of: time grows with their square.
    unlabeled_weight : float in [0, 1), default=0.0
        Weight of the unlabeled samples that are neither positive nor reliable negatives;
        expectation-maximisation learns their labels. 0 leaves them out.
    smoothing : float in (0, inf), default=1.0
        Added to the total of every term; 1 is Laplace's.
    max_iter : int in [1, inf), default=50
        Most iterations of expectation-maximisation.
    random_state : int, RandomState instance or None, default=None
        Draws the half of the positives that a label is propagated from.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What one occurrence of each term adds to the log-odds.
    intercept_ : float
        Log-odds of the shares of both classes.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    n_iter_ : int
        Fits of the last naive Bayes: 1 without expectation-maximisation.
    report_ : dict
        Facts about the fit: ``n_candidates``, ``n_reliable_positives`` (added ones),
        ``n_reliable_negatives``, ``n_iter`` and ``converged``. Flags: "rn_relaxed" where naive
        Bayes found no negative, so that those it found least positive were taken, "rn_all" where it
        took all unlabeled samples, "not_converged" where ``max_iter`` iterations were not enough.

    References
    ----------
    .. [1] S. Yu and C. Li, "PE-PUC: a graph based PU-learning approach for text classification",
       MLDM 2007.

    Examples
    --------
    >>> from core.classifiers import PEPUC
    >>> X = [[4, 1, 0], [4, 0, 0], [3, 1, 0], [1, 4, 0], [0, 5, 1], [0, 3, 3], [0, 1, 3]]
    >>> classifier = PEPUC(random_state=0).fit(X, [1, 1, 0, 0, 0, 0, 0])
    >>> classifier.predict([[3, 0, 0], [0, 0, 5]])
    array([1, 0])
    """

    representation = "counts"
    assumption = "Documents of the kind use like words, and naive Bayes finds some of them."
    reference = "Yu and Li, PE-PUC: a graph based PU-learning approach, MLDM 2007"
    bytes_per_entry = 8
    bytes_per_sample = 128
    bytes_per_feature = 112
    requires_non_negative = True

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "expansion": [SHARE_ABOVE_ZERO],
        "n_rounds": [AT_LEAST_ONE],
        "alpha": [INNER_SHARE],
        "max_candidates": [AT_LEAST_ONE],
        "unlabeled_weight": [Interval(Real, 0, 1, closed="left")],
        "smoothing": [ABOVE_ZERO],
        "max_iter": [AT_LEAST_ONE],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        expansion=0.7,
        n_rounds=2,
        alpha=0.99,
        max_candidates=1000,
        unlabeled_weight=0.0,
        smoothing=1.0,
        max_iter=50,
        random_state=None,
        pos_label=None,
    ):
        self.expansion = expansion
        self.n_rounds = n_rounds
        self.alpha = alpha
        self.max_candidates = max_candidates
        self.unlabeled_weight = unlabeled_weight
        self.smoothing = smoothing
        self.max_iter = max_iter
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        is_seed, is_other = usable_rows(X, is_positive)
        is_judged = is_other & is_negative
        is_free = is_other & ~is_negative
        scores = self._scores(X, is_seed, is_other)
        is_candidate = lowest(-scores, is_free & (scores >= 0), self.max_candidates)
        is_enlarged = self._enlarge(X, is_seed, is_candidate)

        is_left = is_free & ~is_enlarged
        scores = self._scores(X, is_enlarged, is_left | is_judged)
        is_reliable = is_left & (scores < 0)
        if not (is_reliable | is_judged).any():
            self.add_flag("rn_relaxed")
            size = fallback_size(int(is_seed.sum()), int(is_free.sum()))
            # Some round may have made positives of all: then the least sure ones come back.
            is_reliable = lowest(scores, is_left if is_left.any() else is_free, size)
            is_enlarged &= ~is_reliable
        if is_free.any() and (is_reliable == is_free).all():
            self.add_flag("rn_all")
        self.report_.update(
            n_candidates=int(is_candidate.sum()),
            n_reliable_positives=int(is_enlarged.sum() - is_seed.sum()),
            n_reliable_negatives=int(is_reliable.sum()),
        )
        self._fit_last(X, is_enlarged, is_reliable | is_judged, is_left & ~is_reliable)
        self.offset_ = 0.0

    def _scores(self, X, is_positive, is_other):
        """Return the log-odds of all rows by naive Bayes of one mask against the other."""
        if not is_other.any():
            return np.zeros(X.shape[0])
        rows = is_positive | is_other
        coef, intercept = fit_soft_labels(X[rows], is_positive[rows], self.smoothing)
        return row_products(X, coef) + intercept

    def _enlarge(self, X, is_seed, is_candidate):
        """Return the mask of the positives and of the candidates that become positive."""
        random, order = check_random_state(self.random_state), content_order(X, is_seed)
        is_enlarged = is_seed.copy()
        # A product such as 0.55 * 100 exceeds its whole number by a rounding error.
        n_added = math.ceil(self.expansion / self.n_rounds * is_candidate.sum() - 1e-9)
        n_added = max(1, n_added)
        for round_number in range(self.n_rounds):
            report("enlarge", round_number / self.n_rounds)
            positives = order[is_enlarged[order]]
            half = random.permutation(positives)[: max(1, len(positives) // 2)]
            left = order[(is_candidate & ~is_enlarged)[order]]
            if not len(left):
                break
            rows = np.append(half, left)
            is_labeled = np.arange(len(rows)) < len(half)
            label = one_class_llgc(unit_rows(X[rows]), is_labeled, self.alpha)[len(half) :]
            is_enlarged[left[np.argsort(-label, kind="stable")[:n_added]]] = True
        return is_enlarged

    def _fit_last(self, X, is_positive, is_negative, is_free):
        self.n_iter_, change = 1, 0.0
        posterior = is_positive.astype(np.float64)
        is_term = seen_columns(X)
        weights = (is_positive | is_negative).astype(np.float64)
        self._fit_weighted(X, posterior, weights, is_term)
        if self.unlabeled_weight and is_free.any():
            weights = np.where(is_free, self.unlabeled_weight, is_positive | is_negative)
            for n_iter in range(1, self.max_iter + 1):
                report("expectation-maximization", n_iter / self.max_iter)
                self.n_iter_ = 1 + n_iter
                update = expit(self._score_samples(X[is_free]))
                change = np.abs(update - posterior[is_free]).max()
                posterior[is_free] = update
                self._fit_weighted(X, posterior, weights, is_term)
                if change < EM_TOL:
                    break
        self.report_.update(n_iter=self.n_iter_, converged=bool(change < EM_TOL))
        if change >= EM_TOL:
            self.flag_not_converged(self.n_iter_)

    def _fit_weighted(self, X, posterior, weights, is_term):
        positive, negative = weights * posterior, weights * (1 - posterior)
        counts = transposed_product(X, positive), transposed_product(X, negative)
        self.coef_ = log_odds_weights(*counts, self.smoothing, is_term)
        self.intercept_ = float(np.log(positive.sum()) - np.log(negative.sum()))
