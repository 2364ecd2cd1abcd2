"""In how many texts each term is: the counts by which terms are kept or left out."""

import numba
import numpy as np

from core.kernels.hardware.prefetch import prefetch
from core.kernels.tokens.store import FEW_ENTRIES

#: How far ahead numbers are asked for, which lie anywhere.
_AHEAD = 16


class Frequencies:
    """Counts of terms that grow as rows come.

    Parameters
    ----------
    n_terms : int, default=0
        Terms to begin with, in no text so far.
    is_totalled : bool
        Whether it matters how often each term is in all texts together.

    Attributes
    ----------
    of_texts : ndarray of int64
        By the number of a term: in how many texts it is. Longer than there are terms.
    totals : ndarray of int64
        The same: how often it is in all of them; ``of_texts`` unless ``is_totalled``.
    """

    def __init__(self, n_terms=0, *, is_totalled):
        self.is_totalled = is_totalled
        self.of_texts = np.zeros(n_terms, dtype=np.int64)
        self.totals = np.zeros(n_terms, dtype=np.int64) if is_totalled else self.of_texts

    def add(self, rows, n_terms):
        """Add rows, each with every one of the ``n_terms`` once at most."""
        self._reserve(n_terms)
        ones = np.ones(len(rows.terms), dtype=np.int64)
        _add_at(self.of_texts, rows.terms, ones)
        if self.is_totalled:
            _add_at(self.totals, rows.terms, rows.counts.astype(np.int64))

    def add_all(self, other, numbers):
        """Add what was counted apart.

        Parameters
        ----------
        other : Frequencies
        numbers : ndarray of int32 of shape (n_other_terms,)
            Those that its terms have here, all different.
        """
        n_counted = min(len(numbers), len(other.of_texts))
        numbers = numbers[:n_counted]
        _add_at(self.of_texts, numbers, other.of_texts[:n_counted])
        if self.is_totalled:
            _add_at(self.totals, numbers, other.totals[:n_counted])

    def _reserve(self, n_terms):
        if n_terms > len(self.of_texts):
            self.of_texts = _longer(self.of_texts, 2 * n_terms)
            self.totals = _longer(self.totals, 2 * n_terms) if self.is_totalled else self.of_texts


def _add_at(sums, numbers, added):
    """Add to the sums at some numbers; of many by compiled code, while other threads go on."""
    if len(numbers) > FEW_ENTRIES:
        _add_many(sums, numbers, added)
    else:
        np.add.at(sums, numbers, added)


@numba.njit(cache=True, nogil=True)
def _add_many(sums, numbers, added):
    for i in range(len(numbers)):
        prefetch(sums, numbers[min(i + _AHEAD, len(numbers) - 1)])
        sums[numbers[i]] += added[i]


def _longer(counts, length):
    longer = np.zeros(length, dtype=np.int64)
    longer[: len(counts)] = counts
    return longer
