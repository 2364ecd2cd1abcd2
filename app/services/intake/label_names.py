"""What tables call the labels."""

POSITIVE, NEGATIVE = "positive", "negative"
#: What others call them, such as ASReview and spreadsheets.
OTHER_NAMES = {
    POSITIVE: ("1", "yes", "true", "included", "relevant"),
    NEGATIVE: ("0", "no", "false", "excluded", "irrelevant"),
}
_MEANT = {name: label for label, names in OTHER_NAMES.items() for name in names}


def label_in(cell: str) -> str:
    """Return the label that a cell of a table tells; what is none comes in small letters.

    >>> [label_in(cell) for cell in (" Yes", "0", "Positive", "Maybe")]
    ['positive', 'negative', 'positive', 'maybe']
    """
    told = cell.strip().lower()
    return _MEANT.get(told, told)
