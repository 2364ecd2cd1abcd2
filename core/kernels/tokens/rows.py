"""Counts of the terms of a block of texts, compiled."""

from typing import NamedTuple

import numba
import numpy as np

from core.kernels.hardware.prefetch import prefetch
from core.kernels.tokens.hash import MARGIN
from core.kernels.tokens.scan import (
    Place,
    may_have_cjk,
    scan_ngrams,
    scan_words,
    split_cjk,
    write_bounded_characters,
    write_characters,
    zero_long_numbers,
)
from core.kernels.tokens.table import (
    add_bytes,
    add_sequence,
    first_slot,
    hash_sequence,
    needs_room,
    number_in,
    numbers_of_bytes,
    reserve,
    slot_of_bytes,
    slot_of_sequence,
)

#: Values of ``Scan.analyzer``.
WORDS, CJK_CHARACTERS, CJK_PAIRS, CHARACTERS, BOUNDED_CHARACTERS = range(5)

#: N-grams of characters of a text that are found and counted at once: those of a long text, all
#: together, would take sixty times its bytes.
SLICE = 1 << 12
#: Bytes of text for each entry that room is made for at first; there is more where it is needed.
BYTES_PER_ENTRY = 5


class Scan(NamedTuple):
    """How the terms of a text are found.

    Attributes
    ----------
    analyzer : int
        One of ``WORDS``, ``CJK_CHARACTERS``, ``CJK_PAIRS``, ``CHARACTERS``, ``BOUNDED_CHARACTERS``.
    least : int
        Characters of the shortest word.
    long_numbers_as_zeros : bool
        Whether numbers of ``LONG_NUMBER`` digits or more are so many zeros.
    shortest, longest : int
        Of the n-grams.
    n_stop_words : int
        Terms of the table with a lower number are left out.
    is_fixed : bool
        Whether the table must not change: unknown terms are left out.
    """

    analyzer: int
    least: int
    long_numbers_as_zeros: bool
    shortest: int
    longest: int
    n_stop_words: int
    is_fixed: bool


class _Buffers(NamedTuple):
    letters: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray
    hashes: np.ndarray
    numbers: np.ndarray
    sequences: np.ndarray


class _Entries(NamedTuple):
    """Counted terms of all rows so far: their numbers and how often they came."""

    terms: np.ndarray
    counts: np.ndarray


@numba.njit(cache=True, nogil=True)
def count_rows(data, bounds, tables, scan, table):
    """Count the terms of texts.

    Parameters
    ----------
    data : ndarray of uint8
        Texts in UTF-8, a byte between each and the next.
    bounds : ndarray of int64 of shape (n_texts + 1,)
        Where each starts, and where one more would.
    tables : CharacterTables
    scan : Scan
    table : TermTable
        Its first terms are the stop words.

    Returns
    -------
    terms : ndarray of int32 of shape (n_entries,)
        Numbers of terms, text by text, each once for a text.
    counts : ndarray of float32 of shape (n_entries,)
    lengths : ndarray of int32 of shape (n_texts,)
        Number of entries of each text.
    table : TermTable
        With all terms.
    """
    n_rows = len(bounds) - 1
    # A number that is written out has a type of its own, for which all it is passed to would be
    # compiled, too.
    longest_text = np.int64(0)
    for row in range(n_rows):
        longest_text = max(longest_text, bounds[row + 1] - bounds[row])
    buffers = _buffers(longest_text, scan)
    capacity = 1024 + len(data) // BYTES_PER_ENTRY
    entries = _Entries(np.empty(capacity, dtype=np.int32), np.empty(capacity, dtype=np.float32))
    row_lengths = np.empty(n_rows, dtype=np.int32)
    n_levels = 1 if scan.analyzer >= CHARACTERS else scan.longest
    n_entries = np.int64(0)
    for row in range(n_rows):
        start, stop, begin = bounds[row], bounds[row + 1] - 1, n_entries
        place = _place(data, start, stop, tables, scan, buffers.letters)
        is_counted = False
        while not is_counted:
            n_tokens, place = _tokens(data, start, stop, tables, scan, buffers, place)
            if scan.long_numbers_as_zeros:
                zero_long_numbers(n_tokens, buffers.letters, buffers.starts, buffers.lengths)
            if not scan.is_fixed:
                n_bytes = np.int64(0)
                for token in range(n_tokens):
                    n_bytes += buffers.lengths[token]
                n_terms = n_tokens * n_levels
                if needs_room(table.slots, table.letters, table.sizes, n_terms, n_bytes):
                    table = reserve(table, n_terms, n_bytes)
            if n_entries + n_tokens * n_levels > len(entries.terms):
                entries = _with_room(entries, n_entries, n_tokens * n_levels)
            n_words = _number(table, scan, n_tokens, buffers)
            n_entries = _count(table, scan, n_words, buffers, entries, begin, n_entries)
            is_counted = place.at >= place.end
        row_lengths[row] = n_entries - begin
    return entries.terms[:n_entries], entries.counts[:n_entries], row_lengths, table


@numba.njit(cache=True, nogil=True)
def _buffers(longest_text, scan):
    n_letters = 3 * longest_text + 16
    n_tokens = SLICE if scan.analyzer >= CHARACTERS else longest_text + 2
    return _Buffers(
        np.zeros(n_letters + MARGIN, dtype=np.uint8),
        np.empty(n_tokens, dtype=np.int32),
        np.empty(n_tokens, dtype=np.int32),
        np.empty(n_tokens, dtype=np.uint64),
        np.empty(n_tokens, dtype=np.int64),
        np.empty(n_tokens, dtype=np.int64),
    )


