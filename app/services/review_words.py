"""What speaks for stopping a review, or against."""

from math import floor

from core.review.remaining import MAX_P_VALUE, Progress

ALL_READ = "Every document is judged: nothing is left to read."


def why(found: Progress, target: float) -> str:
    """Return what speaks for the suggestion, and what to do where it is to go on."""
    recall, left = found.recall, found.remaining
    if found.is_enough:
        return (
            f"Even with {left.high:,} positives left, the most that the order of the judgements "
            f"allows, {_percent(recall.low)} of them are found, and {target:.0%} are wanted."
        )
    if recall.low < target:
        return (
            f"Up to {left.high:,} positives may be left, so that as few as {_percent(recall.low)} "
            f"of them may be found, and {target:.0%} are wanted. Read on."
        )
    return (
        f"The last documents read are too few to exclude that more positives are left than "
        f"{left.high:,}: the p-value is {found.p_value:.2f}, and less than {MAX_P_VALUE} is "
        "wanted. Read on."
    )


def _percent(share: float) -> str:
    """Return whole per cent, rounded down: what falls short must not look like what is wanted."""
    return f"{floor(round(100 * share, 6))}%"
