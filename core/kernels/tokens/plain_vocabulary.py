"""Terms as they come, block by block, found by plain Python in a dict."""

from array import array
from collections import Counter, defaultdict
from functools import partial

import numpy as np
from sklearn.utils import murmurhash3_32

from core.kernels.hardware.thread_map import thread_map
from core.kernels.tokens.blocks import decoded
from core.kernels.tokens.counted_rows import Rows
from core.kernels.tokens.frequencies import Frequencies
from core.kernels.tokens.packed_terms import PackedTerms
from core.kernels.tokens.reading import make_analyzer
from core.kernels.tokens.terms import columns_of_hashes


class DictVocabulary:
    """Terms that plain Python finds; parameters and methods as of ``TableVocabulary``."""

    def __init__(self, reading, terms=(), *, is_totalled=False):
        self.reading = reading
        self.number = dict(zip(terms, range(len(terms)), strict=True))
        self.numbers = np.arange(len(terms), dtype=np.int32)
        self.frequencies = Frequencies(is_totalled=is_totalled)
        self.places = self.sorted = None

    def count(self, blocks):
        """Yield the rows of blocks."""
        for rows, terms in thread_map(partial(_count_in_python, reading=self.reading), blocks):
            numbers = [self.number.setdefault(term, len(self.number)) for term in terms]
            yield self._add(rows._replace(terms=np.array(numbers, dtype=np.int32)[rows.terms]))

    def _add(self, rows):
        self.frequencies.add(rows, len(self.number))
        return rows._replace(found=self)

    def counted(self, rows):
        """Yield rows of terms to begin with; their frequencies are added."""
        return map(self._add, rows)

    def sort(self):
        """Put all terms in the order of their strings; return their frequencies in this order."""
        self.sorted = sorted(self.number)
        self.places = np.empty(len(self.sorted), dtype=np.int32)
        self.places[[self.number[term] for term in self.sorted]] = np.arange(len(self.sorted))
        frequencies = Frequencies(len(self.sorted), is_totalled=self.frequencies.is_totalled)
        frequencies.add_all(self.frequencies, self.places)
        return frequencies

    def packed(self, places):
        """Return the sorted terms at these places, ``PackedTerms``."""
        return PackedTerms.of(self.sorted[place] for place in places)

    def count_known(self, blocks):
        """Yield the rows of blocks, sorted, with the places of the terms to begin with."""
        analyze = make_analyzer(self.reading)
        for block in blocks:
            yield _rows(_known_counts(analyze(text), self.number) for text in decoded(block))


def count_hashed_in_python(block, reading, n_features):
    """Return the rows of a block, sorted, with the columns of the hashes of their terms."""
    rows, terms = _count_in_python(block, reading)
    encoded = [term.encode("utf-8", "surrogatepass") for term in terms]
    hashes = np.array([murmurhash3_32(term) for term in encoded], dtype=np.int64)
    return rows.moved(columns_of_hashes(hashes, n_features))


def _count_in_python(block, reading):
    """Return the rows of a block, its terms numbered from 0, and the terms by their numbers."""
    analyze = make_analyzer(reading)
    number = defaultdict()
    number.default_factory = number.__len__
    rows = _rows(Counter(map(number.__getitem__, analyze(text))) for text in decoded(block))
    number.default_factory = None  # which holds it: all terms would stay until a collection
    return rows, list(number)


def _known_counts(terms, number):
    """Return the number of each known term and how often it is there, sorted."""
    counts = Counter(map(number.get, terms))
    counts.pop(None, None)
    return dict(sorted(counts.items()))


def _rows(counted):
    """Return rows, given as dicts from numbers of terms to counts."""
    terms, counts, lengths = array("i"), array("f"), array("i")
    for row in counted:
        terms.extend(row)
        counts.extend(row.values())
        lengths.append(len(row))
    arrays = zip((terms, counts, lengths), (np.int32, np.float32, np.int32), strict=True)
    return Rows(*(np.array(values, dtype=dtype) for values, dtype in arrays))
