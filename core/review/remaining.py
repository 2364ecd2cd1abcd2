"""How far a review is: how many positives are left, and whether to stop reading."""

from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from scipy.special import erf, logsumexp
from scipy.stats import hypergeom, nbinom

from core.options import Interval, validate_params

#: Falls of the rate from first to last read, in powers of e, of the rates that fall by a constant
#: share from document to document; 0 is a constant rate.
DECAYS = np.concatenate([[0.0], np.geomspace(0.25, 64, 25)])
#: Of the rates ``(1 + x / (scale n)) ** -power``, whose tail is long: scales and powers.
SCALES = np.geomspace(0.003, 1, 8)
POWERS = np.linspace(0.5, 3, 6)
#: Of the rates ``exp(-(x / (width n)) ** 2)``, which end: their widths.
WIDTHS = np.geomspace(0.02, 1, 12)
#: Of the test, for a review that its interval says is far enough.
MAX_P_VALUE = 0.5
#: Probability that the interval holds, half of the rest on each side.
LEVEL = 0.9
#: Findings count as at most so many: with more, not chance but the kind of the rate is the error.
MAX_TRUSTED = 50


class Remaining(NamedTuple):
    """Positives among what is not read yet: the median, and the ends of an interval."""

    value: int
    low: int
    high: int


_COUNT = [Interval(Integral, 0, None, closed="left")]
_TARGET = [Interval(Real, 0, 1, closed="neither")]


@validate_params({"n_unread": _COUNT}, prefer_skip_nested_validation=False)
def remaining_positives(is_positive, n_unread):
    """Estimate how many positives are left unread, from when the others were found.

    Findings are a Poisson process whose rate falls along the reading: by a constant share from
    document to document, as a power of the place, or like a bell. What is left is the integral of
    the rate over the unread documents, averaged over all rates as likely as they make the findings,
    with a Jeffreys prior on their number: a mixture of negative binomial distributions. More than
    50 findings say no more of the rate than 50, which keeps the interval from being too narrow.

    Parameters
    ----------
    is_positive : array-like of bool of shape (n_read,)
        What the judgements were, in their order; at least one.
    n_unread : int in [0, inf)
        Documents that nobody judged.

    Returns
    -------
    Remaining
        Integers in [0, ``n_unread``]; the interval is one of 90 %.

    Raises
    ------
    ValueError
        If nothing was read.

    References
    ----------
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
    """
    found = np.asarray(is_positive, dtype=bool)
    if not len(found):
        raise ValueError("nothing was read yet: there is nothing to estimate from.")
    if not n_unread:
        return Remaining(0, 0, 0)
    log_weights, odds = _rates(np.flatnonzero(found) + 0.5, len(found), n_unread)
    trust = min(1.0, MAX_TRUSTED / max(found.sum(), 1))
    weights = np.exp(trust * log_weights - logsumexp(trust * log_weights))
    size = trust * found.sum() + 0.5

    def cumulated(number):
        return float(weights @ nbinom.cdf(number, size, trust / (trust + odds)))

    # More than all cannot be left.
    whole = cumulated(n_unread)
    ends = (0.5, (1 - LEVEL) / 2, (1 + LEVEL) / 2)
    return Remaining(*(_quantile(cumulated, end * whole, n_unread) for end in ends))


def _rates(places, n_read, n_unread):
    """Return how likely each rate makes the findings, and unread over read integrals."""
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
    log_weights = np.concatenate([kind - np.log(len(kind)) for kind in kinds])
    odds = np.concatenate([both / read, both_power / read_power, both_bell / read_bell]) - 1
    return log_weights, np.maximum(odds, 1e-300)


def _power_integral(end, scales, powers):
    """Integrate ``(1 + x / scale) ** -power`` over [0, end]."""
    is_one = powers == 1
    exponent = np.where(is_one, 1.0, 1 - powers)
    general = np.expm1(exponent * np.log1p(end / scales)) / exponent
    return scales * np.where(is_one, np.log1p(end / scales), general)


def _quantile(cumulated, probability, largest):
    """Return the smallest number whose cumulated probability is reached."""
    low, high = 0, largest
    while low < high:
        middle = (low + high) // 2
        if cumulated(middle) >= probability:
            high = middle
        else:
            low = middle + 1
    return low


