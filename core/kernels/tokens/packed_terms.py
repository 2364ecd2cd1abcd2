"""Terms in two arrays, which files map and compiled code reads: no str is held."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.kernels.tokens.hash import MARGIN

#: Strings that are made at a time.
_AT_A_TIME = 1 << 14


class PackedTerms(Sequence):
    """Terms whose strings are made when they are asked for.

    Parameters
    ----------
    text : ndarray of uint8 of shape (n_bytes + MARGIN,)
        The UTF-8 of all terms, one behind the other, then bytes that are never looked at: compiled
        code reads several at once.
    bounds : ndarray of int64 of shape (n_terms + 1,)
        Where each term begins, and where the last one ends.

    Examples
    --------
    >>> from core.kernels.tokens.packed_terms import PackedTerms
    >>> terms = PackedTerms.of(["bed", "fluß", "seed"])
    >>> terms, terms[1], terms[-2:], terms == ["bed", "fluß", "seed"]
    (['bed', 'fluß', 'seed'], 'fluß', ['fluß', 'seed'], True)
    """

    def __init__(self, text, bounds):
        self.text = text
        self.bounds = bounds
        #: What was found out of these terms, by name: they never change.
        self.notes = {}

    @classmethod
    def of(cls, strings):
        """Pack strings, an iterable of str."""
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        text = np.frombuffer(b"".join(encoded) + bytes(MARGIN), dtype=np.uint8)
        return cls(text, np.cumsum([0, *map(len, encoded)], dtype=np.int64))

    @classmethod
    def checked(cls, text, bounds):
        """Return the terms in arrays that anybody may have made.

        Raises
        ------
        ValueError
            If they are not what this class makes: compiled code could read anywhere.
        """
        kinds = (text.dtype, text.ndim, bounds.dtype, bounds.ndim)
        if kinds != (np.uint8, 1, np.int64, 1) or not len(bounds):
            raise ValueError("terms are not bytes and their bounds")
        is_ascending = bounds[0] == 0 and (bounds[1:] >= bounds[:-1]).all()
        if not is_ascending or bounds[-1] + MARGIN != len(text):
            raise ValueError("terms do not end where their bytes do")
        text[:-MARGIN].tobytes().decode("utf-8", "surrogatepass")
        if not _begins(text[bounds[:-1]]).all():
            raise ValueError("a term begins within a character")
        return cls(text, bounds)

    def kept(self, mask):
        """Return the terms of a mask, an ndarray of bool of shape (n_terms,)."""
        lengths = np.diff(self.bounds)
        text = self.text[: self.bounds[-1]][np.repeat(mask, lengths)]
        bounds = np.cumsum(np.concatenate([[0], lengths[mask]]), dtype=np.int64)
        return PackedTerms(np.append(text, np.zeros(MARGIN, dtype=np.uint8)), bounds)

    def __len__(self):
        return len(self.bounds) - 1

    def __getitem__(self, index):
        places = range(len(self))[index]
        if not isinstance(places, range):
            return self._strings(places, places + 1)[0]
        if places.step == 1:
            return self._strings(places.start, places.stop)
        return [self[place] for place in places]

    def __iter__(self):
        for start in range(0, len(self), _AT_A_TIME):
            yield from self[start : start + _AT_A_TIME]

    def __eq__(self, other):
        if isinstance(other, PackedTerms):
            return np.array_equal(self.text, other.text) and np.array_equal(
                self.bounds, other.bounds
            )
        return isinstance(other, list) and list(self) == other

    def __repr__(self):
        return repr(list(self))

    def _strings(self, start, stop):
        bounds = self.bounds[start : max(start, stop) + 1]
        text = self.text[bounds[0] : bounds[-1]]
        # Decoded at once: half the time of one call for each.
        letters = text.tobytes().decode("utf-8", "surrogatepass")
        bounds = bounds - bounds[0]
        if len(letters) < len(text):
            bounds = np.concatenate([[0], np.cumsum(_begins(text))])[bounds]
        return [letters[begin:end] for begin, end in pairwise(bounds.tolist())]


def _begins(text):
    """Return which bytes of UTF-8 are the first of a character."""
    return text & 0b11000000 != 0b10000000
