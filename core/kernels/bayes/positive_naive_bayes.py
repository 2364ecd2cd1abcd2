"""Naive Bayes from positive and unlabeled documents: the negatives are what the positives leave.

Of the unlabeled documents, a share as large as the class prior is spread like the positives; the
rest is negative. All counts are sums over rows, and a new class prior needs no second pass.
"""

from typing import NamedTuple

import numba
import numpy as np
import scipy.sparse as sp
from scipy.special import logit

from core.kernels.bayes.naive_bayes import word_probabilities
from core.kernels.rows.row_blocks import has_entries, transposed_product, unsigned

#: Probabilities stay this far from 0 and 1.
MARGIN = 1e-6
#: Candidates that are scored in one pass over the rows: their sums fit into one register.
N_TOGETHER = 4


class DocumentCounts(NamedTuple):
    """In how many documents each term occurs, and of how many, by label; empty ones are no part."""

    positive: np.ndarray
    unlabeled: np.ndarray
    negative: np.ndarray
    n_positive: int
    n_unlabeled: int
    n_negative: int

    @property
    def is_term(self):
        """Mask of the vocabulary: terms that some document has, of shape (n_features,)."""
        return (self.positive > 0) | (self.unlabeled > 0) | (self.negative > 0)

    def of_terms(self, is_term):
        """Return the counts of the terms of a mask alone."""
        return DocumentCounts(*(each[is_term] for each in self[:3]), *self[3:])


def presence(X):
    """Return X with 1 in place of each stored entry; indices are shared."""
    return sp.csr_array((np.ones_like(X.data), X.indices, X.indptr), shape=X.shape)


def document_counts(X, is_positive, is_negative):
    """Return the document frequencies that the tables are made of.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        1 for each term of a document.
    is_positive : ndarray of bool of shape (n_samples,)
        Labeled positives.
    is_negative : ndarray of bool of shape (n_samples,)
        Judged negatives.

    Returns
    -------
    DocumentCounts
        By label.
    """
    groups = np.column_stack([is_positive, ~(is_positive | is_negative), is_negative])
    groups &= has_entries(X)[:, None]
    return DocumentCounts(*transposed_product(X, groups).T, *groups.sum(axis=0).tolist())


def presence_probabilities(counts, smoothing=1.0):
    """Return the probability that a positive document has each term, of shape (n_features,)."""
    share = (counts.positive + smoothing) / (counts.n_positive + 2 * smoothing)
    return np.clip(share, MARGIN, 1 - MARGIN)


def negative_presence_probabilities(counts, class_prior, smoothing=1.0):
    """Return the probability that a negative document has each term.

    The expected numbers of negative documents with and without the term are both cut off at
    zero and scaled to a probability; the estimate that is not exceeds 1 at a large prior. Terms
    outside the vocabulary get that of a positive document: they tell nothing.

    Parameters
    ----------
    counts : DocumentCounts
        Judged negatives are added to the expected ones.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled documents.
    smoothing : float in (0, inf), default=1.0
        Added to both numbers; 1 is Laplace's.

    Returns
    -------
    ndarray of shape (n_features,)
        In (0, 1).

    References
    ----------
    B. Calvo, P. Larranaga and J. A. Lozano, "Learning Bayesian classifiers from positive and
    unlabeled examples", Pattern Recognition Letters 28(16), 2007.
    """
    given_positive = presence_probabilities(counts, smoothing)
    n_hidden = class_prior * counts.n_unlabeled
    absent = counts.n_unlabeled - counts.unlabeled
    n_with = np.maximum(counts.unlabeled - n_hidden * given_positive, 0) + counts.negative
    n_without = np.maximum(absent - n_hidden * (1 - given_positive), 0)
    n_without += counts.n_negative - counts.negative
    share = (smoothing + n_with) / (2 * smoothing + n_with + n_without)
    return np.where(counts.is_term, np.clip(share, MARGIN, 1 - MARGIN), given_positive)


def presence_weights(counts, class_prior, smoothing=1.0, *, presence_only=False):
    """Return what the terms of a document say: ``x @ weights + constant``, without the prior.

    Parameters
    ----------
    counts : DocumentCounts
        Document frequencies.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled documents.
    smoothing : float in (0, inf), default=1.0
        Added to the number of documents with and without a term.
    presence_only : bool, default=False
        Whether terms that a document lacks say nothing.

    Returns
    -------
    weights : ndarray of shape (n_features,)
        What the presence of each term adds to the log-odds.
    constant : float
        What the absence of all terms adds.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.bayes.positive_naive_bayes import DocumentCounts, presence_weights
    >>> counts = DocumentCounts(np.array([2]), np.array([1]), np.array([0]), 2, 4, 0)
    >>> weights, constant = presence_weights(counts, 0.25)
    >>> weights.round(4).tolist(), round(constant, 4)
    ([2.1972], -1.0986)
    """
    # What no document has says nothing, and hashed terms leave many columns empty.
    is_term = counts.is_term
    weights = np.zeros(len(is_term))
    counts = counts.of_terms(is_term)
    given_positive = presence_probabilities(counts, smoothing)
    given_negative = negative_presence_probabilities(counts, class_prior, smoothing)
    if presence_only:
        weights[is_term] = np.log(given_positive) - np.log(given_negative)
        return weights, 0.0
    weights[is_term] = logit(given_positive) - logit(given_negative)
    constant = np.log1p(-given_positive).sum() - np.log1p(-given_negative).sum()
    return weights, float(constant)


