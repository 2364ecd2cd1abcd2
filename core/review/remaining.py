"""How many positives a review has left unread."""

from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf, ndtri, softmax
from scipy.stats import nbinom, t

from core.options import Interval, validate_params

#: Falls of the rate from first to last read, in powers of e, of the rates that fall by a constant
#: share from document to document; 0 is a constant rate.
DECAYS = np.concatenate([[0.0], np.geomspace(0.25, 64, 25)])
#: Of the rates ``(1 + x / (scale n)) ** -power``, whose tail is long: scales and powers.
SCALES = np.geomspace(0.003, 1, 8)
POWERS = np.linspace(0.5, 3, 6)
#: Of the rates ``exp(-(x / (width n)) ** 2)``, which end: their widths.
WIDTHS = np.geomspace(0.02, 1, 12)
#: Probability that the interval holds, half of the rest on each side.
LEVEL = 0.9
#: Findings count as at most so many: with more, not chance but the kind of the rate is the error.
MAX_TRUSTED = 50
#: Numbers up to here are looked at one by one, larger ones by steps of a hundredth.
LAST_SINGLE, STEP = 200, 1.01
#: What no rate exceeds with a larger probability before anything is found is no number to expect.
LEAST_TAIL = 1e-6
#: Of Student's t; the fewer, the more often an estimate from elsewhere is taken to be far off.
FREEDOM = 3
#: The least that half of its interval spans, in powers of e.
LEAST_WIDTH = 0.1


class Remaining(NamedTuple):
    """Positives among what is not read yet: the median, and the ends of an interval."""

    value: int
    low: int
    high: int


class Expected(NamedTuple):
    """Positives in a pile before it was read, by an estimate that knows nothing of the reading.

    A median above 0, and the ends of an interval of 90 % around it.
    """

    value: float
    low: float
    high: float

    def left(self, n_found: int, n_unread: int) -> Remaining:
        """Return how many of them are left among what nobody read.

        Examples
        --------
        >>> from core.review.remaining import Expected
        >>> Expected(20.2, 15, 45).left(18, 20)
        Remaining(value=2, low=0, high=20)
        """
        return Remaining(*(min(max(0, round(number) - n_found), n_unread) for number in self))


class Reading(NamedTuple):
    """A pile that is read from the top of a ranking: what was judged, and how much is left.

    What the judgements were, positive or not, in their order; and documents that nobody judged.
    """

    is_positive: ArrayLike
    n_unread: int


_COUNT = [Interval(Integral, 0, None, closed="left")]


@validate_params({"n_unread": _COUNT, "n_unsure": _COUNT}, prefer_skip_nested_validation=False)
def remaining_positives(is_positive, n_unread, *, expected=None, n_unsure=0):
    """Estimate how many positives are left unread, from when the others were found.

    Findings are a Poisson process whose rate falls along the reading: by a constant share from
    document to document, as a power of the place, or like a bell. What is left is the integral of
    the rate over the unread documents, averaged over all rates as likely as they make the findings,
    with a Jeffreys prior on their number: a mixture of negative binomial distributions. More than
    50 findings say no more of the rate than 50, which keeps the interval from being too narrow.

    Before anything is read these rates have numbers of their own that they make likely. What the
    findings tell is how much likelier they make each number than it was; beforehand all are taken
    to be as likely as flat in the logarithm of one more than the number.

    At the start of a reading that leaves all open. An estimate from elsewhere, by the class prior
    say, tells more then, and the order of the findings more later: the probability of each number
    is multiplied by how likely it makes the estimate, the logarithm of which scatters around the
    true one as its interval tells of either side, but by Student's t with 3 degrees of freedom, as
    estimates are now and then far off.

    Parameters
    ----------
    is_positive : array-like of bool of shape (n_read,)
        What the judgements were, in their order; at least one.
    n_unread : int in [0, inf)
        Documents that nobody judged.
    expected : Expected, default=None
        How many positives there were among all of these, read and unread, by another estimate.
    n_unsure : int in [0, inf), default=0
        Documents read of which nobody can say whether they are positive: in the order they count
        as not found, at the upper end of what remains each as positive.

    Returns
    -------
    Remaining
        Integers in [0, ``n_unread``], ``n_unsure`` more at the upper end; the interval is one of
        90 %.

    Raises
    ------
    ValueError
        If nothing was read, or what is expected is not in the order ``0 < low <= value <= high``.

    References
    ----------
    docs/decisions/0018-what-order-and-seeds-tell-together.md

    .. [1] M. Stevenson and R. Bin-Hezam, "Stopping methods for technology-assisted reviews based
       on point processes", ACM Transactions on Information Systems 42(3), 2023; there one rate is
       fitted and taken for true.

    Examples
    --------
    >>> from core.review.remaining import remaining_positives
    >>> remaining_positives([True] * 10 + [False] * 90, 100).high < 2
    True
    >>> remaining_positives([True, False] * 10, 0)
    Remaining(value=0, low=0, high=0)

    After ten findings in ten documents, of which 100 were expected:

    >>> from core.review.remaining import Expected
    >>> alone = remaining_positives([True] * 10, 990)
    >>> joined = remaining_positives([True] * 10, 990, expected=Expected(100, 80, 120))
    >>> alone.low < 10 < 50 < joined.low < joined.high < 150 < alone.high
    True
    """
    found = np.asarray(is_positive, dtype=bool)
    if not len(found):
        raise ValueError("nothing was read yet: there is nothing to estimate from.")
    if not n_unread:
        return Remaining(0, 0, n_unsure)
    tops = _tops(n_unread)
    lows = np.append(0, tops[:-1] + 1)
    p = np.log((tops + 1.5) / (lows + 0.5)) * _evidence(found, tops, n_unread)

    def numbers(n_positive, *probabilities):
        """Return the numbers that are not exceeded with probabilities."""
        weights = p
        if expected is not None:
            weights = p * _likelihood((lows + tops) / 2, n_positive, Expected(*expected))
        reached = np.cumsum(weights)
        return tops[np.searchsorted(reached, np.array(probabilities) * reached[-1])].tolist()

    n_found, upper = int(found.sum()), (1 + LEVEL) / 2
    value, low, high = numbers(n_found, 0.5, 1 - upper, upper)
    if n_unsure:
        # If all of them are positive, so many fewer are to be expected among the unread.
        (rest,) = numbers(n_found + n_unsure, upper)
        high = max(high, rest + n_unsure)
    return Remaining(value, low, high)


