"""Terms as they come, block by block: a table for compiled code, a dict for plain Python."""

from array import array
from collections import Counter, defaultdict
from functools import partial
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import murmurhash3_32

from core.kernels.thread_map import thread_map
from core.kernels.tokens.blocks import decoded, packed
from core.kernels.tokens.characters import character_tables
from core.kernels.tokens.frequencies import Frequencies
from core.kernels.tokens.packed_terms import PackedTerms
from core.kernels.tokens.reading import make_analyzer
from core.kernels.tokens.rows import (
    BOUNDED_CHARACTERS,
    CHARACTERS,
    CJK_CHARACTERS,
    CJK_PAIRS,
    WORDS,
    Scan,
    count_rows,
)
from core.kernels.tokens.store import move_columns
from core.kernels.tokens.table import merged, new_table
from core.kernels.tokens.terms import (
    add_strings,
    alphabetical,
    columns_of_hashes,
    hashed_columns,
    packed_terms,
)

#: Threads have tables of their own, which are merged where they have so many terms: together they
#: take 250 MB at most.
MOST_OWN_TERMS = 1 << 22

_ANALYZERS = {"char": CHARACTERS, "char_wb": BOUNDED_CHARACTERS}
_CJK = {None: WORDS, "characters": CJK_CHARACTERS, "bigrams": CJK_PAIRS}


class Rows(NamedTuple):
    """Counted texts.

    Attributes
    ----------
    terms : ndarray of int32 of shape (n_entries,)
        Numbers of terms, text by text, each once for a text.
    counts : ndarray of float32 of shape (n_entries,)
    lengths : ndarray of int32 of shape (n_texts,)
        Number of entries of each text.
    own : OwnTable, default=None
        Whose numbers these are, where they are not those of the whole vocabulary.
    """

    terms: np.ndarray
    counts: np.ndarray
    lengths: np.ndarray
    own: "OwnTable | None" = None

    def moved(self, columns):
        """Return the same rows, sorted, with the columns of their terms; -1 means none."""
        n_entries = move_columns(self.terms, self.counts, self.lengths, columns)
        return Rows(self.terms[:n_entries], self.counts[:n_entries], self.lengths)


class TableVocabulary:
    """Terms that compiled code finds.

    Parameters
    ----------
    reading : Reading
        With ``is_compiled``.
    terms : PackedTerms or list of str, default=()
        Terms to begin with.
    """

    def __init__(self, reading, terms=()):
        self.reading = reading
        table, _ = add_strings(new_table(), reading.stop_list, is_split=False)
        is_split = reading.analyzer == "word"
        self.table, self.numbers = add_strings(table, terms, is_split=is_split)

    def __len__(self):
        return int(self.table.sizes[0])

    def count(self, blocks, frequencies):
        """Yield the rows of blocks; at the end, all their terms and frequencies are added."""
        n_workers = effective_n_jobs(None)
        if n_workers == 1:
            for block in blocks:
                *rows, self.table = _count(block, self.reading, self.table)
                yield _added(Rows(*rows), frequencies, len(self))
            return
        idle, full = SimpleQueue(), SimpleQueue()
        for _ in range(n_workers):
            idle.put(OwnTable(self.reading, frequencies))
        count = partial(
            _count_apart,
            reading=self.reading,
            idle=idle,
            full=full,
            most_terms=MOST_OWN_TERMS // n_workers,
        )
        for rows in thread_map(count, blocks):
            yield rows
            self._merge(full, frequencies)
        self._merge(full, frequencies)
        self._merge(idle, frequencies)

    def _merge(self, own_tables, frequencies):
        while not own_tables.empty():
            own = own_tables.get()
            if len(self) == len(self.reading.stop_list):
                # There is nothing yet to merge with.
                self.table, own.numbers = own.table, np.arange(len(own), dtype=np.int32)
            else:
                self.table, own.numbers = merged(self.table, own.table)
            frequencies.add_all(own.frequencies, own.numbers, len(self))
            own.table = own.frequencies = None

    def count_known(self, blocks):
        """Yield the rows of blocks, sorted, with the places of the terms to begin with."""
        columns = np.full(len(self), -1, dtype=np.int32)
        columns[self.numbers] = np.arange(len(self.numbers))
        count = partial(_count_known, reading=self.reading, table=self.table, columns=columns)
        return thread_map(count, blocks)

    def alphabetical(self):
        """Return the numbers of all terms in the order of their strings."""
        return alphabetical(self.table)

    def packed(self, numbers):
        """Return the terms with these numbers, ``PackedTerms``."""
        return packed_terms(self.table, numbers)


