"""The class prior of what is left of a pile in which positives were found by reading."""

import numpy as np

from core.class_prior.clamp import MIN_UNLABELED, clamp_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.class_prior.prior_flags import prior_flags

#: Added to the widths of intervals, as logarithms: one without any does not decide alone.
LEAST_WIDTH = 0.1


def class_prior_of_rest(estimate, *, n_pile, n_found, n_left):
    """Turn the class prior of a pile into that of what nobody has judged yet.

    Positives that were found by reading a ranking are no random draw: what is left is less like
    them, and next to nothing seems to be left. The other positives are still such a draw from the
    pile as it was. What they tell of it, less what was found, is left.

    Parameters
    ----------
    estimate : PriorEstimate
        Of the pile, from positives that were drawn at random.
    n_pile : int in [1, inf)
        Samples that it is of: all but those positives.
    n_found : int in [0, n_pile]
        Positives that were found among them.
    n_left : int in [1, n_pile]
        Samples that nobody judged.

    Returns
    -------
    PriorEstimate
        Each number leaves a positive and a negative, flagged ``at_bound`` where the value had to
        be moved for that: more was found than the estimate allows, say. Of fewer than
        ``MIN_UNLABELED`` samples there is no share to speak of, and no estimate.

    Examples
    --------
    >>> from core.class_prior.judged_pile import class_prior_of_rest
    >>> from core.class_prior.prior_estimate import PriorEstimate
    >>> estimate = PriorEstimate(0.2, 0.1, 0.3)
    >>> rest = class_prior_of_rest(estimate, n_pile=100, n_found=12, n_left=80)
    >>> [round(share, 4) for share in (rest.value, rest.low, rest.high)]
    [0.1, 0.0125, 0.225]
    """
    if n_left < MIN_UNLABELED:
        return PriorEstimate(None, reason="too_few_unlabeled")

    def of_rest(share):
        return None if share is None else clamp_prior((share * n_pile - n_found) / n_left, n_left)

    rest = PriorEstimate(*map(of_rest, estimate[:4]), estimate.reason, details=estimate.details)
    if rest.value is None:
        return rest
    return rest._replace(flags=prior_flags(*rest[:4], n_left))


def class_prior_of_unread(of_rest, remaining, n_left):
    """Return the class prior of what is left of a pile that was read from the top.

    It is a geometric mean of two estimates that know nothing of each other: what the positives
    that were drawn at random tell, less what was found, and what the order of the findings tells.
    The first says too much late in a review, the second too little at its start, and each has a
    wide interval then: one weighs as much as its interval is narrow, on a scale of logarithms.

    Parameters
    ----------
    of_rest : PriorEstimate
        Of :func:`class_prior_of_rest`; one without a value leaves the other alone.
    remaining : Remaining or None
        Of :func:`~core.review.remaining.remaining_positives`; None leaves the other alone.
    n_left : int in [1, inf)
        Samples that nobody judged.

    Returns
    -------
    PriorEstimate
        Its ends are means as the value is. Flagged ``at_bound`` where both tell of one left at
        most.

    References
    ----------
    docs/decisions/0014-what-a-review-finds-is-no-random-draw.md

    Examples
    --------
    >>> from core.class_prior.judged_pile import class_prior_of_unread
    >>> from core.class_prior.prior_estimate import PriorEstimate
    >>> from core.review.remaining import Remaining
    >>> seeds, order = PriorEstimate(0.4, 0.2, 0.5), Remaining(10, 4, 30)
    >>> [round(share, 3) for share in class_prior_of_unread(seeds, order, 100)[:3]]
    [0.255, 0.119, 0.424]
    """
    if remaining is None:
        return of_rest
    if n_left < MIN_UNLABELED:
        return PriorEstimate(None, reason="too_few_unlabeled")
    shares = [clamp_prior(number / n_left, n_left) for number in remaining]
    if of_rest.value is not None:
        both = np.array([of_rest[:3], shares])
        logs = np.log(both)
        weights = 1 / (logs[:, 2] - logs[:, 1] + LEAST_WIDTH)
        means = np.exp(weights @ logs / weights.sum())
        # Rounding must not lead out of both, of which one may be the least there is.
        shares = np.clip(means, both.min(axis=0), both.max(axis=0)).tolist()
    return PriorEstimate(*shares, flags=prior_flags(*shares, None, n_left))
