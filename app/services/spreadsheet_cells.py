"""Text as a cell of a CSV that a spreadsheet opens, and back."""

#: Spreadsheets take text that begins so for a formula, and formulas can call programs.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
MARK = "'"


def protected(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would see a formula.

    One that begins with an apostrophe gets another, so that all can be undone.
    """
    return f"{MARK}{text}" if text.startswith((*FORMULA_STARTS, MARK)) else text


def unprotected(text: str) -> str:
    """Return the text that ``protected`` was given; what it cannot have made stays as it is."""
    rest = text.removeprefix(MARK)
    return rest if rest.startswith((*FORMULA_STARTS, MARK)) else text
