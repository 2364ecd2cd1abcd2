"""How many positives the seeds of a review tell of, before and after some of the pile is read."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri, softmax
from scipy.stats import betabinom, t

from core.review.reading import checked_reading

#: Probability that intervals hold, half of the rest on each side.
LEVEL = 0.9
#: Numbers up to here are looked at one by one, larger ones by steps of a hundredth.
LAST_SINGLE, STEP = 200, 1.01
#: Degrees of freedom of Student's t: with fewer, an estimate from elsewhere is trusted less.
FREEDOM = 3
#: Least width of half of that estimate's interval, in powers of e.
LEAST_WIDTH = 0.1
#: Ranks that are kept: more hardly tell more.
MOST_RANKS = 200
#: Of an estimate and the ends of its interval, the least: half a positive stands for none.
LEAST_NUMBER = 0.5


class Remaining(NamedTuple):
    """Positives among what is not read yet: the median, and the ends of an interval."""

    value: int
    low: int
    high: int


class Expected(NamedTuple):
    """Positives in a pile before it was read, by an estimate that knows nothing of the reading.

    Attributes
    ----------
    value, low, high : float in (0, inf)
        A median, and the ends of an interval of 90 % around it.
    ranks : tuple of float in (0, 1), default=()
        Where seeds ranked in the pile that were hidden from the first model: shares of it that
        ranked lower.
    """

    value: float
    low: float
    high: float
    ranks: tuple[float, ...] = ()

    def left(self, n_found: int, n_unread: int) -> Remaining:
        """Return how many of them are left among what nobody read.

        Examples
        --------
        >>> from core.review import Expected
        >>> Expected(20.2, 15, 45).left(18, 20)
        Remaining(value=2, low=0, high=20)
        """
        return Remaining(*(min(max(0, round(number) - n_found), n_unread) for number in self[:3]))

    def after(self, is_positive, n_unread, arrival=None, *, n_unsure: int = 0) -> "Expected":
        """Return what is expected of the pile when some of it is read, from its top.

        The seeds tell more than a number: where they ranked when they were hidden, other positives
        rank, so what is read holds the same share of either. Half of the seeds ranked among the
        first sixty documents, and four of these are positive: there are about eight. That asks
        nothing of what only resembles the positives, which makes the estimate too large.

        A number is as likely as it made the estimate (:func:`likelihood`) and, by a beta-binomial
        distribution, what was found, of numbers that are spread evenly in the logarithm of one more
        than the number.

        Parameters
        ----------
        is_positive, n_unread, arrival
            As of :func:`~core.review.remaining.remaining_positives`.
        n_unsure : int in [0, inf), default=0
            Of the documents not found, how many to count as found all the same.

        Returns
        -------
        Expected
            Without ranks, as these have told what they can; itself where it has none.

        References
        ----------
        docs/decisions/0038-where-seeds-rank-tells-what-a-reading-missed.md

        Examples
        --------
        >>> from core.review import Expected
        >>> of_seeds = Expected(75, 25, 140, ranks=(0.99,) * 10 + (0.9,) * 10)
        >>> seen = of_seeds.after([True] * 4 + [False] * 56, 3940)
        >>> round(seen.low), round(seen.value), round(seen.high)
        (5, 10, 23)
        """
        found, n_left, arrival = checked_reading(is_positive, n_unread, arrival)
        if not self.ranks or not len(found):
            return self
        n_found = int(found.sum()) + n_unsure
        sizes = n_left + np.bincount(arrival, minlength=len(n_left))
        depths = 1 - n_left / np.maximum(sizes, 1)
        n_ranks = len(self.ranks)
        # Each arrival is a ranking of its own, with as large a share of positives.
        above = 1 - np.searchsorted(np.sort(self.ranks), 1 - depths, side="right") / n_ranks
        n_reached = n_ranks * float(above @ sizes) / sizes.sum()

        lows, tops = steps_of(int(n_left.sum()))
        numbers = n_found + np.round((lows + tops) / 2)
        # In logarithms: what was found may be far from what the ranks tell.
        p = np.log(np.log((n_found + tops + 1.5) / (n_found + lows + 0.5)))
        p += np.log(likelihood(numbers, self))
        p += betabinom.logpmf(n_found, numbers, n_reached + 0.5, n_ranks - n_reached + 0.5)
        reached = np.cumsum(softmax(p))
        upper = (1 + LEVEL) / 2
        places = np.searchsorted(reached, np.array([0.5, 1 - upper, upper]) * reached[-1])
        return Expected(*np.maximum(numbers[places], LEAST_NUMBER).tolist())


def steps_of(n_unread):
    """Return the least and the largest number of each step from 0 to all.

    Examples
    --------
    >>> from core.review.expected import steps_of
    >>> [ends.tolist() for ends in steps_of(2)]
    [[0, 1, 2], [0, 1, 2]]
    """
    steps = np.arange(1, max(0, np.log(max(n_unread, 1) / LAST_SINGLE)) / np.log(STEP))
    larger = (LAST_SINGLE * STEP**steps).astype(np.int64)
    tops = np.unique(np.concatenate([np.arange(min(LAST_SINGLE, n_unread)), larger, [n_unread]]))
    return np.append(0, tops[:-1] + 1), tops


def likelihood(numbers, expected):
    """Return how likely each number of positives makes an estimate of them.

    The logarithm of the estimate scatters around the true one as far as its interval says on either
    side, by Student's t.

    Raises
    ------
    ValueError
        If ``expected`` is not in the order ``0 < low <= value <= high``.

    Examples
    --------
    >>> import numpy as np
    >>> from core.review.expected import Expected, likelihood
    >>> likelihood(np.array([0, 10, 100]), Expected(10, 5, 20)).argmax()
    np.int64(1)
    """
    if not 0 < expected.low <= expected.value <= expected.high:
        raise ValueError(f"expected must have 0 < low <= value <= high; it is {expected[:3]}.")
    distances = np.log(np.maximum(numbers, LEAST_NUMBER) / expected.value)
    halves = np.log([expected.value / expected.low, expected.high / expected.value])
    below, above = np.maximum(halves, LEAST_WIDTH) / ndtri((1 + LEVEL) / 2)
    return t.pdf(distances / np.where(distances < 0, below, above), FREEDOM)


def kept_ranks(ranks):
    """Return the ranks of an :class:`Expected`: as they are, or as many evenly from all of them.

    Examples
    --------
    >>> from core.review.expected import kept_ranks
    >>> kept_ranks([0.75, 0.25]), len(kept_ranks([0.5] * 1000))
    ((0.25, 0.75), 200)
    """
    ascending = np.sort(ranks)
    if len(ascending) > MOST_RANKS:
        ascending = np.quantile(ascending, (np.arange(MOST_RANKS) + 0.5) / MOST_RANKS)
    return tuple(ascending.round(9).tolist())
