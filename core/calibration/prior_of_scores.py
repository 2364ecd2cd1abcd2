"""The class prior of scores: given, told by hidden positives, or left by a review."""

from typing import NamedTuple

import numpy as np

from core.class_prior.clamp import MIN_UNLABELED, clamp_prior
from core.class_prior.consensus import consensus_of_ranks
from core.class_prior.hidden_positives import hidden_positives_prior
from core.class_prior.judged_pile import (
    class_prior_of_rest,
    class_prior_of_unread,
    where_few_edges_leave,
)
from core.class_prior.largest_admissible import is_far_above, largest_admissible_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.evaluation.hide_judgements import HiddenJudgements
from core.review.expected import Expected, kept_ranks
from core.review.reading import Reading

FOUND_BY_READING = "found_by_reading"


class Review(NamedTuple):
    """What is known of the reading of a ranking.

    Attributes
    ----------
    n_found : int in [0, inf), default=0
        Positives that were found by it, so that they are no random draw.
    reading : Reading, default=None
        What was judged, in its order, where most positives were found by it: then hidden positives
        tell no probabilities.
    judged : HiddenJudgements, default=None
        Where judged samples rank when they are hidden, which then tells the probabilities.
    expected : Expected, default=None
        How many positives the pile had, as the other positives told before it was read; None
        estimates it anew.
    is_from_top : bool, default=False
        Whether what was judged was read from the top of a ranking, and negatives with it
        (:func:`~core.review.from_top.is_from_top`). Then it tells how many there are, though fewer
        positives were found by it than not.
    """

    n_found: int = 0
    reading: Reading | None = None
    judged: HiddenJudgements | None = None
    expected: Expected | None = None
    is_from_top: bool = False

    @property
    def reason(self):
        """Why nothing tells probabilities, None where something does."""
        return FOUND_BY_READING if self.reading is not None and self.judged is None else None


NO_REVIEW = Review()


def given_prior(class_prior, n_left, largest):
    """Return a class prior that is given as an estimate.

    Parameters
    ----------
    class_prior : float in [0, 1]
        It is moved to leave a positive and a negative, and flagged ``at_bound`` then.
    n_left : int in [1, inf)
        Samples that it is of.
    largest : float or None
        The largest that positives allow; the estimate is flagged ``above_admissible`` beyond.

    Returns
    -------
    PriorEstimate

    Examples
    --------
    >>> from core.calibration.prior_of_scores import given_prior
    >>> given_prior(0.3, 100, 0.2).flags
    ('above_admissible',)
    """
    share = clamp_prior(class_prior, n_left)
    flags = ["at_bound"] if share != class_prior else []
    if largest is not None and share > largest:
        flags.append("above_admissible")
    given = {"given": float(class_prior)}
    return PriorEstimate(share, share, share, largest, flags=tuple(flags), details=given)


def prior_of_draw(
    hidden, left_out, n_left, *, class_prior=None, reason=None, conductance=None, accepted=None
):
    """Return the class prior of the unlabeled samples where positives were drawn at random.

    Parameters
    ----------
    hidden : PairedRanks or None
        Ranks of hidden positives, which bound what is given.
    left_out : PairedRanks or None
        Of :func:`~core.class_prior.hidden_positives.hidden_positives_prior`.
    n_left : int in [1, inf)
        Unlabeled samples.
    class_prior : float in [0, 1], default=None
        Where it is given.
    reason : str, default=None
        Why hidden positives tell nothing.
    conductance, accepted
        As ``left_out``.

    Returns
    -------
    PriorEstimate
    expected : Expected or None
        How many positives an estimate means.

    Examples
    --------
    >>> from core.calibration.prior_of_scores import prior_of_draw
    >>> prior_of_draw(None, None, 2)[0].reason
    'too_few_unlabeled'
    """
    if class_prior is not None:
        return given_prior(class_prior, n_left, _largest(hidden)), None
    prior = _no_prior(reason, n_left) or hidden_positives_prior(
        left_out, hidden, accepted=accepted, conductance=conductance
    )
    return prior, expected_positives(prior, n_left, hidden)


