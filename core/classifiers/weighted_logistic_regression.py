"""Weighted logistic regression: positives and unlabeled samples count alike."""

import numpy as np
from sklearn.utils import check_random_state

from core.calibration.prior_cut import cut_below, prior_cut
from core.classifier_bases.held_out import (
    N_SPLITS,
    best_held_out_cut,
    held_out_splits,
    mean_lee_liu,
)
from core.classifier_bases.linear import LinearClassifier
from core.errors import BadParameter, NoUnlabeled
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.rows.row_blocks import has_entries, row_products
from core.kernels.rows.row_hash import content_order, known_and_drawn
from core.options import ABOVE_ZERO, AT_LEAST_ONE, SHARE, StrOptions
from core.progress import report

#: Strengths of the likelihood that are tried; the smallest is kept among equals.
GRID = (100.0, 10.0, 1.0, 0.1, 0.01)
#: The strength that is taken where none accepts a held-out positive.
DEFAULT_C = 1.0


class WeightedLogisticRegression(LinearClassifier):
    """Logistic regression with weights, its penalty chosen without negatives.

    Positives count n_U / n each and all others n_P / n, so that both sides weigh the same. The
    score is the logarithm of how much more frequent such a sample is among positives than among
    the unlabeled. Penalty and cut go by the best Lee-Liu score over held-out samples, recall
    squared over the share that is accepted. Judged negatives count like positives.

    Parameters
    ----------
    C : float in (0, inf), default=None
        How much the likelihood counts against the length of the weights; None chooses among 0.01,
        0.1, 1, 10 and 100.
    cut : {"lee_liu", "balanced", "prior", "posterior"}, default="lee_liu"
        "lee_liu" accepts as large a share of the others as the best cuts on held-out samples do, on
        average over five splits. "balanced" is 0, as published: from there on samples are more
        likely positive than on average. With ``class_prior``, "prior" accepts that share of the
        unlabeled training samples, and "posterior" what is as likely as not.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples; only the cuts "prior" and "posterior"
        read it.
    max_unlabeled : int in [1, inf), default=None
        Most unlabeled samples to learn from, drawn at random; None means all. All are scored. On
        160,000 tweets, a twentieth of them was as good as all.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw, and of the split into samples to train on and to judge by.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What each feature adds to the score.
    intercept_ : float
        Score of an empty sample.
    offset_ : float
        The cut on the score.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``C`` and, where it was chosen, its ``lee_liu`` on held-out samples.
        Flags: "grid_edge" where it is the first or last of those tried, "selection_failed" where
        none of them accepted a held-out positive and 1 was taken.

    References
    ----------
    .. [1] W. S. Lee and B. Liu, "Learning with positive and unlabeled examples using weighted
       logistic regression", ICML 2003.

    Examples
    --------
    >>> from core.classifiers import WeightedLogisticRegression
    >>> X = [[1, 1, 0], [1, 0, 0], [2, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 2]]
    >>> classifier = WeightedLogisticRegression(C=1, cut="balanced")
    >>> classifier.fit(X, [1, 1, 1, 0, 0, 0, 0]).predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    assumption = "Positives were labeled completely at random."
    reference = "Lee and Liu, Learning with PU examples using weighted logistic regression, 2003"
    bytes_per_entry = 9
    bytes_per_sample = 128
    bytes_per_feature = 112
    min_positives = 2

    _parameter_constraints: dict = {
        **LinearClassifier._parameter_constraints,
        "C": [ABOVE_ZERO, None],
        "cut": [StrOptions({"lee_liu", "balanced", "prior", "posterior"})],
        "class_prior": [SHARE, None],
        "max_unlabeled": [AT_LEAST_ONE, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        C=None,
        cut="lee_liu",
        class_prior=None,
        max_unlabeled=None,
        random_state=None,
        pos_label=None,
    ):
        self.C = C
        self.cut = cut
        self.class_prior = class_prior
        self.max_unlabeled = max_unlabeled
        self.random_state = random_state
        self.pos_label = pos_label

    def _validate_params(self):
        super()._validate_params()
        if self.cut in ("prior", "posterior") and self.class_prior is None:
            raise BadParameter(
                f'cut="{self.cut}" needs class_prior, got None.', "cut", "class_prior"
            )

    def _fit(self, X, is_positive, is_negative):
        is_known, is_used = is_positive | is_negative, has_entries(X)
        random = check_random_state(self.random_state)
        masks = is_used & is_known, is_used & ~is_known
        drawn = known_and_drawn(X, *masks, self.max_unlabeled, random)
        Z = X if len(drawn) == X.shape[0] else X[drawn]
        labels, known = is_positive[drawn], is_known[drawn]
        order = content_order(Z, labels, known)
        splits = held_out_splits(labels, order=order, random_state=self.random_state)
        C = self._choose_C(Z, labels, known, splits) if self.C is None else self.C
        self.report_["C"] = float(C)
        self.coef_, self.intercept_ = _fit_balanced(Z, labels, known, C)
        if self.cut == "lee_liu":
            self.offset_ = float(self._lee_liu_cut(Z, labels, known, order, C))
        else:
            self.offset_ = float(self._cut_by_prior(X, is_used & ~is_known))

    def _choose_C(self, X, is_positive, is_known, splits):
        values = []
        for number, C in enumerate(GRID):
            report("choose", number / len(GRID))
            values.append(mean_lee_liu(_scorer(X, is_positive, is_known, C), is_positive, splits))
        best = len(GRID) - 1 - int(np.argmax(values[::-1]))
        self.report_["lee_liu"] = values[best]
        if values[best] == 0:
            self.add_flag("selection_failed")
            return DEFAULT_C
        if best in (0, len(GRID) - 1):
            self.add_flag("grid_edge")
        return GRID[best]

    def _cut_by_prior(self, X, is_unlabeled):
        if self.cut == "balanced":
            return 0.0
        if self.cut == "posterior":
            # g / (1 - g) > 1 / (2 pi_U)
            return -np.log(2 * self._prior_among_used(int(is_unlabeled.sum())))
        if not is_unlabeled.any():
            raise NoUnlabeled("every unlabeled sample was judged negative: none is left.")
        scores = self._score_samples(X)[is_unlabeled]
        n_unlabeled = self.report_["n_unlabeled"]
        return prior_cut(scores, self._clamped_prior(n_unlabeled), n_unlabeled)

    def _lee_liu_cut(self, X, is_positive, is_known, order, C):
        score = _scorer(X, is_positive, is_known, C)
        shares = list(self._held_out_shares(score, is_positive, order))
        scores = np.sort(self._score_samples(X[~is_positive]))
        n_accepted = max(1, round(np.mean(shares) * len(scores)))
        return cut_below(scores, scores[-n_accepted])

    def _held_out_shares(self, score, is_positive, order):
        """Yield the share of the others that the best cut on held-out samples accepts.

        One cut hangs on a handful of positives, and scores of trainings differ in scale: shares of
        several can be averaged.
        """
        options = {"n_splits": N_SPLITS, "random_state": self.random_state}
        for training, held_out in held_out_splits(is_positive, order=order, **options):
            scores, is_one = score(training, held_out), is_positive[held_out]
            yield np.mean(scores[~is_one] >= best_held_out_cut(scores, is_one))


def _scorer(X, is_positive, is_known, C):
    def score(training, held_out):
        coef, intercept = _fit_balanced(X[training], is_positive[training], is_known[training], C)
        return row_products(X[held_out], coef) + intercept

    return score


def _fit_balanced(X, is_positive, is_known, C):
    n_samples, n_positive = len(is_positive), is_positive.sum()
    weights = np.where(is_known, n_samples - n_positive, n_positive) / n_samples
    return fit_soft_logistic(X, is_positive, weights, C=C)
