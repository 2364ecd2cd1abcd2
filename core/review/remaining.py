"""How many positives a review has left unread."""

import numpy as np
from scipy.special import softmax
from scipy.stats import nbinom

from core.options import AT_LEAST_ZERO, validate_params
from core.review.expected import LEVEL, Expected, Remaining, likelihood, steps_of
from core.review.falling_rates import falling_rates
from core.review.reading import COUNTS, checked_reading, depths

#: More findings count as so many: beyond, the error is not chance but the shape of the rate.
MAX_TRUSTED = 50
#: Numbers reached with a smaller probability before anything was found count as impossible.
LEAST_TAIL = 1e-6
#: Numbers that are less likely do not count in sums.
LEAST = 1e-9


@validate_params(
    {"n_unread": COUNTS, "n_unsure": [AT_LEAST_ZERO]}, prefer_skip_nested_validation=False
)
def remaining_positives(is_positive, n_unread, arrival=None, *, expected=None, n_unsure=0):
    """Estimate how many positives are left unread, from when the others were found.

    Findings are a Poisson process whose rate falls along the reading: by a constant share from
    document to document, as a power of the place, or like a bell. What is left is the integral of
    the rate over the unread documents, averaged over all rates as likely as they make the findings,
    with a Jeffreys prior on their number: a mixture of negative binomial distributions. More than
    50 findings say no more of the rate than 50, which keeps the interval from being too narrow.

    Before anything is read, these rates already make some numbers likely. What the findings tell is
    how much likelier they make each number than it was. Beforehand, numbers are taken to be spread
    evenly in the logarithm of one more than the number.

    At the start of a reading that leaves all open. Then an estimate from elsewhere, such as the
    class prior, tells more; later the order of the findings does. So the probability of each number
    is multiplied by how likely it makes the estimate: of which what was found is known by then
    (:meth:`Expected.after`). The logarithm of the estimate is taken to scatter around the true one
    as far as its interval says on either side, by Student's t with 3 degrees of freedom, as
    estimates are now and then far off.

    What came in later is read from its top, too: documents that came in together are a ranking of
    their own, and the rate goes by the share of it that is read. All arrivals are taken to be of
    one kind. An arrival of which nothing is read yet holds, by chance more or less, what the others
    had as far down as they were read; what is left of all further down is estimated as above.

    Parameters
    ----------
    is_positive : array-like of bool or of 0 and 1, of shape (n_read,)
        What the judgements were, in their order; at least one.
    n_unread : int in [0, inf), or array-like of int of shape (n_arrivals,)
        Documents that nobody judged, of each arrival where there are several.
    arrival : array-like of int of shape (n_read,), default=None
        Which arrival each judged document came with, in [0, ``n_arrivals``); None where all were
        there from the start.
    expected : Expected, default=None
        How many positives there were among all of these, read and unread, by another estimate.
    n_unsure : int in [0, inf), default=0
        Documents that were read without a decision. In the order they count as not found; at the
        upper end of what remains each counts as positive.

    Returns
    -------
    Remaining
        Integers from 0 to all that is unread, ``n_unsure`` more at the upper end; the interval is
        one of 90 %.

    Raises
    ------
    ValueError
        If nothing was read, ``expected`` is not in the order ``0 < low <= value <= high``, or
        arrivals are not such numbers, one for each judgement.

    References
    ----------
    docs/decisions/0018-what-order-and-seeds-tell-together.md,
    docs/decisions/0020-what-came-in-later-is-a-ranking-of-its-own.md,
    docs/decisions/0038-where-seeds-rank-tells-what-a-reading-missed.md

    .. [1] M. Stevenson and R. Bin-Hezam, "Stopping methods for technology-assisted reviews based
       on point processes", ACM Transactions on Information Systems 42(3), 2023; there one rate is
       fitted and taken for true.

    Examples
    --------
    >>> from core.review import remaining_positives
    >>> remaining_positives([True] * 10 + [False] * 90, 100).high < 2
    True
    >>> remaining_positives([True, False] * 10, 0)
    Remaining(value=0, low=0, high=0)

    After ten findings in ten documents, of which 100 were expected:

    >>> from core.review import Expected
    >>> alone = remaining_positives([True] * 10, 990)
    >>> joined = remaining_positives([True] * 10, 990, expected=Expected(100, 80, 120))
    >>> alone.low < 10 < 50 < joined.low < joined.high < 150 < alone.high
    True

    Read to its end, before as many came in again:

    >>> judged = [True] * 10 + [False] * 90
    >>> remaining_positives(judged, [0, 100], [0] * 100).value
    10
    """
    found, n_left, arrival = checked_reading(is_positive, n_unread, arrival)
    if not len(found):
        raise ValueError("nothing was read yet: there is nothing to estimate from.")
    n_unread = int(n_left.sum())
    if not n_unread:
        return Remaining(0, 0, n_unsure)
    n_found = int(found.sum())
    lows, tops = steps_of(n_unread)
    rates = falling_rates(*depths(found, n_left, arrival))
    p = np.log((tops + 1.5) / (lows + 0.5)) * _evidence(rates, n_found, tops)
    if len(n_left) > 1:
        p = _sums(p / p.sum(), _shallow(rates, n_found, tops), tops)

    def numbers(n_sure, *probabilities):
        """Return the numbers that are not exceeded with probabilities, of unsure ones as found."""
        weights = p
        if expected is not None:
            seen = Expected(*expected).after(found, n_left, arrival, n_unsure=n_sure)
            weights = p * likelihood(n_found + n_sure + (lows + tops) / 2, seen)
        reached = np.cumsum(weights)
        return tops[np.searchsorted(reached, np.array(probabilities) * reached[-1])].tolist()

    upper = (1 + LEVEL) / 2
    value, low, high = numbers(0, 0.5, 1 - upper, upper)
    if n_unsure:
        # If all of them are positive, more was found, and less of what was expected is left.
        (rest,) = numbers(n_unsure, upper)
        high = max(high, rest + n_unsure)
    return Remaining(value, low, high)


