"""Markdown tables, printed row by row."""

import math

from benchmarks.speed.child import Failure


def header(*names: str) -> None:
    print("\n| " + " | ".join(names) + " |")
    print("|---" * len(names) + "|", flush=True)


def row(*cells: object) -> None:
    print("| " + " | ".join(map(_text, cells)) + " |", flush=True)


def ratio(numerator: float | Failure, denominator: float | Failure) -> float | str:
    if isinstance(numerator, Failure) or isinstance(denominator, Failure):
        return ""
    return numerator / denominator


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "**no**"
    if isinstance(cell, Failure):
        return f"failed: {cell.message}"
    if isinstance(cell, float):
        # Three significant digits.
        return f"{cell:,.{max(0, 2 - math.floor(math.log10(abs(cell) or 1)))}f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
