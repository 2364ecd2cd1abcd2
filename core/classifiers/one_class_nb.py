"""One-class NB: how much more likely a text is under the positives than under a background."""

import numpy as np

from core.classifier_bases.linear import LinearClassifier
from core.classifier_bases.thresholds import OneClassMixin
from core.kernels.bayes.naive_bayes import scale_rows
from core.kernels.bayes.positive_naive_bayes import presence
from core.kernels.rows.row_blocks import document_frequencies, has_entries, transposed_product
from core.options import ABOVE_ZERO, StrOptions


class OneClassNB(OneClassMixin, LinearClassifier):
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
        Quantile of the positives' scores that is the cut, between two scores in proportion: of
        five the lowest one is below it (rules "auto" and "quantile").
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
    >>> from core.classifiers import OneClassNB
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
        **OneClassMixin._threshold_constraints,
        "background": [StrOptions({"unlabeled", "uniform"})],
        "event_model": [StrOptions({"multinomial", "bernoulli"})],
        "smoothing": [ABOVE_ZERO],
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
        rows = X[is_positive & has_entries(X)]
        others = X[~is_positive]
        is_uniform = self.background == "uniform" or others.nnz == 0
        self.report_["background"] = "uniform" if is_uniform else "unlabeled"
        positive = self._counts(rows)
        background = (np.zeros(X.shape[1]), 0.0) if is_uniform else self._counts(others)
        frequencies = document_frequencies(X)
        n_terms = np.count_nonzero(frequencies)
        self.coef_ = self._log_ratios(*positive, *background, n_terms)
        self.coef_[frequencies == 0] = 0
        scores = self._left_out_scores(rows, positive, background, frequencies)
        self.offset_ = self._cut(scores, fixed=0.0)

    def _left_out_scores(self, rows, positive, background, frequencies):
        """Return what each positive would score after a fit without it, (n_positives,)."""
        # Without its own row, the count of a term is smaller only for the terms of the row; terms
        # that no other row has would not be known.
        own = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        is_known = frequencies[rows.indices] > 1
        n_terms = np.count_nonzero(frequencies) - np.bincount(
            own[~is_known], minlength=rows.shape[0]
        )
        own, columns, weights = own[is_known], rows.indices[is_known], rows.data[is_known]
        (counts, n_events), (background_counts, n_background) = positive, background
        ratios = self._log_ratios(
            counts[columns] - weights,
            (n_events - self._n_events(rows))[own],
            background_counts[columns],
            n_background,
            n_terms[own],
        )
        lengths = np.bincount(own, weights, rows.shape[0])
        return np.bincount(own, weights * ratios, rows.shape[0]) / np.where(lengths, lengths, 1)

    def _log_ratios(self, counts, n_events, background_counts, n_background, n_terms):
        """Return the log of how much larger the smoothed share of the events of a term is."""
        missing = self.smoothing * (2 if self.event_model == "bernoulli" else n_terms)
        shares = np.log(counts + self.smoothing) - np.log(n_events + missing)
        return shares - (
            np.log(background_counts + self.smoothing) - np.log(n_background + missing)
        )

    def _counts(self, X):
        """Return how often each term was in the rows, and how often one could have been."""
        return transposed_product(X, np.ones(X.shape[0])), self._n_events(X).sum()

    def _n_events(self, X):
        """Return how often each row could have had a term: once, or by its length."""
        if self.event_model == "bernoulli":
            return has_entries(X).astype(np.float64)
        return X.sum(axis=1, dtype=np.float64)

    def _events(self, X):
        return presence(X) if self.event_model == "bernoulli" else X

    def _terms(self, X):
        return scale_rows(self._events(X), length_normalize=True)
