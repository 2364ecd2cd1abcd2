"""LGN: naive Bayes against a negative document made up from the unlabeled ones."""

from numbers import Real

import numpy as np
from scipy.special import entr
from sklearn.utils import check_random_state

from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.naive_bayes import log_odds_weights, scale_rows, word_probabilities
from core.kernels.rows.row_blocks import document_frequencies, sum_over_rows, transposed_product
from core.options import ABOVE_ZERO, Interval, StrOptions


class LGN(LogOddsClassifier):
    """Learning by generating a negative document (LGN).

    Finds the few unlabeled samples that do not belong. Terms that are spread differently over
    positives and unlabeled samples make up one artificial negative document, and multinomial
    naive Bayes with equal priors is trained against it. The score is the log-odds of being
    expected, that is positive.

    An unlabeled sample enters the artificial document in part, each term by its share of
    evidence; a judged negative, which needs none, enters it whole.

    Parameters
    ----------
    smoothing : float in (0, inf), default=0.01
        Added to the total of every term. The smaller it is, the more a term counts that only one
        side has.
    entropy : {"posterior", "literal"}, default="posterior"
        How terms are told apart: by the entropy of the two class probabilities of a term, scaled to
        add up to one; or of the unscaled ones, as printed in the paper, which measures little but
        how frequent the term is.
    one_sided : bool, default=False
        Whether terms that are more probable among the positives stay out of the artificial
        document; then fewer samples are called unexpected.
    draws : {"expected", "floor", "stochastic"}, default="expected"
        How often a frequency is drawn for a term: never, its expectation is taken; or a number of
        times that is rounded down as published, which loses the rare terms, or at random.
    length_normalize : bool, default=False
        Whether log-odds are divided by the length of the sample; otherwise long ones get extreme
        scores.
    threshold : float in (-inf, inf), default=0.0
        The cut on the log-odds, that is ``offset_``.
    random_state : int, RandomState instance or None, default=None
        For draws other than "expected".
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What one occurrence of each term adds to the log-odds.
    intercept_ : float
        0: both classes are equally likely beforehand.
    offset_ : float
        The cut: ``threshold``, or 0 where there is no negative evidence.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit; ``artificial_length`` is the total of the artificial document. Where
        that is below 1, every sample is expected and ``flags`` has "no_negative_evidence".

    References
    ----------
    .. [1] X. Li, B. Liu and S.-K. Ng, "Learning to identify unexpected instances in the test
       set", IJCAI 2007, section 3.

    Examples
    --------
    >>> from core.classifiers import LGN
    >>> X = [[4, 1, 0], [4, 0, 0], [2, 0, 1], [1, 1, 3], [0, 0, 2]]
    >>> y = [1, 1, 0, 0, 0]
    >>> LGN(smoothing=1).fit(X, y).predict([[2, 0, 1], [1, 1, 3], [0, 0, 2]])
    array([1, 0, 0])
    """

    representation = "counts"
    assumption = "Most unlabeled documents are of the kind; the few others use other words."
    reference = "Li, Liu and Ng, Learning to identify unexpected instances, IJCAI 2007"
    bytes_per_feature = 112
    requires_non_negative = True

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "smoothing": [ABOVE_ZERO],
        "entropy": [StrOptions({"posterior", "literal"})],
        "one_sided": ["boolean"],
        "draws": [StrOptions({"expected", "floor", "stochastic"})],
        "length_normalize": ["boolean"],
        "threshold": [Interval(Real, None, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        smoothing=0.01,
        entropy="posterior",
        one_sided=False,
        draws="expected",
        length_normalize=False,
        threshold=0.0,
        random_state=None,
        pos_label=None,
    ):
        self.smoothing = smoothing
        self.entropy = entropy
        self.one_sided = one_sided
        self.draws = draws
        self.length_normalize = length_normalize
        self.threshold = threshold
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        positive = transposed_product(X, is_positive)
        others = transposed_product(X, ~is_positive)
        is_term = positive + others > 0
        evidence = self._evidence(positive, others, is_term)
        artificial = self._artificial_document(X, ~(is_positive | is_negative), evidence)
        artificial += transposed_product(X, is_negative)

        self.report_["artificial_length"] = float(artificial.sum())
        self.intercept_, self.offset_ = 0.0, float(self.threshold)
        if artificial.sum() < 1:
            self.add_flag("no_negative_evidence")
            self.coef_ = np.zeros(X.shape[1])
            self.offset_ = 0.0
        else:
            self.coef_ = log_odds_weights(positive, artificial, self.smoothing, is_term)

    def _evidence(self, positive, unlabeled, is_term):
        """Return how differently each term is spread, from 0 (alike) to 1; q in the paper."""
        n_terms = np.count_nonzero(is_term)
        given_positive = word_probabilities(positive, self.smoothing, n_terms)
        given_unlabeled = word_probabilities(unlabeled, self.smoothing, n_terms)
        total = given_positive + given_unlabeled if self.entropy == "posterior" else 1.0
        entropy = entr(given_positive / total) + entr(given_unlabeled / total)
        largest = entropy[is_term].max(initial=0.0)
        if largest == 0:
            return np.zeros_like(entropy)
        # Of a term that no unlabeled sample holds nothing is drawn, whatever this says.
        evidence = 1 - entropy / largest
        if self.one_sided:
            evidence[given_unlabeled < given_positive] = 0
        return evidence

    def _artificial_document(self, X, is_unlabeled, evidence):
        """Return the total of the frequencies drawn for each term."""
        total = transposed_product(X, is_unlabeled)
        if self.draws == "expected":
            # df * q draws of mean total / df.
            return evidence * total
        random = check_random_state(self.random_state)
        n_documents = document_frequencies(X, is_unlabeled)
        mean = total / np.maximum(n_documents, 1)
        squares = sum_over_rows(_square_counts, X, is_unlabeled)
        variance = (squares - n_documents * mean**2) / np.maximum(n_documents - 1, 1)
        n_draws = n_documents * evidence
        if self.draws == "stochastic":
            n_draws += random.uniform(size=len(n_draws))
        n_draws = np.floor(n_draws)
        # The sum of n draws from N(mean, variance) in one; only the sum must not be negative.
        deviation = np.sqrt(n_draws * np.maximum(variance, 0))
        return np.maximum(n_draws * mean + deviation * random.normal(size=len(n_draws)), 0)

    def _terms(self, X):
        return scale_rows(X, length_normalize=self.length_normalize)


def _square_counts(X, is_counted):
    return X.power(2).T @ is_counted.astype(np.float64)
