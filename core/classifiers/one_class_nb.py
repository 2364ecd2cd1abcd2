"""One-class NB: how much more likely a text is under the positives than under a background."""

from numbers import Real

import numpy as np

from core.classifier_bases.linear import LinearClassifier
from core.classifier_bases.thresholds import THRESHOLD_CONSTRAINTS, one_class_threshold
from core.kernels.naive_bayes import scale_rows
from core.kernels.positive_naive_bayes import presence
from core.kernels.row_blocks import transposed_product
from core.validation import Interval, StrOptions


class OneClassNB(LinearClassifier):
    """Thresholded one-class naive Bayes.

    The score is the mean, over the occurrences in a text, of the log of how much more probable
    each term is in the positives than in a background. A cheap reference. As remembered, not
    verified: no published numbers were at hand.

    Parameters
    ----------
    background : {"unlabeled", "uniform"}, default="unlabeled"
        What the positives are compared with: all other samples, or terms of equal probability as
        published. Without other samples it is the second.
    event_model : {"multinomial", "bernoulli"}, default="multinomial"
        Whether every occurrence of a term counts, or only its presence.
    smoothing : float in (0, inf), default=0.1
        Added to every count; 1 is Laplace's, which hides rare terms.
    threshold : {"auto", "quantile", "min", "mean"} or float, default="auto"
        Rule for the cut, over the leave-one-out scores of the positives; a number is the cut
        itself. "auto" takes the quantile for five positives or more, else 0: as likely as under
        the background.
    quantile : float in [0, 1], default=0.05
        Share of the positives that may fall below the cut (rules "auto" and "quantile").
    n_deviations : int in [-3, 3], default=0
        Standard deviations added to the mean (rule "mean").
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        Log of the ratio of the two probabilities of each term.
    offset_ : float
        The cut.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit; ``background`` as used.

    References
    ----------
    .. [1] K. Wang and S. J. Stolfo, "One-class training for masquerade detection", ICDM workshop
       on data mining for computer security, 2003.

    Examples
    --------
    >>> from core.classifiers.one_class_nb import OneClassNB
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> OneClassNB().fit(X, [1, 1, 0, 0, 0, 0]).predict([[2, 1, 0], [0, 0, 2]])
    array([1, 0])
    """

    representation = "counts"
    assumption = (
        "Documents of the kind share words that others use less, and terms occur independently."
    )
    reference = "Wang and Stolfo, One-class training for masquerade detection, ICDM workshop 2003"
    bytes_per_entry = 8
    requires_unlabeled = False
    intercept_ = 0.0
    requires_non_negative = True

    _parameter_constraints: dict = {
        **LinearClassifier._parameter_constraints,
        **THRESHOLD_CONSTRAINTS,
        "background": [StrOptions({"unlabeled", "uniform"})],
        "event_model": [StrOptions({"multinomial", "bernoulli"})],
        "smoothing": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        *,
        background="unlabeled",
        event_model="multinomial",
        smoothing=0.1,
        threshold="auto",
        quantile=0.05,
        n_deviations=0,
        pos_label=None,
    ):
        self.background = background
        self.event_model = event_model
        self.smoothing = smoothing
        self.threshold = threshold
        self.quantile = quantile
        self.n_deviations = n_deviations
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        X = self._events(X)
        rows = X[is_positive & (np.diff(X.indptr) > 0)]
        positive, n_events = transposed_product(rows, np.ones(rows.shape[0])), self._n_events(rows)
        log_background = self._log_background(X[~is_positive])
        self.coef_ = self._log_probabilities(positive, n_events.sum()) - log_background
        if self.is_seen_ is not None:
            self.coef_[~self.is_seen_] = 0

        # Without its own row, the count of a term is smaller only for the terms of the row.
        own = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        without = self._log_probabilities(
            positive[rows.indices] - rows.data, (n_events.sum() - n_events)[own]
        )
        ratios = rows.data * (without - log_background[rows.indices])
        left_out = np.bincount(own, ratios, rows.shape[0]) / rows.sum(axis=1)
        self.offset_ = one_class_threshold(
            self.threshold,
            left_out,
            fixed=0.0,
            quantile=self.quantile,
            n_deviations=self.n_deviations,
        )

    def _log_background(self, X):
        is_uniform = self.background == "uniform" or X.nnz == 0
        self.report_["background"] = "uniform" if is_uniform else "unlabeled"
        counts = np.zeros(X.shape[1]) if is_uniform else transposed_product(X, np.ones(X.shape[0]))
        return self._log_probabilities(counts, 0 if is_uniform else self._n_events(X).sum())

    def _log_probabilities(self, counts, n_events):
        """Return the log of the smoothed share of the events that are of a term."""
        n_terms = self.n_features_in_ if self.is_seen_ is None else np.sum(self.is_seen_)
        n_outcomes = 2 if self.event_model == "bernoulli" else n_terms
        return np.log(counts + self.smoothing) - np.log(n_events + self.smoothing * n_outcomes)

    def _n_events(self, X):
        """Return how often each row could have had a term: once, or by its length."""
        if self.event_model == "bernoulli":
            return (np.diff(X.indptr) > 0).astype(np.float64)
        return X.sum(axis=1, dtype=np.float64)

    def _events(self, X):
        return presence(X) if self.event_model == "bernoulli" else X

    def _terms(self, X):
        return scale_rows(self._events(X), length_normalize=True)
