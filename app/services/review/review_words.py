"""What speaks for stopping a review, or against."""

from app.services.review.percent import percent
from core.review.expected import Remaining
from core.review.stopping import MAX_P_VALUE, Progress

ALL_READ = "Every document is judged: nothing is left to read."
NONE_POSITIVE = "None of the judged documents is positive, so there is no recall."
DECIDE = (
    "Judge unsure ones again, as positive or negative: GET /documents of the project lists them "
    "with ?label=unsure."
)


def why(found: Progress, n_found: int, n_left: int, n_unsure: int, target: float) -> str:
    """Return what speaks for the suggestion, and what to do where it is to go on."""
    if not n_left and not n_unsure:
        return ALL_READ
    most, low = found.remaining.high, found.recall.low
    unsure, left = _unsure(n_unsure), _left(most, n_unsure)
    if found.is_enough and not most:
        return (
            f"No positive should be left: {percent(low)} of all positives are found, and "
            f"{target:.0%} are wanted."
        )
    if found.is_enough:
        return (
            f"Up to {left}. Even then {percent(low)} of all positives are "
            f"found, and {target:.0%} are wanted."
        )
    if n_found / (n_found + most - n_unsure) < target:
        return (
            f"Up to {left}. Then only {percent(low)} of all positives are "
            f"found, and {target:.0%} are wanted. Read on."
        )
    told = []
    if found.p_value >= MAX_P_VALUE:
        told.append(
            "The documents read last are too few to rule out that more than "
            f"{most - n_unsure:,} positives are left: the p-value is {found.p_value:.2f}, and less "
            f"than {MAX_P_VALUE} is wanted. Read on."
        )
    if low < target:
        told.append(
            f"If {unsure} {'is' if n_unsure == 1 else 'are'} positive, {percent(low)} of the "
            f"positives are found, and {target:.0%} are wanted. {DECIDE}"
        )
    return " ".join(told)


def _unsure(n: int) -> str:
    return "the unsure document" if n == 1 else f"all {n:,} unsure documents"


def _left(most: int, n_unsure: int) -> str:
    among = f", counting {_unsure(n_unsure)}" if n_unsure else ""
    return f"{'1 positive' if most == 1 else f'{most:,} positives'} may be left{among}"


def disagreement(by_order: Remaining, by_seeds: Remaining | None) -> str:
    """Return what to make of two intervals that have no number in common, "" where they have."""
    if by_seeds is None or (by_order.low <= by_seeds.high and by_seeds.low <= by_order.high):
        return ""
    order, seeds = (f"{known.low:,} to {known.high:,}" for known in (by_order, by_seeds))
    return (
        f"By the order of the judgements alone, {order} positives are left; by the positives given "
        f"at the start, {seeds}. Either the ranking was not read from the top, or those positives "
        "are not like most of the kind. Rely on neither, and read on."
    )


def why_none_yet(most: int, n_judged: int, n_unsure: int) -> str:
    """Return what to make of a reading that found nothing, where up to so many may be left."""
    read = f"None of the {n_judged:,} judged documents is positive"
    if n_judged == 1:
        read = "The judged document is not positive"
    if not most:
        return f"{read}, and no positive should be left."
    return f"{read}, so there is no recall. Up to {_left(most, n_unsure)}. Read on."


def why_none_found(n_unsure: int) -> str:
    """Return what to do where all is judged and nothing was found."""
    if not n_unsure:
        return ALL_READ
    return f"Every document is judged, none positive, and {n_unsure:,} unsure. {DECIDE}"
