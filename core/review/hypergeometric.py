"""Hypergeometric probabilities of many draws at once.

SciPy has them by products of primes, which takes a second for some thousand of them.
"""

import numpy as np
from scipy.special import gammaln

#: Terms smaller than this share of their sum end it.
NEGLIGIBLE = 1e-17


def at_most(k, n_all, n_good, n_drawn):
    """Return the probability of at most ``k`` good ones among those drawn.

    Parameters
    ----------
    k, n_all, n_good, n_drawn : ndarray of int of shape (n_draws,)
        ``n_drawn`` of ``n_all`` are drawn, ``n_good`` of which are good.

    Returns
    -------
    ndarray of shape (n_draws,)
        The tail that ``k`` is in is added up term by term from its largest one.

    Examples
    --------
    >>> import numpy as np
    >>> from core.review.hypergeometric import at_most
    >>> at_most(np.array([0, 1]), np.array([4, 4]), np.array([2, 2]), np.array([2, 2])).round(4)
    array([0.1667, 0.8333])
    """
    least, most = np.maximum(0, n_good + n_drawn - n_all), np.minimum(n_good, n_drawn)
    is_lower = k * n_all < n_good * n_drawn
    x = np.where(is_lower, k, k + 1)
    is_within = (x >= least) & (x <= most)
    x = x.clip(least, most).astype(float)
    n_bad = n_all - n_good
    term = np.exp(
        _log_binomial(n_good, x) + _log_binomial(n_bad, n_drawn - x) - _log_binomial(n_all, n_drawn)
    )
    total = term.copy()
    while (term > NEGLIGIBLE * total).any():
        fewer, more = x * (n_bad - n_drawn + x), (n_good - x) * (n_drawn - x)
        of_fewer = (n_good - x + 1) * (n_drawn - x + 1)
        of_more = (x + 1) * (n_bad - n_drawn + x + 1)
        term *= np.where(is_lower, fewer, more) / np.where(is_lower, of_fewer, of_more)
        x += np.where(is_lower, -1, 1)
        total += term
    tail = np.where(is_within, np.minimum(total, 1.0), 0.0)
    return np.where(is_lower, tail, 1 - tail)


def _log_binomial(n, k):
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
