"""How shares are written, for service and command line: it needs no library of numbers."""

from math import floor


def percent(share: float) -> str:
    """Return whole per cent, rounded down: what falls short must not look like what is wanted."""
    return f"{floor(round(100 * share, 6))}%"
