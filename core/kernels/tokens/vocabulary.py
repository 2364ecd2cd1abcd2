"""Terms as they come, block by block, found by compiled code in tables."""

from functools import partial
from queue import SimpleQueue

import numpy as np
from joblib import effective_n_jobs

from core.kernels.hardware.thread_map import thread_each, thread_map
from core.kernels.tokens.blocks import packed
from core.kernels.tokens.characters import character_tables
from core.kernels.tokens.counted_rows import Rows
from core.kernels.tokens.frequencies import Frequencies
from core.kernels.tokens.hash import MARGIN
from core.kernels.tokens.plain_vocabulary import count_hashed_in_python
from core.kernels.tokens.rows import (
    BOUNDED_CHARACTERS,
    CHARACTERS,
    CJK_CHARACTERS,
    CJK_PAIRS,
    WORDS,
    Scan,
    count_rows,
)
from core.kernels.tokens.sorted_terms import sort_terms
from core.kernels.tokens.table import new_table
from core.kernels.tokens.terms import add_strings, hashed_columns, packed_terms

#: Terms that the tables in which threads search have in all, before new ones are begun: they take
#: 250 MB at most, those that are full, without slots, some 50.
MOST_OWN_TERMS = 1 << 22

_ANALYZERS = {"char": CHARACTERS, "char_wb": BOUNDED_CHARACTERS}
_CJK = {None: WORDS, "characters": CJK_CHARACTERS, "bigrams": CJK_PAIRS}


class FoundTerms:
    """Terms that one thread at a time finds.

    Parameters
    ----------
    table : TermTable
        Those to begin with.
    is_totalled : bool
        Whether it matters how often each term is in all texts together.

    Attributes
    ----------
    places : ndarray of int32 of shape (n_terms,)
        Those of its terms in the order of all, once they are sorted.
    """

    def __init__(self, table, *, is_totalled):
        self.table = table
        self.frequencies = Frequencies(is_totalled=is_totalled)
        self.places = None

    def __len__(self):
        return int(self.table.sizes[0])

    def add(self, rows):
        """Return rows that were counted by this table; their frequencies are added."""
        self.frequencies.add(rows, len(self))
        return rows._replace(found=self)

    def count(self, block, reading):
        """Return the rows of a block; their terms and frequencies are added."""
        *rows, self.table = _count(block, reading, self.table)
        return self.add(Rows(*rows))

    def close(self):
        """Give back what terms are searched by, and the room for further ones."""
        table, n_terms = self.table, len(self)
        self.table = table._replace(
            slots=np.empty(0, dtype=np.uint64),
            seen=np.empty(0, dtype=np.int32),
            first=table.first[:n_terms].copy(),
            second=table.second[:n_terms].copy(),
            letters=table.letters[: table.sizes[1] + MARGIN].copy(),
        )


class TableVocabulary:
    """Terms that compiled code finds.

    Parameters
    ----------
    reading : Reading
        With ``is_compiled``.
    terms : PackedTerms or list of str, default=()
        Terms to begin with.
    is_totalled : bool, default=False
        Whether it matters how often each term is in all texts together.

    Attributes
    ----------
    numbers : ndarray of int32
        Those of the terms to begin with.
    """

    def __init__(self, reading, terms=(), *, is_totalled=False):
        self.reading = reading
        self.is_totalled = is_totalled
        is_split = reading.analyzer == "word"
        table, self.numbers = add_strings(_stop_words(reading), terms, is_split=is_split)
        self.found = [FoundTerms(table, is_totalled=is_totalled)]
        self.sorted = None

    def count(self, blocks):
        """Yield the rows of blocks, each with the numbers of the thread that counted it."""
        n_workers = effective_n_jobs(None)
        idle = SimpleQueue()
        idle.put(self.found[0])
        for _ in range(1, n_workers):
            idle.put(self._begun())
        return thread_map(partial(self._count_idle, idle, MOST_OWN_TERMS // n_workers), blocks)

    def _count_idle(self, idle, most_terms, block):
        found = idle.get()
        try:
            if len(found) > most_terms:
                found.close()
                found = self._begun()
            return found.count(block, self.reading)
        finally:
            # Whatever the texts are: others would wait for it for ever.
            idle.put(found)

    def _begun(self):
        """Return an empty table, which is among those found."""
        found = FoundTerms(_stop_words(self.reading), is_totalled=self.is_totalled)
        self.found.append(found)
        return found

    def counted(self, rows):
        """Yield rows of terms to begin with, with their numbers; their frequencies are added."""
        return map(self.found[0].add, rows)

    def sort(self):
        """Put all terms in the order of their strings; return their frequencies in this order."""
        thread_each(FoundTerms.close, self.found)
        self.sorted, places = sort_terms([found.table for found in self.found])
        frequencies = Frequencies(len(self.sorted.first), is_totalled=self.is_totalled)
        for found, found.places in zip(self.found, places, strict=True):
            frequencies.add_all(found.frequencies, found.places)
            found.table = found.frequencies = None
        return frequencies

    def packed(self, places):
        """Return the sorted terms at these places, ``PackedTerms``."""
        return packed_terms(self.sorted, places)

    def count_known(self, blocks):
        """Yield the rows of blocks, sorted, with the places of the terms to begin with."""
        (found,) = self.found
        columns = np.full(len(found), -1, dtype=np.int32)
        columns[self.numbers] = np.arange(len(self.numbers))
        count = partial(_count_known, reading=self.reading, table=found.table, columns=columns)
        return thread_map(count, blocks)


def count_hashed(blocks, reading, n_features, *, is_compiled):
    """Yield the rows of blocks, sorted, with the columns of the hashes of their terms."""
    count = _count_hashed if is_compiled else count_hashed_in_python
    return thread_map(partial(count, reading=reading, n_features=n_features), blocks)


def _stop_words(reading):
    """Return a new table with the stop words, whose numbers come before all others."""
    return add_strings(new_table(), reading.stop_list, is_split=False)[0]


def _count(block, reading, table, *, is_fixed=False):
    data, bounds = packed(block, is_lowered=reading.is_lowered)
    scan = Scan(
        _ANALYZERS.get(reading.analyzer, _CJK[reading.cjk]),
        reading.least,
        reading.long_numbers_as_zeros,
        reading.shortest,
        reading.longest,
        len(reading.stop_list),
        is_fixed,
    )
    tables = character_tables(reading.is_lowered, reading.with_marks)
    *rows, table = count_rows(data, bounds, tables, scan, table)
    # Copies, without the room that was left.
    return *(part.copy() for part in rows), table


def _count_known(block, reading, table, columns):
    # Other threads have marks of their own.
    table = table._replace(seen=np.empty_like(table.seen))
    *rows, _ = _count(block, reading, table, is_fixed=True)
    return Rows(*rows).moved(columns)


def _count_hashed(block, reading, n_features):
    *rows, table = _count(block, reading, _stop_words(reading))
    return Rows(*rows).moved(hashed_columns(table, n_features))
