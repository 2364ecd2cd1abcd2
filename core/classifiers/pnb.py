"""PNB: naive Bayes whose negatives are what the positives leave of the unlabeled samples."""

import numpy as np
from scipy.special import logit

from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.naive_bayes import log_odds_weights, scale_rows, word_probabilities
from core.kernels.bayes.positive_naive_bayes import (
    document_counts,
    largest_prior,
    negative_word_counts,
    presence,
    presence_weights,
)
from core.kernels.rows.row_blocks import transposed_product
from core.options import ABOVE_ZERO, SHARE, StrOptions

#: Share of the occurrences in unlabeled texts that positive ones may hold at most.
MAX_TOKEN_PRIOR = 0.99


class PNB(LogOddsClassifier):
    """Positive naive Bayes (PNB).

    A share of the unlabeled samples, the class prior, is spread like the labeled positives; what
    is left makes up the negative class. Judged negatives are added to it.

    Parameters
    ----------
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples. None, "not known", takes half of those that
        are not empty: that was nearly as good as a chosen prior in comparisons. A larger share than
        the true one takes more samples for positive. It is kept at least one sample away from none
        and from all.
    event_model : {"bernoulli", "multinomial"}, default="bernoulli"
        Whether a text counts as the set of its terms, or by how often each occurs. Short texts
        favour the first.
    smoothing : float in (0, inf), default=0.01
        Added to every count. With 1 (Laplace's, as published), terms that a few positives happen
        not to have look likely among them, so rare terms speak for positive.
    length_correction : bool, default=True
        Multinomial only: whether the share of positive texts is turned into that of their
        occurrences by the mean lengths of both sides; else texts are taken to be of equal length.
    length_normalize : bool, default=False
        Multinomial only: whether the sum over the terms is divided by the length of the text;
        otherwise long ones get extreme scores.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What each term adds to the log-odds, by its presence or by one occurrence.
    intercept_ : float
        Log-odds of a text without any term.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``class_prior`` as used and ``largest_class_prior``, up to which no
        negative probability has to be corrected. The flag "prior_too_large" says that
        the positives would hold every occurrence in the unlabeled samples.

    References
    ----------
    .. [1] B. Calvo, P. Larranaga and J. A. Lozano, "Learning Bayesian classifiers from positive
       and unlabeled examples", Pattern Recognition Letters 28(16), 2007 (bernoulli).
    .. [2] F. Denis, R. Gilleron and M. Tommasi, "Text classification from positive and unlabeled
       examples", IPMU 2002 (multinomial).

    Examples
    --------
    >>> from core.classifiers import PNB
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> classifier = PNB(class_prior=0.25, smoothing=1).fit(X, [1, 1, 0, 0, 0, 0])
    >>> classifier.predict_proba([[1, 0, 0], [0, 1, 1]])[:, 1].round(4).tolist()
    [0.75, 0.0357]
    """

    representation = "counts"
    assumption = "Positives were labeled completely at random, and terms occur independently."
    reference = "Calvo, Larranaga and Lozano, Learning Bayesian classifiers from PU examples, 2007"
    bytes_per_feature = 112
    requires_non_negative = True

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "class_prior": [SHARE, None],
        "event_model": [StrOptions({"bernoulli", "multinomial"})],
        "smoothing": [ABOVE_ZERO],
        "length_correction": ["boolean"],
        "length_normalize": ["boolean"],
    }

    def __init__(
        self,
        *,
        class_prior=None,
        event_model="bernoulli",
        smoothing=0.01,
        length_correction=True,
        length_normalize=False,
        pos_label=None,
    ):
        self.class_prior = class_prior
        self.event_model = event_model
        self.smoothing = smoothing
        self.length_correction = length_correction
        self.length_normalize = length_normalize
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        counts = document_counts(presence(X), is_positive, is_negative)
        is_known = self.class_prior is not None
        class_prior = self._prior_among_used(counts.n_unlabeled) if is_known else 0.5
        if self.event_model == "bernoulli":
            self.coef_, constant = presence_weights(counts, class_prior, self.smoothing)
            largest = largest_prior(counts)
        else:
            constant = 0.0
            self.coef_, largest = self._multinomial(
                X, is_positive, is_negative, counts, class_prior
            )
        self.intercept_ = constant + float(logit(class_prior))
        self.offset_ = 0.0
        self.report_["class_prior"] = class_prior
        self.report_["largest_class_prior"] = largest

    def _multinomial(self, X, is_positive, is_negative, counts, class_prior):
        positive = transposed_product(X, is_positive)
        unlabeled = transposed_product(X, ~(is_positive | is_negative))
        ratio = self._length_ratio(positive, unlabeled, counts)
        token_prior = min(MAX_TOKEN_PRIOR, class_prior * ratio)
        if class_prior * ratio > MAX_TOKEN_PRIOR:
            self.add_flag("prior_too_large")
        is_term = counts.is_term
        n_terms = np.count_nonzero(is_term)
        negative = negative_word_counts(positive, unlabeled, token_prior, self.smoothing, n_terms)
        negative += transposed_product(X, is_negative)
        share = word_probabilities(unlabeled, self.smoothing, n_terms)
        bounds = share / word_probabilities(positive, self.smoothing, n_terms) / ratio
        weights = log_odds_weights(positive, negative, self.smoothing, is_term)
        return weights, float(min(1.0, bounds[is_term].min()))

    def _length_ratio(self, positive, unlabeled, counts):
        """Return how much longer the positive texts are than the unlabeled ones."""
        if not self.length_correction:
            return 1.0
        if not unlabeled.any():
            return np.inf
        return positive.sum() / counts.n_positive * counts.n_unlabeled / unlabeled.sum()

    def _terms(self, X):
        if self.event_model == "bernoulli":
            return presence(X)
        return scale_rows(X, length_normalize=self.length_normalize)
