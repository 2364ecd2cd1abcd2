"""Multinomial naive Bayes on soft labels: sums over rows and one sparse product.

All of it stays in log-odds. Posteriors of texts saturate at 0 and 1, so that comparing them
compares rounding errors.
"""

import numpy as np
from scipy.special import expit
from sklearn.preprocessing import normalize

from core.kernels.rows.row_blocks import row_products, transposed_product
from core.kernels.rows.seen_columns import seen_columns
from core.progress import report

#: Soft labels stay this far from 0 and 1, so that no class loses its last row.
MARGIN = 1e-12


def word_probabilities(counts, smoothing, n_terms):
    """Return the smoothed share of each term in a class.

    Terms that no text of either class has are no part of the vocabulary: thousands of them, as
    hashed terms leave, would share what belongs to the others.

    Parameters
    ----------
    counts : ndarray of shape (n_features,)
        Total of each term.
    smoothing : float in (0, inf)
        Added to every total; 1 is Laplace's.
    n_terms : int
        Terms in the vocabulary.

    Returns
    -------
    ndarray of shape (n_features,)
        Positive, adding up to 1 over the vocabulary.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.bayes.naive_bayes import word_probabilities
    >>> word_probabilities(np.array([3.0, 1, 0]), 1.0, 3).round(4).tolist()
    [0.5714, 0.2857, 0.1429]
    """
    return (counts + smoothing) / (counts.sum() + smoothing * n_terms)


def log_odds_weights(positive_counts, negative_counts, smoothing, is_term):
    """Return what one occurrence of each term adds to the log-odds, of shape (n_features,).

    ``is_term`` is the mask of the vocabulary; what is outside it adds 0.
    """
    n_terms = np.count_nonzero(is_term)
    weights = np.log(word_probabilities(positive_counts, smoothing, n_terms)) - np.log(
        word_probabilities(negative_counts, smoothing, n_terms)
    )
    return np.where(is_term, weights, 0)


def fit_soft_labels(X, posterior, smoothing, is_term=None):
    """Learn from rows that each belong to the positive class by some share (the M-step).

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Term counts.
    posterior : ndarray of shape (n_samples,)
        Probability of the positive class for each row, in [0, 1], not all 0 and not all 1.
    smoothing : float in (0, inf)
        Added to the total of every term.
    is_term : ndarray of bool of shape (n_features,), default=None
        The vocabulary; None means the terms that some row has.

    Returns
    -------
    coef : ndarray of shape (n_features,)
        What one occurrence of each term adds to the log-odds.
    intercept : float
        Log-odds of the class shares.

    References
    ----------
    A. McCallum and K. Nigam, "A comparison of event models for naive Bayes text classification",
    AAAI workshop on learning for text categorization, 1998.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.bayes.naive_bayes import fit_soft_labels
    >>> X = sp.csr_array([[2.0, 0], [0, 2]])
    >>> coef, intercept = fit_soft_labels(X, np.array([1.0, 0]), 1.0)
    >>> coef.round(4).tolist(), intercept
    ([1.0986, -1.0986], 0.0)
    """
    posterior = np.asarray(posterior, dtype=np.float64)
    positive, negative = transposed_product(X, np.column_stack([posterior, 1 - posterior])).T
    is_term = positive + negative > 0 if is_term is None else is_term
    coef = log_odds_weights(positive, negative, smoothing, is_term)
    return coef, float(np.log(posterior.sum()) - np.log((1 - posterior).sum()))


def expectation_maximization(X, posterior, is_free, *, smoothing, is_first=None, max_iter, tol):
    """Yield a classifier after each M-step, until the soft labels settle.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Term counts.
    posterior : ndarray of shape (n_samples,)
        Where it starts: probability of the positive class for each row; left untouched.
    is_free : ndarray of bool of shape (n_samples,)
        Rows whose label may change; that of the others stays.
    smoothing : float in (0, inf)
        Added to the total of every term.
    is_first : ndarray of bool of shape (n_samples,), default=None
        Rows the first M-step learns from; None means all.
    max_iter : int in [1, inf)
        Largest number of M-steps.
    tol : float in [0, inf)
        The labels are settled when none changes by more.

    Yields
    ------
    coef : ndarray of shape (n_features,)
        What one occurrence of each term adds to the log-odds.
    intercept : float
        Log-odds of the class shares.
    scores : ndarray of shape (n_samples,)
        Log-odds of the rows.
    is_settled : bool
        Whether this is the last one for that reason.

    References
    ----------
    K. Nigam, A. McCallum, S. Thrun and T. Mitchell, "Text classification from labeled and
    unlabeled documents using EM", Machine Learning 39, 2000.
    """
    posterior, is_term = posterior.astype(np.float64), seen_columns(X)
    for iteration in range(1, max_iter + 1):
        is_partial = iteration == 1 and is_first is not None
        first = (X[is_first], posterior[is_first]) if is_partial else (X, posterior)
        coef, intercept = fit_soft_labels(*first, smoothing, is_term)
        scores = row_products(X, coef) + intercept
        update = np.clip(expit(scores[is_free]), MARGIN, 1 - MARGIN)
        change = np.abs(update - posterior[is_free]).max(initial=0)
        posterior[is_free] = update
        is_settled = bool(change <= tol) and not is_partial
        report("expectation-maximization", iteration / max_iter)
        yield coef, intercept, scores, is_settled
        if is_settled:
            return


def scale_rows(X, *, length_normalize):
    """Return X, its rows divided by their sums where that is asked for.

    Log-odds grow with the length of a text; divided by it, texts of different lengths can be
    ranked against each other.
    """
    return normalize(X, norm="l1") if length_normalize else X
