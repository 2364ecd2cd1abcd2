"""The file of a ranking: its columns sorted by score, and where each document stands in them."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.persistence import dump_arrays

Integers = NDArray[np.integer[Any]]


def write(numbers: Integers, columns: dict[str, NDArray[Any]], path: Path) -> None:
    """Write the numbers of documents, ascending, and columns that belong to them.

    ``columns`` is emptied on the way, so that no column is held twice.
    """
    # Numbers ascend, so equal scores stay in their order.
    order = _narrow(np.argsort(-columns["scores"], kind="stable"))
    places = np.empty_like(order)
    places[order] = np.arange(len(order), dtype=order.dtype)
    ranked = {"numbers": _narrow(numbers)[order], "places": places}
    for name in list(columns):
        ranked[name] = columns.pop(name)[order]
    dump_arrays(ranked, path)


def append(
    file: "RankingFile", numbers: Integers, columns: dict[str, NDArray[Any]], path: Path
) -> None:
    """Write the documents of a file and further ones, whose numbers are greater than all of its.

    The result is that of ``write`` with all of them, made by merging. ``columns`` has the names
    that the columns of the file have.
    """
    order = np.argsort(-columns["scores"], kind="stable")
    # Behind equal scores, whose numbers are lower.
    at = np.searchsorted(-file.scores, -columns["scores"][order], side="right")
    n_before = np.cumsum(np.bincount(at, minlength=len(file) + 1))
    places = np.empty(len(file) + len(order), dtype=np.int64)
    places[: len(file)] = file.places + n_before[file.places]
    places[len(file) + order] = at + np.arange(len(order))
    further = _narrow(numbers)[order]
    known = file.numbers.astype(np.result_type(file.numbers, further), copy=False)
    ranked = {"numbers": np.insert(known, at, further), "places": _narrow(places)}
    for name, column in file.columns.items():
        ranked[name] = np.insert(column, at, columns[name][order])
    dump_arrays(ranked, path)


def _narrow(integers: Integers) -> Integers:
    """Return integers in 32 bits, where they fit."""
    fits = integers.max(initial=0) <= np.iinfo(np.int32).max
    return integers.astype(np.int32) if fits else integers


class RankingFile:
    """The columns of the file; memory-mapped, only what is looked at is read.

    Attributes
    ----------
    numbers : ndarray of int of shape (n_documents,)
        Of the documents, the highest score first.
    places : ndarray of int of shape (n_documents,)
        Position of each document by ascending number.
    scores : ndarray of float64 of shape (n_documents,)
        Descending.
    probabilities : ndarray of float32 of shape (n_documents,), or None
        Of being positive.
    columns : dict of str to ndarray
        All that belongs to documents but their numbers.
    """

    def __init__(self, arrays: dict[str, Any]) -> None:
        self.numbers: Integers = arrays["numbers"]
        self.places: Integers = arrays["places"]
        self.scores: NDArray[np.float64] = arrays["scores"]
        self.probabilities: NDArray[np.float32] | None = arrays.get("probabilities")
        self.columns: dict[str, NDArray[Any]] = {
            name: arrays[name] for name in arrays if name not in {"numbers", "places"}
        }

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def last_number(self) -> int:
        """The greatest number of a document."""
        return int(self.numbers[self.places[-1]])

    def positions(self, numbers: Integers) -> NDArray[np.intp]:
        """Return the positions of the documents with these numbers, ascending; some may be absent.

        This is a binary search for all numbers at a time.
        """
        low = np.zeros(len(numbers), dtype=np.intp)
        high = np.full(len(numbers), len(self))
        for _ in range(len(self).bit_length()):
            middle = (low + high) // 2
            is_left = low < high
            is_before = self._numbers_at(middle) < numbers
            low = np.where(is_left & is_before, middle + 1, low)
            high = np.where(is_left & ~is_before, middle, high)
        is_there = self._numbers_at(low) == numbers
        found: NDArray[np.intp] = np.sort(self.places[low[is_there]]).astype(np.intp)
        return found

    def positions_behind(self, number: int) -> NDArray[np.intp]:
        """Return where documents with greater numbers stand, ascending."""
        return np.flatnonzero(self.numbers > number)

    def mask(self, numbers: Integers) -> NDArray[np.bool_]:
        """Return which positions the documents with these few numbers have."""
        mask = np.zeros(len(self), dtype=bool)
        mask[self.positions(numbers)] = True
        return mask

    def _numbers_at(self, place: NDArray[np.intp]) -> Integers:
        """Return the numbers at these places in ascending order, the last number beyond the end."""
        return self.numbers[self.places[np.minimum(place, len(self) - 1)]]
