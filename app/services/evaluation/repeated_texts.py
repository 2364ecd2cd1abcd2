"""Labeled documents that come again: they count once, unless their labels contradict."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Repeats(NamedTuple):
    """What is known of each of some labeled texts, of shape (n_texts,)."""

    #: Those whose labels agree, where each comes first.
    is_counted: NDArray[np.bool_]
    #: Which come first with the other label; -1 where none has it.
    contradicting: NDArray[np.intp]

    @property
    def is_again(self) -> NDArray[np.bool_]:
        """Tell which come again with the same label, and no other."""
        return ~self.is_counted & (self.contradicting < 0)


def find_repeats(keys: NDArray[np.uint64], is_positive: NDArray[np.bool_]) -> Repeats:
    """Find which texts come again, by their keys, and with which label.

    Examples
    --------
    >>> keys = np.array([7, 8, 7, 9, 8], dtype=np.uint64)
    >>> found = find_repeats(keys, np.array([True, True, True, False, False]))
    >>> found.is_counted.tolist(), found.contradicting.tolist()
    ([True, False, False, True, False], [-1, 4, -1, -1, 1])
    """
    _, first, text = np.unique(keys, return_index=True, return_inverse=True)
    n = len(keys)
    first_positive, first_negative = np.full((2, len(first)), n)
    for firsts, has_label in ((first_positive, is_positive), (first_negative, ~is_positive)):
        np.minimum.at(firsts, text[has_label], np.flatnonzero(has_label))
    other = np.where(is_positive, first_negative[text], first_positive[text])
    contradicting = np.where(other < n, other, -1)
    is_counted = np.zeros(n, dtype=bool)
    is_counted[first] = True
    return Repeats(is_counted & (contradicting < 0), contradicting)
