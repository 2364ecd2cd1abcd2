"""Spy-EM: positives hidden among the unlabeled samples tell which of these are negative."""

from collections import deque
from numbers import Real

import numpy as np
from sklearn.utils import check_random_state

from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.naive_bayes import expectation_maximization, scale_rows
from core.kernels.rows.row_hash import content_order
from core.kernels.two_step.reliable_negatives import fallback_size, lowest, usable_rows
from core.options import (
    ABOVE_ZERO,
    AT_LEAST_ONE,
    INNER_SHARE,
    NOT_NEGATIVE,
    SHARE,
    Interval,
    StrOptions,
)

#: With fewer positives than this, one draw of spies says little.
ENOUGH_FOR_ONE_DRAW = 10
#: Draws that are made then; the one with the median threshold is taken.
N_DRAWS = 5
#: Noise level where no unlabeled sample scores below the spies.
RELAXED_NOISE = 0.3


class SpyEM(LogOddsClassifier):
    """Spy technique with expectation-maximization (S-EM), or the latter alone (I-EM).

    Some positives are put among the unlabeled samples as spies, and naive Bayes with soft labels
    is trained on that. Unlabeled samples that score below nearly all spies are reliable negatives;
    from them and all positives EM starts again. The last iteration before the estimated error grows
    is kept. As remembered, not verified: the defaults and the details of the second step.

    Parameters
    ----------
    method : {"s-em", "i-em"}, default="s-em"
        With spies, or EM that starts with all unlabeled samples as negatives.
    spy_ratio : float in (0, 1), default=0.15
        Share of the positives that become spies; at least one does, and one does not.
    noise_level : float in [0, 1), default=0.15
        Share of the spies that may score below the threshold.
    smoothing : float in (0, inf), default=0.1
        Added to the total of every term; 1 is Laplace's, which hides rare terms.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, used to weigh rejected positives in the
        stopping rule; None takes the share the first iteration accepts.
    max_iter : int in [1, inf), default=20
        Largest number of iterations of each EM.
    tol : float in [0, inf), default=1e-3
        An EM has converged when no probability changes by more.
    max_unlabeled_ratio : float in [1, inf), default=None
        Most unlabeled samples per positive to learn from, drawn at random; None means all of them.
    length_normalize : bool, default=False
        Whether the final sum over the terms is divided by the length of the text; otherwise long
        ones get extreme scores.
    random_state : int, RandomState instance or None, default=None
        Seed of the spies and of that draw.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What one occurrence of each term adds to the log-odds.
    intercept_ : float
        Log-odds of the share of positives.
    n_iter_ : int
        The iteration that was kept, from 1.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_spies``, ``spy_threshold`` on the log-odds and
        ``n_reliable_negatives`` (S-EM only), ``n_iter`` and ``stop``, one of "delta" (the error
        would grow), "converged" and "max_iter". Flags: "rn_relaxed" where no sample scored below
        the spies, "rn_all" where all did, "not_converged" where ``max_iter`` ended it.

    References
    ----------
    .. [1] B. Liu, W. S. Lee, P. S. Yu and X. Li, "Partially supervised classification of text
       documents", ICML 2002.

    Examples
    --------
    >>> from core.classifiers import SpyEM
    >>> X = [[3, 1, 0], [2, 0, 0], [1, 1, 0], [2, 1, 0], [3, 0, 0], [0, 1, 4], [0, 0, 3]]
    >>> classifier = SpyEM(random_state=0).fit(X, [1, 1, 1, 1, 0, 0, 0])
    >>> classifier.predict([[2, 0, 0], [0, 1, 2]])
    array([1, 0])
    """

    representation = "counts"
    assumption = "Positives were labeled completely at random, and each kind has words of its own."
    reference = "Liu, Lee, Yu and Li, Partially supervised classification of text, ICML 2002"
    bytes_per_entry = 16
    bytes_per_sample = 128
    bytes_per_feature = 112
    requires_non_negative = True

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "method": [StrOptions({"s-em", "i-em"})],
        "spy_ratio": [INNER_SHARE],
        "noise_level": [Interval(Real, 0, 1, closed="left")],
        "smoothing": [ABOVE_ZERO],
        "class_prior": [SHARE, None],
        "max_iter": [AT_LEAST_ONE],
        "tol": [NOT_NEGATIVE],
        "max_unlabeled_ratio": [Interval(Real, 1, None, closed="left"), None],
        "length_normalize": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        method="s-em",
        spy_ratio=0.15,
        noise_level=0.15,
        smoothing=0.1,
        class_prior=None,
        max_iter=20,
        tol=1e-3,
        max_unlabeled_ratio=None,
        length_normalize=False,
        random_state=None,
        pos_label=None,
    ):
        self.method = method
        self.spy_ratio = spy_ratio
        self.noise_level = noise_level
        self.smoothing = smoothing
        self.class_prior = class_prior
        self.max_iter = max_iter
        self.tol = tol
        self.max_unlabeled_ratio = max_unlabeled_ratio
        self.length_normalize = length_normalize
        self.random_state = random_state
        self.pos_label = pos_label

    @property
    def min_positives(self):
        """Fewest positives that are not empty: spies need company."""
        return 4 if self.method == "s-em" else 1

    def _fit(self, X, is_positive, is_negative):
        random, prior = check_random_state(self.random_state), self.class_prior
        if prior is not None:
            _, is_other = usable_rows(X, is_positive)
            prior = self._prior_among_used(int((is_other & ~is_negative).sum()))
        rows = self._rows(X, is_positive, is_negative, random)
        X, is_positive, is_negative = X[rows], is_positive[rows], is_negative[rows]
        is_unlabeled = ~(is_positive | is_negative)
        is_first = None
        if self.method == "s-em":
            is_reliable = self._reliable_negatives(X, is_positive, is_unlabeled, random)
            is_first = is_positive | is_negative | is_reliable
        steps = self._iterations(X, is_positive, is_unlabeled, is_first)
        self.coef_, self.intercept_ = self._best(steps, is_positive, is_unlabeled, prior)
        self.offset_ = 0.0

    def _rows(self, X, is_positive, is_negative, random):
        """Return the numbers of the rows to learn from: none is empty."""
        has_label, is_other = usable_rows(X, is_positive)
        order = content_order(X, is_positive, is_negative)
        unlabeled = order[(is_other & ~is_negative)[order]]
        others = order[(has_label | (is_other & is_negative))[order]]
        if self.max_unlabeled_ratio is not None:
            n_most = int(
                min(self.max_unlabeled_ratio * int(has_label.sum()) + 1e-9, len(unlabeled))
            )
            unlabeled = random.permutation(unlabeled)[:n_most]
        return np.concatenate([others, unlabeled])

    def _iterations(self, X, is_positive, is_free, is_first=None):
        return expectation_maximization(
            X,
            is_positive,
            is_free,
            smoothing=self.smoothing,
            is_first=is_first,
            max_iter=self.max_iter,
            tol=self.tol,
        )

    def _reliable_negatives(self, X, is_positive, is_unlabeled, random):
        """Return the mask of the unlabeled rows that score below the spies."""
        positives = np.flatnonzero(is_positive)
        n_spies = min(max(1, int(self.spy_ratio * len(positives) + 1e-9)), len(positives) - 1)
        draws = []
        for _ in range(1 if len(positives) >= ENOUGH_FOR_ONE_DRAW else N_DRAWS):
            spies = random.choice(positives, n_spies, replace=False)
            is_spy = np.zeros(len(is_positive), dtype=bool)
            is_spy[spies] = True
            steps = self._iterations(X, is_positive & ~is_spy, is_unlabeled | is_spy)
            _, _, scores, _ = deque(steps, maxlen=1).pop()
            draws.append(
                (spy_threshold(scores[spies], self.noise_level), len(draws), scores, spies)
            )
        threshold, _, scores, spies = sorted(draws, key=lambda draw: draw[:2])[len(draws) // 2]
        self.report_["n_spies"] = n_spies
        self.report_["spy_threshold"] = threshold
        is_reliable = self._below(threshold, scores, spies, is_positive, is_unlabeled)
        self.report_["n_reliable_negatives"] = int(is_reliable.sum())
        return is_reliable

    def _below(self, threshold, scores, spies, is_positive, is_unlabeled):
        is_reliable = is_unlabeled & (scores < threshold)
        if not is_reliable.any():
            self.add_flag("rn_relaxed")
            threshold = spy_threshold(scores[spies], max(self.noise_level, RELAXED_NOISE))
            is_reliable = is_unlabeled & (scores < threshold)
        if not is_reliable.any():
            n_lowest = fallback_size(int(is_positive.sum()), int(is_unlabeled.sum()))
            is_reliable = lowest(scores, is_unlabeled, n_lowest)
        if is_reliable.sum() == is_unlabeled.sum():
            self.add_flag("rn_all")
        return is_reliable

    def _best(self, steps, is_positive, is_unlabeled, prior):
        """Return the weights of the last iteration before the estimated error grows."""
        before = None
        self.report_["stop"] = "max_iter"
        for n_iter, (coef, intercept, scores, is_settled) in enumerate(steps, 1):
            accepted = scores[is_unlabeled] >= 0
            shares = (accepted.mean() if len(accepted) else 0.0, (scores[is_positive] < 0).mean())
            prior = shares[0] if prior is None else prior
            # Shares of the same error differ in their last bit.
            if before is not None and error_change(before, shares, prior) > 1e-12:
                self.report_["stop"] = "delta"
                break
            best, before, self.n_iter_ = (coef, intercept), shares, n_iter
            if is_settled:
                self.report_["stop"] = "converged"
        self.report_["n_iter"] = self.n_iter_
        if self.report_["stop"] == "max_iter":
            self.flag_not_converged(self.n_iter_)
        return best

    def _terms(self, X):
        return scale_rows(X, length_normalize=self.length_normalize)


def spy_threshold(scores, noise_level):
    """Return the score below which the given share of the spies falls, rounded down."""
    # A product such as 0.7 * 90 falls short of its whole number by a rounding error.
    n_below = min(int(noise_level * len(scores) + 1e-9), len(scores) - 1)
    return float(np.sort(scores)[n_below])


def error_change(before, after, class_prior):
    """Return by how much the error grew, but for the unknown share of positives, which is constant.

    Parameters
    ----------
    before, after : tuple of two floats in [0, 1]
        Share of the unlabeled samples accepted, share of the labeled positives rejected.
    class_prior : float in [0, 1]
        Share of positives.

    Returns
    -------
    float
        Above 0 where it grew.

    Examples
    --------
    >>> from core.classifiers.spy_em import error_change
    >>> round(error_change((0.25, 0.05), (0.30, 0.10), 0.25), 6)
    0.075
    """
    return (after[0] - before[0]) + 2 * (after[1] - before[1]) * class_prior
