"""A figure as it is told: value and ends, or why there are none."""

from typing import Any


def figure_fields(
    ends: tuple[float, float, float] | None, reason: str | None = None
) -> dict[str, Any]:
    """Return the fields of a value with its ends; ``reason`` is for where there is none."""
    value, low, high = ends or (None, None, None)
    return {"value": value, "low": low, "high": high, "reason": None if ends else reason}