def _tops(n_unread):
    """Return the largest number of each step from 0 to all."""
    steps = np.arange(1, max(0, np.log(n_unread / LAST_SINGLE)) / np.log(STEP))
    larger = (LAST_SINGLE * STEP**steps).astype(np.int64)
    return np.unique(np.concatenate([np.arange(min(LAST_SINGLE, n_unread)), larger, [n_unread]]))


def _evidence(found, tops, n_unread):
    """Return how much likelier the findings make each step of numbers than it was before.

    Far beyond what any rate would leave, that is the same for all numbers, however large: there it
    is 0.
    """
    n_found = int(found.sum())
    log_prior, log_likelihood, odds = _rates(np.flatnonzero(found) + 0.5, len(found), n_unread)
    trust = min(1.0, MAX_TRUSTED / max(n_found, 1))
    size, p = trust * n_found + 0.5, trust / (trust + odds[:, None])
    up_to, beyond = nbinom.cdf(tops, size, p), nbinom.sf(tops, size, p)
    # Near 1 the differences of one are lost, near 0 those of the other.
    of_rates = np.where(up_to < 0.5, np.diff(up_to, prepend=0), -np.diff(beyond, prepend=1))
    before, after = softmax([log_prior, trust * (log_prior + log_likelihood)], axis=1)
    is_expected = before @ (beyond + of_rates) >= LEAST_TAIL
    is_expected &= before @ of_rates > 0
    none = np.zeros(len(tops))
    return np.divide(after @ of_rates, before @ of_rates, out=none, where=is_expected)


def _likelihood(numbers, n_found, expected):
    """Return how likely each number left makes what was expected of the whole pile."""
    if not 0 < expected.low <= expected.value <= expected.high:
        raise ValueError(f"what is expected is not 0 < low <= value <= high: {expected}.")
    # Where nothing was found and nothing is left, half a positive stands for none.
    distances = np.log(np.maximum(n_found + numbers, 0.5) / expected.value)
    halves = np.log([expected.value / expected.low, expected.high / expected.value])
    below, above = np.maximum(halves, LEAST_WIDTH) / ndtri((1 + LEVEL) / 2)
    return t.pdf(distances / np.where(distances < 0, below, above), FREEDOM)


def _rates(places, n_read, n_unread):
    """Return logarithms of the prior and the likelihood of each rate, and unread over read."""
    share = places / n_read
    end = 1 + n_unread / n_read
    decays = DECAYS[1:]
    read = np.concatenate([[1.0], -np.expm1(-decays) / decays])
    both = np.concatenate([[end], -np.expm1(-decays * end) / decays])
    exponential = -DECAYS * share.sum() - len(share) * np.log(read)
    scales, powers = (grid.ravel() for grid in np.meshgrid(SCALES, POWERS))
    read_power, both_power = (_power_integral(x, scales, powers) for x in (1.0, end))
    logs = np.log1p(share[:, None] / scales).sum(axis=0)
    power = -powers * logs - len(share) * np.log(read_power)
    read_bell, both_bell = (WIDTHS * erf(x / WIDTHS) * np.sqrt(np.pi) / 2 for x in (1.0, end))
    bell = -((share[:, None] / WIDTHS) ** 2).sum(axis=0) - len(share) * np.log(read_bell)
    kinds = (exponential, power, bell)
    log_prior = np.concatenate([np.full(len(kind), -np.log(len(kind))) for kind in kinds])
    odds = np.concatenate([both / read, both_power / read_power, both_bell / read_bell]) - 1
    return log_prior, np.concatenate(kinds), np.maximum(odds, 1e-300)


def _power_integral(end, scales, powers):
    """Integrate ``(1 + x / scale) ** -power`` over [0, end]."""
    is_one = powers == 1
    exponent = np.where(is_one, 1.0, 1 - powers)
    general = np.expm1(exponent * np.log1p(end / scales)) / exponent
    return scales * np.where(is_one, np.log1p(end / scales), general)