def prior_in_review(
    review, left_out, pile, *, class_prior=None, reason=None, conductance=None, random_state=None
):
    """Return the class prior of what is left of a pile in which positives were found by reading.

    Parameters
    ----------
    review : Review
    left_out : PairedRanks or None
        Of the other positives among the pile; not needed where ``review`` has what is expected.
    pile : Pile
    class_prior : float in [0, 1], default=None
        Where it is given.
    reason : str, default=None
        Why hidden positives tell nothing.
    conductance : ndarray of shape (n_candidates,), default=None
        Of :func:`~core.kernels.graphs.conductance.candidate_conductance` for the ranking of what is
        left; None where there is no graph.
    random_state : int, RandomState instance or None, default=None
        Of the estimators.

    Returns
    -------
    PriorEstimate
    expected : Expected or None
        How many positives the pile had, as the other positives tell.
    """
    if class_prior is not None and review.reading is None:
        return given_prior(class_prior, pile.n_left, _largest_of_rest(left_out, pile)), None
    of_pile = _prior_of_pile(review.expected, left_out, pile, random_state)
    expected = review.expected or expected_positives(of_pile, pile.n_samples, left_out)
    if review.reading is None:
        of_pile = _after_reading(of_pile, expected, pile) if review.is_from_top else of_pile
        found = class_prior_of_rest(of_pile, pile)
    else:
        found = class_prior_of_unread(review.reading, expected, pile.n_left)
    if conductance is not None:
        found = where_few_edges_leave(found, conductance, pile)
    if class_prior is not None:
        return given_prior(class_prior, pile.n_left, found.high), expected
    reason = None if reason == FOUND_BY_READING else reason
    return _no_prior(reason, pile.n_left) or found, expected


def _prior_of_pile(expected, left_out, pile, random_state):
    if expected is not None:
        return PriorEstimate(*(number / pile.n_samples for number in expected[:3]))
    if left_out is not None:
        return consensus_of_ranks(left_out, random_state=random_state)
    return PriorEstimate(None, reason="too_few_positives")


def _after_reading(of_pile, expected, pile):
    """Return the class prior of a pile as what was read of its top tells."""
    if expected is None:
        return of_pile
    found = np.arange(pile.n_samples - pile.n_left) < pile.n_found
    shares = (number / pile.n_samples for number in expected.after(found, pile.n_left)[:3])
    return of_pile._replace(**dict(zip(("value", "low", "high"), shares, strict=True)))


def _no_prior(reason, n_left):
    if reason is None and n_left < MIN_UNLABELED:
        reason = "too_few_unlabeled"
    return PriorEstimate(None, reason=reason) if reason else None


def _largest(ranks):
    return None if ranks is None else largest_admissible_prior(ranks.positive, ranks.unlabeled)


def _largest_of_rest(left_out, pile):
    # What is left of a pile that was read is less like the positives: they bound the whole of it.
    bounded = PriorEstimate(None, largest_admissible=_largest(left_out))
    return class_prior_of_rest(bounded, pile).largest_admissible


def expected_positives(prior, n_samples, ranks=None):
    """Return how many positives a class prior means, None without one.

    With ``ranks``, those of positives that were left out or hidden
    (:class:`~core.kernels.scores.left_out_ranks.PairedRanks`), they are kept beside it.

    Examples
    --------
    >>> from core.calibration.prior_of_scores import expected_positives
    >>> from core.class_prior.prior_estimate import PriorEstimate
    >>> expected_positives(PriorEstimate(0.25, 0.125, 0.5), 80)
    Expected(value=20.0, low=10.0, high=40.0, ranks=())
    """
    if prior.value is None:
        return None
    numbers = (share * n_samples for share in (prior.value, prior.low, prior.high))
    return Expected(*numbers, () if ranks is None else kept_ranks(ranks.positive))


def is_contradicted(prior, *, is_given):
    """Return whether a class prior is given that is far above what hidden positives allow."""
    is_above = is_given and "above_admissible" in prior.flags
    return is_above and is_far_above(prior.value, prior.largest_admissible)
