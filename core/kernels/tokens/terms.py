"""The terms of a table: their strings, their hashes."""

from functools import partial

import numba
import numpy as np

from core.kernels.hardware.prefetch import prefetch
from core.kernels.hardware.thread_map import thread_each, thread_map
from core.kernels.tokens.hash import MARGIN, murmur_hash
from core.kernels.tokens.packed_terms import PackedTerms
from core.kernels.tokens.table import (
    number_of_bytes,
    number_of_sequence,
    reserve,
)

#: Terms that one thread writes at a time.
TERMS_AT_ONCE = 1 << 17

_BLANK = 32


def packed_terms(table, terms):
    """Return the strings of terms, ``PackedTerms``.

    Parameters
    ----------
    table : TermTable or SortedTerms
    terms : ndarray of int of shape (n_terms,)
        Their numbers in it.
    """
    first, second, letters = table.first, table.second, table.letters
    starts = range(0, len(terms), TERMS_AT_ONCE)
    some = (terms[start : start + TERMS_AT_ONCE] for start in starts)
    bounds = np.zeros(len(terms) + 1, dtype=np.int64)
    widths = thread_map(partial(_widths, first, second), some)
    # Without a term there are no widths to put together.
    np.cumsum(np.concatenate([bounds[:0], *widths]), out=bounds[1:])
    text = np.zeros(bounds[-1] + MARGIN, dtype=np.uint8)
    write = partial(_write_some, first, second, letters, terms, bounds, text)
    thread_each(write, starts)
    # Terms from files are read-only as well: code is then compiled once for both.
    text.flags.writeable = False
    return PackedTerms(text, bounds)


@numba.njit(cache=True, nogil=True)
def _write_some(first, second, letters, terms, bounds, text, start):
    """Write the bytes of ``TERMS_AT_ONCE`` terms from a place on."""
    for i in range(start, min(start + TERMS_AT_ONCE, len(terms))):
        _fetch(first, second, letters, terms, i)
        _write(first, second, letters, terms[i], text, bounds[i + 1])


@numba.njit(cache=True, nogil=True, forceinline=True)
def _fetch(first, second, letters, terms, i):
    """Ask for what will be needed soon: terms, then their last words, then the bytes of these."""
    end = len(terms) - 1
    soon, sooner, soonest = (
        terms[min(i + 48, end)],
        terms[min(i + 32, end)],
        terms[min(i + 16, end)],
    )
    prefetch(first, soon)
    prefetch(second, soon)
    prefetch(first, max(np.intp(second[sooner]), 0))
    prefetch(second, max(np.intp(second[sooner]), 0))
    prefetch(letters, first[max(np.intp(second[soonest]), 0)])


@numba.njit(cache=True, nogil=True)
def _widths(first, second, terms):
    widths = np.zeros(len(terms), dtype=np.int64)
    for i in range(len(terms)):
        term = np.int64(terms[i])
        while second[term] >= 0:
            widths[i] += 1 - second[second[term]]
            term = first[term]
        widths[i] -= second[term]
    return widths


@numba.njit(cache=True, nogil=True, forceinline=True)
def _write(first, second, letters, term, text, end):
    """Write a term, its last word first, so that it ends at ``end``."""
    while True:
        is_sequence = second[term] >= 0
        word = np.int64(second[term]) if is_sequence else term
        length = -second[word]
        begin = first[word]
        for i in range(length):
            text[end - length + i] = letters[begin + i]
        if not is_sequence:
            break
        end -= length + 1
        text[end] = _BLANK
        term = first[term]


def hashed_columns(table, n_features):
    """Return the column of each term in a matrix of hashed terms, int32."""
    return columns_of_hashes(_hashes(table), n_features)


def columns_of_hashes(hashes, n_features):
    """Return the columns that scikit-learn's ``FeatureHasher`` gives to signed hashes, int32."""
    columns = np.abs(hashes) % n_features
    # The absolute value of -2**31 does not fit into 32 bits; scikit-learn then takes this column.
    columns[hashes == -(2**31)] = (2**31 - n_features) % n_features
    return columns.astype(np.int32)


@numba.njit(cache=True, nogil=True)
def _hashes(table):
    hashes = np.empty(table.sizes[0], dtype=np.int64)
    first, second, letters = table.first, table.second, table.letters
    widths = _widths(first, second, np.arange(len(hashes)))
    text = np.empty(np.max(widths) if len(widths) else 0, dtype=np.uint8)
    for term in range(len(hashes)):
        _write(first, second, letters, term, text, widths[term])
        hashes[term] = murmur_hash(text, widths[term])
    return hashes


def add_strings(table, terms, *, is_split):
    """Add strings, as sequences of the words between blanks if ``is_split``.

    Returns
    -------
    table : TermTable
    numbers : ndarray of int32 of shape (n_terms,)
        That of each string.
    """
    packed = terms if isinstance(terms, PackedTerms) else PackedTerms.of(terms)
    return _add_all(table, packed.text, packed.bounds, is_split)


@numba.njit(cache=True, nogil=True)
def _add_all(table, data, bounds, is_split):
    n_blanks = np.int64(0)
    for byte in data:
        n_blanks += is_split and byte == _BLANK
    # Words, and the sequences that they make.
    table = reserve(table, len(bounds) + 2 * n_blanks, len(data))
    slots, first, letters = table.slots, table.first, table.letters
    numbers = np.empty(len(bounds) - 1, dtype=np.int32)
    for term in range(len(numbers)):
        start, stop, number = bounds[term], bounds[term + 1], np.int64(-1)
        while start <= stop:
            end = start
            while end < stop and not (is_split and data[end] == _BLANK):
                end += 1
            word = number_of_bytes(table, slots, first, letters, data, start, end - start)
            number = word if number < 0 else number_of_sequence(table, slots, number, word)
            start = end + 1
        numbers[term] = number
    return table, numbers