def _evidence(rates, n_found, tops):
    """Return how much likelier findings make each step of numbers than the rates did before.

    Of numbers left deeper than is read. Far beyond what any rate would leave, that is the same for
    all numbers, however large: there it is 0.
    """
    trust = _trust(n_found)
    size, p = trust * n_found + 0.5, trust / (trust + np.maximum(rates.deep, 1e-300)[:, None])
    up_to, beyond = nbinom.cdf(tops, size, p), nbinom.sf(tops, size, p)
    # Near 1 the differences of one are lost, near 0 those of the other.
    of_rates = np.where(up_to < 0.5, np.diff(up_to, prepend=0), -np.diff(beyond, prepend=1))
    before, after = softmax([rates.log_prior, _log_weights(rates, trust)], axis=1)
    is_expected = before @ (beyond + of_rates) >= LEAST_TAIL
    is_expected &= before @ of_rates > 0
    none = np.zeros(len(tops))
    return np.divide(after @ of_rates, before @ of_rates, out=none, where=is_expected)


def _trust(n_found):
    return min(1.0, MAX_TRUSTED / max(n_found, 1))


def _log_weights(rates, trust):
    return trust * (rates.log_prior + rates.log_likelihood)


def _shallow(rates, n_found, tops):
    """Return the probability of each step of numbers left no deeper than is read elsewhere.

    There the rate is known: the findings tell the numbers themselves, not only how likely each is.
    """
    trust = _trust(n_found)
    p = trust / (trust + np.maximum(rates.shallow, 0)[:, None])
    up_to = softmax(_log_weights(rates, trust)) @ nbinom.cdf(tops, trust * n_found + 0.5, p)
    return np.diff(np.append(up_to[:-1], 1.0), prepend=0.0)


def _sums(p, other, tops):
    """Return the probabilities of sums of two numbers, given those of either, by steps."""
    middles = (np.append(0, tops[:-1] + 1) + tops) / 2
    ones, others = np.flatnonzero(p > LEAST), np.flatnonzero(other > LEAST)
    sums = np.minimum(np.add.outer(middles[ones], middles[others]), tops[-1])
    steps = np.searchsorted(tops, sums.ravel())
    return np.bincount(steps, np.outer(p[ones], other[others]).ravel(), minlength=len(tops))
