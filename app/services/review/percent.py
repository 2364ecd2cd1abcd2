"""How shares are written, for service and command line: it needs no library of numbers."""

from math import floor


def percent(share: float) -> str:
    """Return whole per cent, rounded down: what falls short must not look like what is wanted.

    What is less than one per cent must not look like nothing.
    """
    if 0 < share < 0.01:
        return f"{100 * share:.1g}%"
    return f"{floor(round(100 * share, 6))}%"
