"""The class prior of what is left of a pile in which positives were found by reading."""

from typing import NamedTuple

from core.class_prior.clamp import MIN_UNLABELED, clamp_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.class_prior.prior_flags import prior_flags
from core.kernels.graphs.conductance import least_conductance_share
from core.review.remaining import remaining_positives

#: How much nearness to the estimate counts beside the conductance, half of what it does elsewhere:
#: less is known of what a review left than of a pile that nobody read.
NEARNESS = 1.0
#: What was found counts as so many times what the estimate leaves, at most: beside many that were
#: found, one would be as near as twenty.
MOST_FOUND = 2.0


class Pile(NamedTuple):
    """Samples that positives are found in.

    Attributes
    ----------
    n_samples : int in [1, inf)
        All of it: what was labeled before aside.
    n_found : int in [0, n_samples]
        Positives that were found in it by reading.
    n_left : int in [0, n_samples]
        Samples that nobody judged.
    """

    n_samples: int
    n_found: int
    n_left: int


def class_prior_of_rest(estimate, pile):
    """Turn the class prior of a pile into that of what nobody has judged yet.

    Positives that were found by reading a ranking are no random draw: what is left is less like
    them, and next to nothing seems to be left. The other positives are still such a draw from the
    pile as it was. What they tell of it, less what was found, is left.

    Parameters
    ----------
    estimate : PriorEstimate
        Of the pile, from positives that were drawn at random.
    pile : Pile
        What it is of.

    Returns
    -------
    PriorEstimate
        Each number leaves a positive and a negative, flagged ``at_bound`` where the value had to
        be moved for that: more was found than the estimate allows, say. Of fewer than
        ``MIN_UNLABELED`` samples there is no share to speak of, and no estimate.

    Examples
    --------
    >>> from core.class_prior import PriorEstimate
    >>> from core.class_prior.judged_pile import Pile, class_prior_of_rest
    >>> estimate = PriorEstimate(0.2, 0.1, 0.3)
    >>> rest = class_prior_of_rest(estimate, Pile(100, n_found=12, n_left=80))
    >>> [round(share, 4) for share in (rest.value, rest.low, rest.high)]
    [0.1, 0.0125, 0.225]
    """
    n_samples, n_found, n_left = pile
    if n_left < MIN_UNLABELED:
        return PriorEstimate(None, reason="too_few_unlabeled")

    def of_rest(share):
        if share is None:
            return None
        return clamp_prior((share * n_samples - n_found) / n_left, n_left)

    rest = PriorEstimate(*map(of_rest, estimate[:4]), estimate.reason, details=estimate.details)
    if rest.value is None:
        return rest
    return rest._replace(flags=prior_flags(*rest[:4], n_left))


def class_prior_of_unread(reading, expected, n_left):
    """Return the class prior of what is left of a pile that was read from the top.

    Parameters
    ----------
    reading : Reading
        What was judged, in its order, and how many samples are unread.
    expected : Expected or None
        How many positives the pile had before it was read, as those tell that were drawn at random.
    n_left : int in [1, inf)
        Samples without a label; more than are unread where some were read and stayed unsure.

    Returns
    -------
    PriorEstimate
        Of :func:`~core.review.remaining.remaining_positives`; flagged ``at_bound`` where one is
        left at most.

    Examples
    --------
    >>> from core.class_prior.judged_pile import class_prior_of_unread
    >>> from core.review import Expected, Reading
    >>> reading = Reading([True] * 10, 90)
    >>> class_prior_of_unread(reading, Expected(20, 15, 25), 90).high < 0.25
    True
    """
    if n_left < MIN_UNLABELED:
        return PriorEstimate(None, reason="too_few_unlabeled")
    # Any that stayed unsure may be positive. Some that are unread may be gone.
    n_unsure = max(0, n_left - reading.n_left)
    left = remaining_positives(*reading, expected=expected, n_unsure=n_unsure)
    shares = [clamp_prior(number / n_left, n_left) for number in left]
    return PriorEstimate(*shares, flags=prior_flags(*shares, None, n_left))


def where_few_edges_leave(estimate, conductance, pile):
    """Take the class prior of what is left, near an estimate, that few edges of a graph leave.

    Parameters
    ----------
    estimate : PriorEstimate
        Of what is left.
    conductance : ndarray of shape (n_candidates,)
        Of :func:`~core.kernels.graphs.conductance.candidate_conductance`: of what is left, or a
        sample of it, with all that was found.
    pile : Pile

    Returns
    -------
    PriorEstimate
        Near is what has the number of positives in common, those left and those found: the more
        were found, the better is known how many there are. Its interval is stretched to hold it.

    References
    ----------
    docs/decisions/0032-a-review-cuts-where-few-edges-leave.md

    Examples
    --------
    Of 20 samples that are left, edges leave none of the first four:

    >>> import numpy as np
    >>> from core.class_prior import PriorEstimate
    >>> from core.class_prior.judged_pile import Pile, where_few_edges_leave
    >>> conductance = np.where(np.arange(1, 21) == 4, 0.01, 0.5)
    >>> estimate = PriorEstimate(0.5, 0.3, 0.8)
    >>> where_few_edges_leave(estimate, conductance, Pile(30, n_found=10, n_left=20))[:3]
    (0.2, 0.2, 0.8)
    """
    if estimate.value is None:
        return estimate
    found = min(pile.n_found / pile.n_left, MOST_FOUND * estimate.value)
    share = least_conductance_share(conductance, estimate.value, known=found, nearness=NEARNESS)
    value = clamp_prior(share, pile.n_left)
    low, high = min(estimate.low, value), max(estimate.high, value)
    flags = prior_flags(value, low, high, estimate.largest_admissible, pile.n_left)
    return estimate._replace(value=value, low=low, high=high, flags=flags)