@numba.njit(cache=True, nogil=True)
def _with_room(entries, n_entries, n_more):
    capacity = max(2 * len(entries.terms), n_entries + n_more)
    terms = np.empty(capacity, dtype=np.int32)
    counts = np.empty(capacity, dtype=np.float32)
    # Slices take seconds to compile.
    for entry in range(n_entries):
        terms[entry], counts[entry] = entries.terms[entry], entries.counts[entry]
    return _Entries(terms, counts)


@numba.njit(cache=True, nogil=True, forceinline=True)
def _place(data, start, stop, tables, scan, letters):
    """Return where a scan of a text begins: its characters are written to ``letters``."""
    if scan.analyzer == CHARACTERS:
        end = write_characters(data, start, stop, tables, letters)
        return Place(0, end, end)
    if scan.analyzer == BOUNDED_CHARACTERS:
        return Place(0, 0, write_bounded_characters(data, start, stop, tables, letters))
    return Place(0, 0, 0)


@numba.njit(cache=True, nogil=True, forceinline=True)
def _tokens(data, start, stop, tables, scan, buffers, place):
    """Find all words, or the next n-grams of characters; return how many, and the next place."""
    letters, starts, lengths = buffers.letters, buffers.starts, buffers.lengths
    if scan.analyzer >= CHARACTERS:
        return scan_ngrams(place, scan.shortest, scan.longest, letters, starts, lengths)
    if scan.analyzer == WORDS or not may_have_cjk(data, start, stop):
        n_words = scan_words(data, start, stop, tables, scan.least, letters, starts, lengths)
        return n_words, place
    n_words = scan_words(data, start, stop, tables, np.int64(1), letters, starts, lengths)
    is_paired = scan.analyzer == CJK_PAIRS
    return split_cjk(n_words, tables, scan.least, is_paired, letters, starts, lengths), place


@numba.njit(cache=True, nogil=True, forceinline=True)
def _number(table, scan, n_tokens, buffers):
    """Put the numbers of the tokens that are no stop words into ``buffers.numbers``."""
    slots, first, known, seen = table.slots, table.first, table.letters, table.seen
    letters, starts, lengths, hashes, numbers, _ = buffers
    numbers_of_bytes(table, letters, starts, lengths, hashes, numbers, n_tokens)
    n_words = np.int64(0)
    for token in range(n_tokens):
        number = numbers[token]
        if number < 0:
            hashed, start, length = hashes[token], starts[token], lengths[token]
            slot = slot_of_bytes(slots, first, known, hashed, letters, start, length)
            number = number_in(slots, slot)
            if number < 0 and not scan.is_fixed:
                number = add_bytes(table, slot, hashed, letters, start, length)
        if number < 0 or number >= scan.n_stop_words:
            prefetch(seen, max(number, 0))
            numbers[n_words] = number
            n_words += 1
    return n_words


@numba.njit(cache=True, nogil=True, forceinline=True)
def _count(table, scan, n_words, buffers, entries, begin, end):
    """Count the words and their n-grams as entries of the row from ``begin`` to ``end`` so far.

    Return where they end.
    """
    numbers, seen = buffers.numbers, table.seen
    terms, counts = entries
    is_sequence = scan.analyzer < CHARACTERS
    if scan.shortest == 1 or not is_sequence:
        for word in range(n_words):
            end = _add(seen, numbers[word], begin, end, terms, counts)
    if is_sequence and scan.longest > 1:
        sequences = buffers.sequences
        for word in range(n_words):
            sequences[word] = numbers[word]
        for n in range(2, scan.longest + 1):
            _lengthen(table, scan, n, n_words, buffers, sequences)
            if n >= scan.shortest:
                for word in range(n_words - n + 1):
                    end = _add(seen, sequences[word], begin, end, terms, counts)
    return end


@numba.njit(cache=True, nogil=True)
def _lengthen(table, scan, n, n_words, buffers, sequences):
    """Turn the numbers of sequences of n - 1 words into those of sequences of n words."""
    slots, numbers, hashes = table.slots, buffers.numbers, buffers.hashes
    for word in range(n_words - n + 1):
        hashes[word] = hash_sequence(sequences[word], numbers[word + n - 1])
        prefetch(slots, first_slot(slots, hashes[word]))
    for word in range(n_words - n + 1):
        before, last = sequences[word], numbers[word + n - 1]
        sequences[word] = -1
        if before >= 0 and last >= 0:
            slot = slot_of_sequence(slots, hashes[word])
            sequences[word] = number_in(slots, slot)
            if sequences[word] < 0 and not scan.is_fixed:
                sequences[word] = add_sequence(table, slot, hashes[word], before, last)


@numba.njit(cache=True, nogil=True, forceinline=True)
def _add(seen, number, begin, end, terms, counts):
    """Count a term; ``seen`` has its last entry, which may be of this row."""
    if number < 0:
        return end
    at = seen[number]
    if begin <= at < end and terms[at] == number:
        counts[at] += np.float32(1)
        return end
    seen[number] = end
    terms[end] = number
    counts[end] = 1
    return end + 1