@validate_params({"n_unread": _COUNT, "target": _TARGET}, prefer_skip_nested_validation=False)
def recall_test(is_positive, n_unread, *, target=0.95):
    """Test whether the recall of a review is below a target.

    The last documents read, from each finding on, are taken for a random sample of what was not
    read before them: the probability of finding as few as were found, had just too many been
    missed, is hypergeometric. The smallest over all starts counts. As later documents are less
    likely positive than earlier ones, the test is conservative.

    Parameters
    ----------
    is_positive : array-like of bool of shape (n_read,)
        What the judgements were, in their order.
    n_unread : int in [0, inf)
        Documents that nobody judged.
    target : float in (0, 1), default=0.95
        The recall wanted.

    Returns
    -------
    float
        The p-value, in [0, 1]: small where a recall below the target is not credible.

    References
    ----------
    .. [1] M. W. Callaghan and F. Mueller-Hansen, "Statistical stopping criteria for automated
       screening in systematic reviews", Systematic Reviews 9, 273, 2020, equations 5 to 10.

    Examples
    --------
    >>> from core.review.remaining import recall_test
    >>> round(recall_test([True, False, False], 2, target=0.5), 4)
    0.1667
    """
    found = np.asarray(is_positive, dtype=bool)
    n_found = int(found.sum())
    starts = np.concatenate([[0], np.flatnonzero(found) + 1])
    n_before = np.arange(n_found + 1)
    n_drawn = len(found) - starts
    in_urn = n_drawn + n_unread
    # Beyond all documents no number is too many.
    fewest = int(min(n_found / target, len(found) + n_unread)) + 1 - n_before
    is_possible = fewest <= in_urn
    p = hypergeom.cdf(n_found - n_before, in_urn, np.minimum(fewest, in_urn), n_drawn)
    return float(np.where(is_possible, p, 0.0).min())


class Recall(NamedTuple):
    """Share of the positives that were found: by the median left, and the ends of an interval."""

    value: float
    low: float
    high: float


class Progress(NamedTuple):
    """How far a review is: recall, positives left, the p-value, and whether to stop."""

    recall: Recall
    remaining: Remaining
    p_value: float
    is_enough: bool


@validate_params(
    {"n_unread": _COUNT, "n_unsure": _COUNT, "target": _TARGET},
    prefer_skip_nested_validation=False,
)
def progress(is_positive, n_unread, *, n_unsure=0, target=0.95):
    """Estimate how far a review is, and tell whether the recall wanted is reached.

    It is taken to be reached where the lower end of the interval of the recall reaches the target
    and :func:`recall_test` rather speaks for that than against it. Either alone is a worse rule:
    the test at 5 % reads twice as much, the interval alone is fooled by a long plateau.

    Parameters
    ----------
    is_positive : array-like of bool of shape (n_read,)
        What the judgements were, in their order, the positives known before left out; at least one
        is positive.
    n_unread : int in [0, inf)
        Documents that nobody judged.
    n_unsure : int in [0, inf), default=0
        Documents read of which nobody can say whether they are positive: in the order they count
        as not found, at the upper end of what remains each as positive.
    target : float in (0, 1), default=0.95
        The recall wanted, of the positives not known before.

    Returns
    -------
    Progress
        Its intervals hold with a probability of 0.9.

    Raises
    ------
    ValueError
        If nothing was found yet.

    Examples
    --------
    >>> from core.review.remaining import progress
    >>> found = progress([True] * 10 + [False] * 90, 0)
    >>> found.recall.value, found.is_enough
    (1.0, True)
    >>> progress([True, False], 0, n_unsure=1).remaining
    Remaining(value=0, low=0, high=1)
    """
    n_found = int(np.sum(is_positive))
    if not n_found:
        raise ValueError("nothing was found yet: there is no recall.")
    remaining = remaining_positives(is_positive, n_unread)
    remaining = remaining._replace(high=remaining.high + n_unsure)
    shares = [n_found / (n_found + number) for number in remaining]
    recall = Recall(shares[0], shares[2], shares[1])
    p_value = recall_test(is_positive, n_unread, target=target)
    is_enough = recall.low >= target and p_value < MAX_P_VALUE
    return Progress(recall, remaining, p_value, is_enough)
