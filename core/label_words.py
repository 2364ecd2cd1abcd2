"""Which of two words for labels is the positive one."""

import warnings

_UNLABELED = frozenset({"unlabeled", "unlabelled", "unl", "u", "unknown"})
#: Words for what is not looked for: of a label like these and another, the other is positive.
_NOT_POSITIVE = frozenset(
    {"0", "false", "n", "neg", "negative", "no", "none", "other", "others", "rest"}
)


def ordered_words(values):
    """Return two words as [unlabeled, positive].

    Parameters
    ----------
    values : ndarray of str of shape (2,)
        The words, in the order of the alphabet.

    Returns
    -------
    ndarray of str of shape (2,)
        With a UserWarning where neither word says that it is the unlabeled one.

    Examples
    --------
    >>> import numpy as np
    >>> from core.label_words import ordered_words
    >>> ordered_words(np.array(["flood", "unlabeled"])).tolist()
    ['unlabeled', 'flood']
    """
    ordered = _with_first(values, _UNLABELED)
    if ordered is not None:
        return ordered
    ordered, why = _with_first(values, _NOT_POSITIVE), "by its meaning"
    if ordered is None:
        ordered, why = values, "the later one in the alphabet"
    first, second = values.tolist()
    warnings.warn(
        f"y holds {first!r} and {second!r}, and {ordered.tolist()[1]!r}, {why}, is taken as the "
        "positive one; pass pos_label to say which it is.",
        stacklevel=2,
    )
    return ordered


def says_unlabeled(value):
    """Return whether a label alone says that it is not the positive one.

    Examples
    --------
    >>> from core.label_words import says_unlabeled
    >>> [says_unlabeled(value) for value in (0, False, "Unlabeled", "no", 1, "flood")]
    [True, True, True, True, False, False]
    """
    if isinstance(value, str):
        return value.strip().casefold() in _UNLABELED | _NOT_POSITIVE
    return not value


def _with_first(values, words):
    """Return the two values with the one that is among the words first; None without just one."""
    is_known = [value.strip().casefold() in words for value in values]
    if sum(is_known) != 1:
        return None
    return values[::-1] if is_known[1] else values
