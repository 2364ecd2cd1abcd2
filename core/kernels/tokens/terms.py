"""The terms of a table: their alphabetical order, their strings, their hashes."""

from collections import deque
from functools import partial

import numba
import numpy as np

from core.kernels.prefetch import prefetch
from core.kernels.thread_map import thread_map
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
#: Bytes up to which strings are compared all at once; few are the same for longer.
_COMMON_BYTES = 64


def alphabetical(table):
    """Return the numbers of all terms in the order of their strings, an ndarray.

    Sequences are ordered by their words, which is the order of the words joined by blanks: all
    characters of words come after the blank.
    """
    n_terms = table.sizes[0]
    first, second = table.first[:n_terms], table.second[:n_terms]
    words = np.flatnonzero(second < 0)
    words = words[_order_of_bytes(table.letters, first[words], -second[words])]
    if len(words) == n_terms:
        return words
    rank = np.empty(n_terms, dtype=np.int64)
    rank[words] = np.arange(len(words))
    return _preorder(first, second, words, _by_last_word(second, rank, len(words)))


@numba.njit(cache=True, nogil=True)
def _by_last_word(second, rank, n_words):
    """Return the sequences in the order of their last words: a counting sort."""
    ends = np.zeros(n_words, dtype=np.int64)
    for term in range(len(second)):
        if second[term] >= 0:
            ends[rank[second[term]]] += 1
    ends = np.cumsum(ends)
    order = np.empty(ends[-1], dtype=np.int64)
    for term in range(len(second) - 1, -1, -1):
        if second[term] >= 0:
            ends[rank[second[term]]] -= 1
            order[ends[rank[second[term]]]] = term
    return order


def _order_of_bytes(letters, starts, lengths):
    """Return the order of strings of bytes: eight bytes at a time, then those equal up to there.

    Python compares what is still equal after ``_COMMON_BYTES``.
    """
    order, tied = np.arange(len(starts)), np.arange(len(starts))
    group, depth = np.zeros(len(starts), dtype=np.int64), 0
    while len(tied) and depth < _COMMON_BYTES:
        tied_strings, tied_group = order[tied], group[tied]
        keys = _big_endian(letters, starts[tied_strings], lengths[tied_strings], depth)
        # Zeros that fill up the last eight bytes are not those of a longer string.
        rest = np.minimum(lengths[tied_strings] - depth, 9)
        by_bytes = np.lexsort((rest, keys, tied_group))
        order[tied] = tied_strings[by_bytes]
        is_first = np.zeros(len(tied), dtype=bool)
        for key in (rest[by_bytes], keys[by_bytes], tied_group):
            is_first[1:] |= key[1:] != key[:-1]
        is_first[0] = True
        group[tied] = np.cumsum(is_first)
        is_last = np.append(is_first[1:], True)
        tied = tied[~(is_first & is_last)]
        depth += 8
    if len(tied):
        texts = (letters[starts[i] + depth : starts[i] + lengths[i]].tobytes() for i in order[tied])
        rests = list(zip(group[tied].tolist(), texts, strict=True))
        order[tied] = order[tied[sorted(range(len(tied)), key=rests.__getitem__)]]
    return order


@numba.njit(cache=True, nogil=True)
def _big_endian(letters, starts, lengths, depth):
    keys = np.zeros(len(starts), dtype=np.uint64)
    for string in range(len(starts)):
        for i in range(depth, min(depth + 8, lengths[string])):
            shift = np.uint64(8 * (7 - (i - depth)))
            keys[string] |= np.uint64(letters[starts[string] + i]) << shift
    return keys


@numba.njit(cache=True, nogil=True)
def _preorder(first, second, words, sequences):
    """Return each word, in their order, followed by the sequences that begin with it, and so on."""
    sizes, levels = np.ones(len(first), dtype=np.int64), np.ones(len(first), dtype=np.uint8)
    # A sequence comes after what it continues, so its number is higher.
    for term in range(len(first) - 1, -1, -1):
        if second[term] >= 0:
            sizes[first[term]] += sizes[term]
    longest = 1
    for term in range(len(first)):
        if second[term] >= 0:
            levels[term] = levels[first[term]] + 1
            longest = max(longest, np.intp(levels[term]))
    order = np.empty(len(first), dtype=np.int64)
    following = np.empty(len(first), dtype=np.int64)
    place = 0
    for term in words:
        order[place], following[term] = term, place + 1
        place += sizes[term]
    # What a sequence continues has its place before it.
    for level in range(2, longest + 1):
        for term in sequences:
            if levels[term] == level:
                place = following[first[term]]
                order[place], following[term] = term, place + 1
                following[first[term]] += sizes[term]
    return order


def packed_terms(table, terms):
    """Return the strings of terms, ``PackedTerms``."""
    bounds = np.zeros(len(terms) + 1, dtype=np.int64)
    np.cumsum(_widths(table)[terms], out=bounds[1:])
    text = np.zeros(bounds[-1] + MARGIN, dtype=np.uint8)
    starts = range(0, len(terms), TERMS_AT_ONCE)
    write = partial(_write_some, table, terms, bounds, text)
    deque(thread_map(write, starts), maxlen=0)
    # As those are that come from files, so that code is compiled once for both.
    text.flags.writeable = False
    return PackedTerms(text, bounds)


@numba.njit(cache=True, nogil=True)
def _write_some(table, terms, bounds, text, start):
    """Write the bytes of ``TERMS_AT_ONCE`` terms from a place on."""
    first, second, letters = table.first, table.second, table.letters
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
def _widths(table):
    first, second = table.first, table.second
    widths = np.empty(table.sizes[0], dtype=np.int64)
    for term in range(len(widths)):
        last = second[term]
        widths[term] = -last if last < 0 else widths[first[term]] + 1 + widths[last]
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
    # The absolute value of the least number is none of 32 bits; there scikit-learn takes this.
    columns[hashes == -(2**31)] = (2**31 - n_features) % n_features
    return columns.astype(np.int32)


@numba.njit(cache=True, nogil=True)
def _hashes(table):
    hashes = np.empty(table.sizes[0], dtype=np.int64)
    widths = _widths(table)
    first, second, letters = table.first, table.second, table.letters
    text = np.empty(np.max(widths) if len(widths) else 0, dtype=np.uint8)
    for term in range(len(hashes)):
        _write(first, second, letters, term, text, widths[term])
        hashes[term] = murmur_hash(text, 0, widths[term])
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
    n_blanks = 0
    for byte in data:
        n_blanks += is_split and byte == _BLANK
    # Words, and the sequences that they make.
    table = reserve(table, len(bounds) + 2 * n_blanks, len(data))
    slots, first, letters = table.slots, table.first, table.letters
    numbers = np.empty(len(bounds) - 1, dtype=np.int32)
    for term in range(len(numbers)):
        start, stop, number = bounds[term], bounds[term + 1], -1
        while start <= stop:
            end = start
            while end < stop and not (is_split and data[end] == _BLANK):
                end += 1
            word = number_of_bytes(table, slots, first, letters, data, start, end - start)
            number = word if number < 0 else number_of_sequence(table, slots, number, word)
            start = end + 1
        numbers[term] = number
    return table, numbers