def prior_grid(step):
    """Return the multiples of ``step`` in (0, 1), of shape (n_candidates,)."""
    return (step * np.arange(1, np.ceil(1 / step - 1e-9))).round(10)


def candidate_log_odds(X, counts, class_priors, smoothing=1.0):
    """Return the log-odds of each row at each class prior, a few by each product.

    Only the negative table depends on the prior, so that nothing is learned again.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        1 for each term of a document.
    counts : DocumentCounts
        Document frequencies.
    class_priors : ndarray of shape (n_candidates,)
        Shares of positives among the unlabeled documents, in (0, 1).
    smoothing : float in (0, inf), default=1.0
        As in :func:`presence_weights`.

    Returns
    -------
    ndarray of shape (n_samples, n_candidates)
        Not negative means positive.
    """
    log_odds = np.empty((X.shape[0], len(class_priors)))
    for columns, products in _grouped(X, counts, class_priors, smoothing):
        log_odds[:, columns] = products
    return log_odds


def candidate_labels(X, counts, class_priors, smoothing=1.0, *, presence_only=False):
    """Return which log-odds of :func:`candidate_log_odds` are above 0, without holding them.

    Returns
    -------
    ndarray of bool of shape (n_samples, n_candidates)
        Column by column in memory.
    """
    labels = np.empty((X.shape[0], len(class_priors)), dtype=bool, order="F")
    for columns, products in _grouped(X, counts, class_priors, smoothing, presence_only):
        np.greater(products, 0, out=labels[:, columns])
    return labels


def _grouped(X, counts, class_priors, smoothing, presence_only=False):
    """Yield the log-odds at a few class priors at a time, and which ones."""
    for start in range(0, len(class_priors), N_TOGETHER):
        columns = slice(start, start + N_TOGETHER)
        group = class_priors[columns]
        weights, constants = np.zeros((X.shape[1], N_TOGETHER)), np.zeros(N_TOGETHER)
        for place, class_prior in enumerate(group):
            weights[:, place], constants[place] = presence_weights(
                counts, class_prior, smoothing, presence_only=presence_only
            )
        constants[: len(group)] += logit(group)
        yield columns, _log_odds(X.indptr, unsigned(X.indices), weights, constants)[:, : len(group)]


# The width is a constant of the compiled code: the inner loops become one instruction each.
@numba.njit(cache=True, nogil=True)
def _log_odds(indptr, indices, weights, constants):
    """Return the constants plus the weights of the terms of each row, whatever their number."""
    log_odds = np.empty((len(indptr) - 1, N_TOGETHER))
    total = np.empty(N_TOGETHER)
    for row in range(len(log_odds)):
        for candidate in range(N_TOGETHER):
            total[candidate] = constants[candidate]
        for entry in range(indptr[row], indptr[row + 1]):
            for candidate in range(N_TOGETHER):
                total[candidate] += weights[indices[entry], candidate]
        for candidate in range(N_TOGETHER):
            log_odds[row, candidate] = total[candidate]
    return log_odds


def largest_prior(counts):
    """Return the largest class prior at which no negative probability has to be cut off.

    It bounds the prior from above where every term is spread as the model assumes. Often it is
    tiny, for a single term decides.
    """
    given_positive = presence_probabilities(counts)
    share = (counts.unlabeled + 1) / (counts.n_unlabeled + 2)
    bounds = np.minimum(share / given_positive, (1 - share) / (1 - given_positive))
    return float(min(1.0, bounds[counts.is_term].min()))


def negative_word_counts(positive, unlabeled, token_prior, smoothing, n_terms):
    """Return the expected number of occurrences of each term in the negative documents.

    Parameters
    ----------
    positive : ndarray of shape (n_features,)
        Occurrences in the labeled positives.
    unlabeled : ndarray of shape (n_features,)
        Occurrences in the unlabeled documents.
    token_prior : float in (0, 1)
        Share of the occurrences in unlabeled documents that positive ones hold.
    smoothing : float in (0, inf)
        Added to every total.
    n_terms : int
        Terms in the vocabulary.

    Returns
    -------
    ndarray of shape (n_features,)
        Not negative.

    References
    ----------
    F. Denis, R. Gilleron and M. Tommasi, "Text classification from positive and unlabeled
    examples", IPMU 2002.
    """
    hidden = token_prior * unlabeled.sum() * word_probabilities(positive, smoothing, n_terms)
    return np.maximum(unlabeled - hidden, 0)
