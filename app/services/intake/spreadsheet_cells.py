"""Text as a cell of a CSV that a spreadsheet opens, and back; other values as its cells."""

import math
from datetime import datetime, time
from typing import Any

#: Spreadsheets take text that begins so for a formula, and formulas can call programs.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
MARK = "'"
#: Characters that a cell of a spreadsheet holds, counted in UTF-16.
CELL_LENGTH = 32_767
#: Ends a text that was cut to fit into a cell.
CUT = "…"


def protected(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would see a formula.

    One that begins with an apostrophe gets another, so that all can be undone.
    """
    return f"{MARK}{text}" if text.startswith((*FORMULA_STARTS, MARK)) else text


def unprotected(text: str) -> str:
    """Return the text that ``protected`` was given; what it cannot have made stays as it is."""
    rest = text.removeprefix(MARK)
    return rest if rest.startswith((*FORMULA_STARTS, MARK)) else text


def is_cut(cell: str) -> bool:
    """Tell whether a longer text was cut to this, as far as its length and end can tell."""
    if not cell.endswith(CUT) or len(cell) > CELL_LENGTH:
        return False
    # One less where a character of two units did not fit.
    return len(cell.encode("utf-16-le")) // 2 in {CELL_LENGTH - 1, CELL_LENGTH}


def cell_text(value: Any) -> str:
    """Return what a CSV has of a value: numbers that are whole without a point, dates in ISO 8601.

    None and NaN are empty.
    """
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, datetime):
        is_date = value.time() == time() and value.tzinfo is None
        return (value.date() if is_date else value).isoformat()
    return str(value)
