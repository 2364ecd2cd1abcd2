"""What speaks for stopping a review, or against."""

from math import floor

from core.review.remaining import MAX_P_VALUE, Progress

ALL_READ = "Every document is judged: nothing is left to read."
NONE_POSITIVE = "None of the judged documents is positive, so there is no recall."
_DECIDE = "Judge unsure ones again, as positive or negative."


def why(found: Progress, n_found: int, n_left: int, n_unsure: int, target: float) -> str:
    """Return what speaks for the suggestion, and what to do where it is to go on."""
    if not n_left and not n_unsure:
        return ALL_READ
    most, low = found.remaining.high, found.recall.low
    among = f", with all {n_unsure:,} unsure documents" if n_unsure else ""
    if found.is_enough:
        return (
            f"Even with {most:,} positives left, the most that the order of the judgements allows"
            f"{among}, {percent(low)} of them are found, and {target:.0%} are wanted."
        )
    if n_found / (n_found + most - n_unsure) < target:
        return (
            f"Up to {most:,} positives may be left{among}, so that as few as {percent(low)} of "
            f"them may be found, and {target:.0%} are wanted. Read on."
        )
    told = []
    if found.p_value >= MAX_P_VALUE:
        told.append(
            "The last documents read are too few to exclude that more positives are left than "
            f"{most - n_unsure:,}: the p-value is {found.p_value:.2f}, and less than "
            f"{MAX_P_VALUE} is wanted. Read on."
        )
    if low < target:
        told.append(
            f"If all {n_unsure:,} unsure documents are positive, {percent(low)} of the positives "
            f"are found, and {target:.0%} are wanted. {_DECIDE}"
        )
    return " ".join(told)


def why_none_found(n_unsure: int) -> str:
    """Return what to do where all is judged and nothing was found."""
    if not n_unsure:
        return ALL_READ
    return f"Every document is judged, none positive, and {n_unsure:,} unsure. {_DECIDE}"


def percent(share: float) -> str:
    """Return whole per cent, rounded down: what falls short must not look like what is wanted."""
    return f"{floor(round(100 * share, 6))}%"
