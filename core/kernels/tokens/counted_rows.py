"""Rows of counts of a block of texts."""

from typing import NamedTuple

import numpy as np

from core.kernels.tokens.store import move_columns


class Rows(NamedTuple):
    """Counted texts.

    Attributes
    ----------
    terms : ndarray of int32 of shape (n_entries,)
        Numbers of terms, text by text, each once for a text.
    counts : ndarray of float32 of shape (n_entries,)
    lengths : ndarray of int32 of shape (n_texts,)
        Number of entries of each text.
    found : FoundTerms or DictVocabulary, default=None
        Whose numbers these are, where they are not columns: its ``places`` will tell those.
    """

    terms: np.ndarray
    counts: np.ndarray
    lengths: np.ndarray
    found: object = None

    def moved(self, columns):
        """Return the same rows, sorted, with the columns of their terms; -1 means none."""
        n_entries = move_columns(self.terms, self.counts, self.lengths, columns)
        return Rows(self.terms[:n_entries], self.counts[:n_entries], self.lengths)
