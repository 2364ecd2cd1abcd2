"""The class prior of scores where it is given, or where positives were found by reading."""

from typing import NamedTuple

from core.class_prior.clamp import MIN_UNLABELED, clamp_prior
from core.class_prior.consensus import consensus_of_ranks
from core.class_prior.judged_pile import class_prior_of_rest, class_prior_of_unread
from core.class_prior.largest_admissible import is_far_above, largest_admissible_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.evaluation.hide_judgements import HiddenJudgements
from core.review.reading import Reading
from core.review.remaining import Expected

FOUND_BY_READING = "found_by_reading"


class Review(NamedTuple):
    """What is known of the reading of a ranking.

    Attributes
    ----------
    n_found : int in [0, inf), default=0
        Positives that were found so, so that they are no random draw.
    reading : Reading, default=None
        What was judged, in its order, where most positives were found so: then hidden positives
        tell no probabilities.
    judged : HiddenJudgements, default=None
        Where judged samples rank that are hidden, which tells them then.
    """

    n_found: int = 0
    reading: Reading | None = None
    judged: HiddenJudgements | None = None


NO_REVIEW = Review()


def given_prior_or_reason(class_prior, reason, bounding, *, n_pile, n_found, n_left, most=None):
    """Return the class prior that is given, or why none can be estimated.

    Parameters
    ----------
    class_prior : float in [0, 1] or None
        As it was given.
    reason : str or None
        Why hidden positives tell nothing.
    bounding : PairedRanks or None
        What bounds a class prior that is given: of the pile, what was found in it included.
    n_pile, n_found, n_left : int
        Samples of the pile, positives that were found in it by reading, and what nobody judged.
    most : float, default=None
        The largest share that a review allows, which counts in place of what bounds it.

    Returns
    -------
    PriorEstimate or None
        None where one can be estimated.

    Examples
    --------
    >>> from core.calibration.known_prior import given_prior_or_reason
    >>> given_prior_or_reason(0.3, None, None, n_pile=100, n_found=0, n_left=100).value
    0.3
    """
    if class_prior is not None:
        share = clamp_prior(class_prior, n_left)
        largest = most
        if largest is None and bounding:
            largest = largest_admissible_prior(*bounding)
        if n_found and most is None:
            of_pile = PriorEstimate(None, largest_admissible=largest)
            of_rest = class_prior_of_rest(of_pile, n_pile=n_pile, n_found=n_found, n_left=n_left)
            largest = of_rest.largest_admissible
        flags = ["at_bound"] if share != class_prior else []
        if largest is not None and share > largest:
            flags.append("above_admissible")
        given = {"given": float(class_prior)}
        return PriorEstimate(share, share, share, largest, flags=tuple(flags), details=given)
    reason = None if reason == FOUND_BY_READING else reason
    if n_left < MIN_UNLABELED:
        reason = reason or "too_few_unlabeled"
    return PriorEstimate(None, reason=reason) if reason else None


def prior_in_review(left_out, reading, *, n_pile, n_found, n_left, random_state):
    """Return the class prior of what is left of a pile in which positives were found by reading.

    Parameters
    ----------
    left_out : PairedRanks or None
        Of the other positives among the pile.
    reading : Reading or None
        What was judged, in its order, where that tells how many are left.
    n_pile, n_found, n_left
        As of :func:`given_prior_or_reason`.
    random_state : int, RandomState instance or None
        Of the estimators.

    Returns
    -------
    PriorEstimate
    expected : Expected or None
        How many positives the pile had, as the other positives tell.
    """
    of_pile = PriorEstimate(None, reason="too_few_positives")
    if left_out is not None:
        of_pile = consensus_of_ranks(left_out, random_state=random_state)
    expected = expected_positives(of_pile, n_pile)
    if reading is not None:
        return class_prior_of_unread(reading, expected, n_left), expected
    sizes = {"n_pile": n_pile, "n_found": n_found, "n_left": n_left}
    return class_prior_of_rest(of_pile, **sizes), expected


def expected_positives(prior, n_samples):
    """Return how many positives a class prior means, None without one.

    Examples
    --------
    >>> from core.calibration.known_prior import expected_positives
    >>> from core.class_prior.prior_estimate import PriorEstimate
    >>> expected_positives(PriorEstimate(0.25, 0.125, 0.5), 80)
    Expected(value=20.0, low=10.0, high=40.0)
    """
    if prior.value is None:
        return None
    return Expected(*(share * n_samples for share in (prior.value, prior.low, prior.high)))


def is_contradicted(prior, *, is_given):
    """Return whether a class prior is given that is far above what hidden positives allow."""
    is_above = is_given and "above_admissible" in prior.flags
    return is_above and is_far_above(prior.value, prior.largest_admissible)
