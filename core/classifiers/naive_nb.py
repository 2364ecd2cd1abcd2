"""Naive NB: naive Bayes that takes every unlabeled sample for negative."""

from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.naive_bayes import fit_soft_labels, scale_rows
from core.options import ABOVE_ZERO


class NaiveNB(LogOddsClassifier):
    """Multinomial naive Bayes of positives against everything else: a baseline.

    Hidden positives count as negatives, so that the cut accepts too little; the order suffers
    less. A method that does not beat it has learned nothing from the fact that unlabeled samples
    are unlabeled.

    Parameters
    ----------
    smoothing : float in (0, inf), default=0.1
        Added to the total of every term; 1 is Laplace's, which hides rare terms.
    length_normalize : bool, default=False
        Whether the sum over the terms is divided by the length of the text; otherwise long ones get
        extreme scores.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What one occurrence of each term adds to the log-odds.
    intercept_ : float
        Log-odds of the shares of labeled and other samples.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] A. McCallum and K. Nigam, "A comparison of event models for naive Bayes text
       classification", AAAI workshop on learning for text categorization, 1998.

    Examples
    --------
    >>> from core.classifiers import NaiveNB
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> NaiveNB().fit(X, [1, 1, 0, 0, 0, 0]).predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    representation = "counts"
    assumption = "Hardly any unlabeled document is of the kind."
    reference = "McCallum and Nigam, A comparison of event models for naive Bayes, AAAI 1998"
    bytes_per_sample = 128
    requires_non_negative = True

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "smoothing": [ABOVE_ZERO],
        "length_normalize": ["boolean"],
    }

    def __init__(self, *, smoothing=0.1, length_normalize=False, pos_label=None):
        self.smoothing = smoothing
        self.length_normalize = length_normalize
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self.coef_, self.intercept_ = fit_soft_labels(X, is_positive, self.smoothing)
        self.offset_ = 0.0

    def _terms(self, X):
        return scale_rows(X, length_normalize=self.length_normalize)
