"""Averaged PNB: positive naive Bayes that averages over class priors it cannot be sure of."""

import numpy as np
from scipy.stats import beta

from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.positive_naive_bayes import (
    DocumentCounts,
    document_counts,
    largest_prior,
    presence,
    presence_weights,
)
from core.options import ABOVE_ZERO, REPEATS, SHARE
from core.progress import report

#: How close to 0 and 1 the class priors come.
MARGIN = 1e-9


class AveragedPNB(LogOddsClassifier):
    """Averaged positive naive Bayes (APNB).

    As :class:`~core.classifiers.pnb.PNB` with terms present or absent, where the class prior has
    a Beta distribution instead of one value. The likelihood of the negative class is averaged over
    quantiles of it; the formulas are derived anew.

    Parameters
    ----------
    class_prior : float in [0, 1], default=None
        Mean of the distribution: your guess of the share of positives among the unlabeled samples.
        None, "not known", takes half of those that are not empty.
    certainty : float in (0, inf), default=2.0
        First parameter of the distribution; the second follows from the mean. The larger it is,
        the closer the distribution lies around its mean.
    n_priors : int in [1, 100000], default=64
        Class priors that stand for the distribution, each for the same share of it.
    smoothing : float in (0, inf), default=0.1
        Added to the number of texts with and without a term. With 1 (Laplace's, as published),
        terms that a few positives happen not to have look likely among them, so rare terms speak
        for positive. With 0.01, as in PNB, the average over priors ranks worse.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What the presence of each term adds to the log-odds at the mean of the distribution. The
        score is close to a sum of these, not equal to it.
    priors_ : ndarray of shape (n_priors,)
        The class priors that stand for the distribution.
    constants_ : ndarray of shape (n_priors,)
        What the absence of all terms adds to the log-odds at each of them.
    document_counts_ : ndarray of shape (3, n_features)
        Positive, unlabeled and judged negative texts with each term.
    n_documents_ : ndarray of shape (3,)
        Positive, unlabeled and judged negative texts that are not empty.
    class_prior_ : float
        The mean as used, at least one sample away from none and from all.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``class_prior``, ``beta`` with both parameters of the distribution,
        and ``largest_class_prior``, up to which no negative probability has to be corrected.

    References
    ----------
    .. [1] B. Calvo, P. Larranaga and J. A. Lozano, "Learning Bayesian classifiers from positive
       and unlabeled examples", Pattern Recognition Letters 28(16), 2007.

    Examples
    --------
    >>> from core.classifiers import AveragedPNB
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> classifier = AveragedPNB(class_prior=0.25, smoothing=1).fit(X, [1, 1, 0, 0, 0, 0])
    >>> classifier.predict_proba([[1, 0, 0], [0, 1, 1]])[:, 1].round(4).tolist()
    [0.7224, 0.0371]
    """

    representation = "binary"
    assumption = "Positives were labeled completely at random, and terms occur independently."
    reference = "Calvo, Larranaga and Lozano, Learning Bayesian classifiers from PU examples, 2007"
    bytes_per_feature = 128
    requires_non_negative = True
    #: The score is a mean over class priors, the weights are those of one.
    has_additive_score = False

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "class_prior": [SHARE, None],
        "certainty": [ABOVE_ZERO],
        "n_priors": [REPEATS],
        "smoothing": [ABOVE_ZERO],
    }

    def __init__(
        self, *, class_prior=None, certainty=2.0, n_priors=64, smoothing=0.1, pos_label=None
    ):
        self.class_prior = class_prior
        self.certainty = certainty
        self.n_priors = n_priors
        self.smoothing = smoothing
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        counts = document_counts(presence(X), is_positive, is_negative)
        is_known = self.class_prior is not None
        mean = self._prior_among_used(counts.n_unlabeled) if is_known else 0.5
        a, b = float(self.certainty), self.certainty * (1 - mean) / mean
        # The middle of each of equal shares of the distribution.
        quantiles = beta.ppf((np.arange(self.n_priors) + 0.5) / self.n_priors, a, b)
        self.priors_ = np.clip(quantiles, MARGIN, 1 - MARGIN)
        self.document_counts_ = np.stack(counts[:3])
        self.n_documents_ = np.array(counts[3:])
        self.constants_ = np.array([self._weights(counts, prior)[1] for prior in self.priors_])
        self.coef_, _ = self._weights(counts, mean)
        self.class_prior_ = mean
        self.offset_ = 0.0
        self.report_["class_prior"] = mean
        self.report_["beta"] = [a, b]
        self.report_["largest_class_prior"] = largest_prior(counts)

    def _weights(self, counts, class_prior):
        return presence_weights(counts, class_prior, float(self.smoothing))

    def _terms(self, X):
        return presence(X)

    def _score_samples(self, X):
        # The weights at all priors would make a large model: they are made again, one prior at a
        # time, for the terms that occur.
        terms = np.unique(X.indices)
        X = presence(X)[:, terms]
        counts = DocumentCounts(*self.document_counts_[:, terms], *self.n_documents_.tolist())
        log_negative = np.full(X.shape[0], -np.inf)
        for number, (prior, constant) in enumerate(zip(self.priors_, self.constants_, strict=True)):
            weights, _ = self._weights(counts, prior)
            # Both likelihoods are divided by that of the positive class.
            log_ratio = np.log1p(-prior) - constant - X @ weights
            np.logaddexp(log_negative, log_ratio, out=log_negative)
            report("priors", (number + 1) / self.n_priors)
        return np.log(self.class_prior_) + np.log(self.n_priors) - log_negative