class DictVocabulary:
    """Terms that plain Python finds; parameters and methods as of ``TableVocabulary``."""

    def __init__(self, reading, terms=()):
        self.reading = reading
        self.number = dict(zip(terms, range(len(terms)), strict=True))
        self.numbers = np.arange(len(terms), dtype=np.int32)

    def __len__(self):
        return len(self.number)

    def count(self, blocks, frequencies):
        """Yield the rows of blocks; their terms and frequencies are added."""
        for rows, terms in thread_map(partial(_count_in_python, reading=self.reading), blocks):
            numbers = [self.number.setdefault(term, len(self.number)) for term in terms]
            rows = rows._replace(terms=np.array(numbers, dtype=np.int32)[rows.terms])
            yield _added(rows, frequencies, len(self))

    def count_known(self, blocks):
        """Yield the rows of blocks, sorted, with the places of the terms to begin with."""
        analyze = make_analyzer(self.reading)
        for block in blocks:
            yield _rows(_known_counts(analyze(text), self.number) for text in decoded(block))

    def alphabetical(self):
        """Return the numbers of all terms in the order of their strings."""
        terms = list(self.number)
        return np.array(sorted(range(len(terms)), key=terms.__getitem__), dtype=np.intp)

    def packed(self, numbers):
        """Return the terms with these numbers, ``PackedTerms``."""
        terms = list(self.number)
        return PackedTerms.of(terms[number] for number in numbers)


def count_hashed(blocks, reading, n_features, *, is_compiled):
    """Yield the rows of blocks, sorted, with the columns of the hashes of their terms."""
    count = _count_hashed if is_compiled else _count_hashed_in_python
    return thread_map(partial(count, reading=reading, n_features=n_features), blocks)


def _count(block, reading, table, *, is_fixed=False):
    data, bounds = packed(block, is_lowered=reading.is_lowered)
    scan = Scan(
        _ANALYZERS.get(reading.analyzer, _CJK[reading.cjk]),
        reading.least,
        reading.shortest,
        reading.longest,
        len(reading.stop_list),
        is_fixed,
    )
    *rows, table = count_rows(data, bounds, character_tables(reading.is_lowered), scan, table)
    # Copies, without the room that was left.
    return *(part.copy() for part in rows), table


class OwnTable:
    """Terms that one thread finds, apart from the others.

    Attributes
    ----------
    numbers : ndarray of int32 of shape (n_terms,)
        Those of its terms in the table of all, once it is merged.
    """

    def __init__(self, reading, frequencies):
        self.table = TableVocabulary(reading).table
        self.frequencies = Frequencies(is_totalled=frequencies.is_totalled)
        self.numbers = None

    def __len__(self):
        return int(self.table.sizes[0])


def _count_apart(block, reading, idle, full, most_terms):
    own = idle.get()
    try:
        if len(own) > most_terms:
            own, filled = OwnTable(reading, own.frequencies), own
            # Another thread may take it at once.
            full.put(filled)
        *rows, own.table = _count(block, reading, own.table)
        return _added(Rows(*rows, own), own.frequencies, len(own))
    finally:
        # Whatever the texts are: others would wait for it for ever.
        idle.put(own)


def _added(rows, frequencies, n_terms):
    frequencies.add(rows, n_terms)
    return rows


def _count_known(block, reading, table, columns):
    # Other threads have marks of their own.
    table = table._replace(seen=np.empty_like(table.seen))
    *rows, _ = _count(block, reading, table, is_fixed=True)
    return Rows(*rows).moved(columns)


def _count_hashed(block, reading, n_features):
    *rows, table = _count(block, reading, TableVocabulary(reading).table)
    return Rows(*rows).moved(hashed_columns(table, n_features))


def _count_hashed_in_python(block, reading, n_features):
    rows, terms = _count_in_python(block, reading)
    encoded = [term.encode("utf-8", "surrogatepass") for term in terms]
    hashes = np.array([murmurhash3_32(term) for term in encoded], dtype=np.int64)
    return rows.moved(columns_of_hashes(hashes, n_features))


def _count_in_python(block, reading):
    """Return the rows of a block, with numbers of its own, and the terms by these numbers."""
    analyze = make_analyzer(reading)
    number = defaultdict()
    number.default_factory = number.__len__
    rows = _rows(Counter(map(number.__getitem__, analyze(text))) for text in decoded(block))
    return rows, list(number)


def _known_counts(terms, number):
    """Return the number of each known term and how often it is there, sorted."""
    counts = Counter(map(number.get, terms))
    counts.pop(None, None)
    return dict(sorted(counts.items()))


def _rows(counted):
    """Return rows of which each comes as a dict from numbers of terms to counts."""
    terms, counts, lengths = array("i"), array("f"), array("i")
    for row in counted:
        terms.extend(row)
        counts.extend(row.values())
        lengths.append(len(row))
    arrays = zip((terms, counts, lengths), (np.int32, np.float32, np.int32), strict=True)
    return Rows(*(np.array(values, dtype=dtype) for values, dtype in arrays))
