"""UPNB: positive naive Bayes that estimates the class prior on samples it has not learned from."""

from numbers import Real

import numpy as np
from scipy.special import logit
from sklearn.utils import check_random_state

from core.class_prior.clamp import clamp_prior
from core.class_prior.conversion import prior_from_label_frequency
from core.class_prior.elkan_noto import label_frequency
from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.positive_naive_bayes import (
    candidate_log_odds,
    document_counts,
    largest_prior,
    presence,
    presence_weights,
    prior_grid,
)
from core.kernels.linear.cross_fit import cross_fitted_probabilities
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.metrics import lee_liu_score
from core.options import ABOVE_ZERO, AT_LEAST_TWO, Interval, StrOptions
from core.progress import report


class UPNB(LogOddsClassifier):
    """Uncertain positive naive Bayes (UPNB) on texts, whose terms are certain.

    Without uncertain terms it is :class:`~core.classifiers.pnb.PNB` with a way to choose the class
    prior on held-out samples.

    Parameters
    ----------
    selection : {"lee_liu", "scar"}, default="lee_liu"
        How the prior is chosen: as the candidate with the largest recall squared over the share of
        unlabeled samples accepted; or from the mean probability of being labeled that a logistic
        regression gives to held-out positives. The second tends to be too large.
    grid_step : float in [1e-5, 0.5], default=0.05
        The candidates are the multiples of it below 1 ("lee_liu" only).
    n_folds : int in [2, inf), default=5
        Parts that are held out in turn; at most one per positive.
    smoothing : float in (0, inf), default=0.01
        Added to the number of texts with and without a term. With 1 (Laplace's, as published),
        terms that a few positives happen not to have look likely among them, so rare terms speak
        for positive.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    class_prior_ : float
        The chosen share of positives among the unlabeled samples that are not empty.
    coef_ : ndarray of shape (n_features,)
        What the presence of each term adds to the log-odds.
    intercept_ : float
        Log-odds of a text without any term.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``class_prior``, ``largest_class_prior`` that needs no correction, and
        ``curve`` with lists of ``class_prior`` and ``lee_liu``, or ``label_frequency`` with the
        share of all positives that is labeled. The flag "prior_at_bound" says that the estimate
        was above or below every possible share, "selection_failed" that nothing spoke for any
        prior and 0.5 was taken.

    References
    ----------
    .. [1] J. He, Y. Zhang, X. Li and Y. Wang, "Naive Bayes classifier for positive unlabeled
       learning with uncertainty", SDM 2010.
    .. [2] J. He, Y. Zhang, X. Li and P. Shi, "Learning naive Bayes classifiers from positive and
       unlabelled examples with uncertainty", International Journal of Systems Science 43(10),
       2012.

    Examples
    --------
    >>> from core.classifiers import UPNB
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> UPNB(random_state=0).fit(X, [1, 1, 0, 0, 0, 0]).predict([[1, 1, 0], [0, 0, 1]])
    array([1, 0])
    """

    representation = "binary"
    assumption = "Positives were labeled completely at random, and terms occur independently."
    reference = "He, Zhang, Li and Wang, Naive Bayes classifier for PU learning, SDM 2010"
    bytes_per_entry = 16
    bytes_per_sample = 64
    bytes_per_feature = 256
    requires_non_negative = True
    min_positives = 2

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "selection": [StrOptions({"lee_liu", "scar"})],
        "grid_step": [Interval(Real, 1e-5, 0.5, closed="both")],
        "n_folds": [AT_LEAST_TWO],
        "smoothing": [ABOVE_ZERO],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        selection="lee_liu",
        grid_step=0.05,
        n_folds=5,
        smoothing=0.01,
        random_state=None,
        pos_label=None,
    ):
        self.selection = selection
        self.grid_step = grid_step
        self.n_folds = n_folds
        self.smoothing = smoothing
        self.random_state = random_state
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        # Labels for each candidate, and the log-odds of a part of the samples.
        return 7 * n_samples / self.grid_step

    def _fit(self, X, is_positive, is_negative):
        X = presence(X)
        counts = document_counts(X, is_positive, is_negative)
        if counts.n_unlabeled < 2:
            prior = None
        elif self.selection == "lee_liu":
            prior = self._lee_liu_prior(X, is_positive, is_negative)
        else:
            prior = self._scar_prior(X, is_positive, is_negative)
        if prior is None:
            self.add_flag("selection_failed")
            prior = 0.5
        self.class_prior_ = clamp_prior(prior, counts.n_unlabeled)
        if self.class_prior_ != prior:
            self.add_flag("prior_at_bound")

        self.coef_, constant = presence_weights(counts, self.class_prior_, self.smoothing)
        self.intercept_ = constant + float(logit(self.class_prior_))
        self.offset_ = 0.0
        self.report_["class_prior"] = self.class_prior_
        self.report_["largest_class_prior"] = largest_prior(counts)

    def _lee_liu_prior(self, X, is_positive, is_negative):
        """Return the candidate whose labels of held-out rows are the best, if any are."""
        grid = prior_grid(self.grid_step)
        rows, folds = self._folds(X, is_positive, is_negative)
        is_accepted = np.zeros((X.shape[0], len(grid)), dtype=bool)
        for fold in range(folds.max() + 1):
            is_held_out = np.zeros(X.shape[0], dtype=bool)
            is_held_out[rows[folds == fold]] = True
            is_trained = ~is_held_out
            counts = document_counts(
                X[is_trained], is_positive[is_trained], is_negative[is_trained]
            )
            log_odds = candidate_log_odds(X[is_held_out], counts, grid, self.smoothing)
            is_accepted[is_held_out] = log_odds >= 0
            report("folds", (fold + 1) / (folds.max() + 1))
        quality = [
            lee_liu_score(is_positive[rows], labels, pos_label=True)
            for labels in is_accepted[rows].T
        ]
        self.report_["curve"] = {"class_prior": grid.tolist(), "lee_liu": quality}
        # Rounded, so that the smaller of equally good priors is taken.
        return float(grid[np.argmax(np.round(quality, 12))]) if max(quality) > 0 else None

    def _scar_prior(self, X, is_positive, is_negative):
        """Return the prior that goes with the share of all positives that is labeled."""
        rows = _judged_by(X, is_positive, is_negative)
        is_labeled = is_positive[rows]
        # Strong regularisation draws all probabilities together and the prior up.
        probabilities = cross_fitted_probabilities(
            unit_rows(X[rows]),
            is_labeled,
            n_folds=self.n_folds,
            C=10.0,
            random=check_random_state(self.random_state),
        )
        frequency = label_frequency(probabilities, is_labeled)
        self.report_["label_frequency"] = frequency
        n_positive, n_unlabeled = is_labeled.sum(), (~is_labeled).sum()
        return float(prior_from_label_frequency(frequency, n_positive, n_unlabeled))

    def _folds(self, X, is_positive, is_negative):
        """Return the rows that the prior is judged by, and the number of the part of each."""
        random = check_random_state(self.random_state)
        rows = _judged_by(X, is_positive, is_negative)
        n_folds = min(self.n_folds, int(is_positive[rows].sum()))
        folds = np.zeros(len(rows), dtype=np.int64)
        for label in (True, False):
            members = np.flatnonzero(is_positive[rows] == label)
            folds[members] = random.permutation(len(members)) % n_folds
        return rows, folds

    def _terms(self, X):
        return presence(X)


def _judged_by(X, is_positive, is_negative):
    """Return the rows with a term and without a judgement, in the order of their contents."""
    order = content_order(X, is_positive)
    return order[(has_entries(X) & ~is_negative)[order]]
