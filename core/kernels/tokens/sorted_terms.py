"""The terms of several tables in one alphabetical order."""

from functools import partial
from typing import NamedTuple

import numba
import numpy as np

from core.kernels.hardware.thread_map import thread_each, thread_map
from core.kernels.tokens.sorted_words import sorted_words, union_of_words

#: Bits of a key with its place, where both are sorted as one number.
MOST_BITS = 64

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


class SortedTerms(NamedTuple):
    """Terms in the order of their strings: the number of each is its place.

    Attributes
    ----------
    first : ndarray of int64 of shape (n_terms,)
        Where the bytes of a term start; of a sequence, the place of what precedes its last word.
    second : ndarray of int32 of shape (n_terms,)
        The length of the bytes, negative; of a sequence, the place of its last word.
    letters : ndarray of uint8
        The bytes.
    """

    first: np.ndarray
    second: np.ndarray
    letters: np.ndarray


def sort_terms(tables):
    """Put the terms of tables in one order, each once.

    Sequences are ordered by their words, which is the order of the words joined by blanks: all
    characters of words come after the blank. So each is known by a number of 64 bits, made of the
    ranks of what precedes its last word and of that word. Words and numbers of each table are
    sorted, by a thread each, and merged in one pass: to look them up in one table would wait for
    the memory.

    Parameters
    ----------
    tables : list of TermTable

    Returns
    -------
    terms : SortedTerms
    places : list of ndarray of int32
        For each table, the places of its terms.
    """
    parts = list(thread_map(sorted_words, tables))
    words = [part for part, _ in parts]
    (letters, bounds), of_parts = _union(words, len(parts[0][1]), union_of_words)
    ranks = [np.empty(table.sizes[0], dtype=np.int32) for table in tables]
    for ranks_of_one, (_, members), of_part in zip(ranks, parts, of_parts, strict=True):
        ranks_of_one[members] = of_part
    keys = _rank_sequences(tables, ranks, len(bounds) - 1)
    places = _places(len(bounds) - 1, keys)
    terms = SortedTerms(*_in_order(bounds, keys, places), letters)
    return terms, list(thread_map(partial(np.take, places), ranks))


def _rank_sequences(tables, ranks, n_words):
    """Rank the sequences behind the words, the shorter ones first.

    Parameters
    ----------
    tables : list of TermTable
    ranks : list of ndarray of int32
        By the number in each table: those of words; those of sequences are set.
    n_words : int

    Returns
    -------
    ndarray of uint64 of shape (n_sequences,)
        For each rank from ``n_words`` on, that of what precedes the last word and, in the lower 32
        bits, that of the last word.
    """
    words = [_words_in(table) for table in tables]
    keys, n_ranked = [], n_words
    for n in range(2, max(np.max(lengths, initial=1) for lengths in words) + 1):
        sort = partial(_sorted_keys, n, n_ranked)
        parts = list(thread_map(sort, zip(tables, words, ranks, strict=True)))
        members = [numbers for _, numbers in parts]
        union, places = _union([part for part, _ in parts], len(members[0]), _union_of_keys)
        thread_each(partial(_set_ranks, n_ranked), zip(ranks, members, places, strict=True))
        keys.append(union)
        n_ranked += len(union)
    return np.concatenate(keys) if keys else np.empty(0, dtype=np.uint64)


def _words_in(table):
    n_terms = table.sizes[0]
    return _n_words(table.first[:n_terms], table.second[:n_terms])


@numba.njit(cache=True, nogil=True)
def _n_words(first, second):
    """Return the number of words of each term; a sequence comes after what it continues."""
    n_words = np.ones(len(first), dtype=np.uint8)
    for term in range(len(first)):
        if second[term] >= 0:
            n_words[term] = n_words[first[term]] + 1
    return n_words


def _sorted_keys(n, n_ranked, part):
    """Return the keys of the sequences of n words of a table, sorted, and their numbers there."""
    table, n_words, ranks = part
    members = np.flatnonzero(n_words == n)
    keys = _keys(table.first, table.second, ranks, members)
    # NumPy sorts numbers five times as fast as it finds their order. So a key is sorted together
    # with the place of its member, where both fit into one number.
    n_bits = n_ranked.bit_length()
    n_free = len(members).bit_length()
    if 2 * n_bits + n_free > MOST_BITS:
        order = keys.argsort()
        return keys[order], members[order]
    packed = _packed(keys, np.uint64(n_bits), np.uint64(n_free))
    packed.sort()
    return _unpacked(packed, np.uint64(n_bits), np.uint64(n_free), members)


def _set_ranks(n_ranked, part):
    ranks, members, places = part
    _set_at(ranks, members, places, n_ranked)


@numba.njit(cache=True, nogil=True)
def _set_at(ranks, members, places, n_ranked):
    for i in range(len(members)):
        ranks[members[i]] = n_ranked + places[i]


@numba.njit(cache=True, nogil=True)
def _packed(keys, n_bits, n_free):
    packed = np.empty_like(keys)
    for i in range(len(keys)):
        key = (keys[i] >> _HALF) << n_bits | (keys[i] & _LOW)
        packed[i] = key << n_free | np.uint64(i)
    return packed


@numba.njit(cache=True, nogil=True)
def _unpacked(packed, n_bits, n_free, members):
    one = np.uint64(1)
    keys, numbers = np.empty_like(packed), np.empty_like(members)
    for i in range(len(packed)):
        key = packed[i] >> n_free
        keys[i] = (key >> n_bits) << _HALF | (key & ((one << n_bits) - one))
        numbers[i] = members[np.intp(packed[i] & ((one << n_free) - one))]
    return keys, numbers


@numba.njit(cache=True, nogil=True)
def _keys(first, second, ranks, members):
    keys = np.empty(len(members), dtype=np.uint64)
    for i in range(len(members)):
        before, last = ranks[first[members[i]]], ranks[second[members[i]]]
        keys[i] = np.uint64(before) << _HALF | np.uint64(last)
    return keys


def _union(parts, n_first, union_of_two):
    """Return the union of sorted parts without duplicates, and where those of each are in it.

    ``n_first`` is how many the first part has.
    """
    union, places = parts[0], [np.arange(n_first)]
    for part in parts[1:]:
        union, of_before, of_part = union_of_two(union, part)
        places = [*(of_before[some] for some in places), of_part]
    return union, places


@numba.njit(cache=True, nogil=True)
def _union_of_keys(one, other):
    union = np.empty(len(one) + len(other), dtype=np.uint64)
    of_one, of_other = np.empty(len(one), dtype=np.int64), np.empty(len(other), dtype=np.int64)
    i = j = n = 0
    while i < len(one) or j < len(other):
        is_of_one = j == len(other) or (i < len(one) and one[i] <= other[j])
        is_of_other = i == len(one) or (j < len(other) and other[j] <= one[i])
        union[n] = one[i] if is_of_one else other[j]
        if is_of_one:
            of_one[i] = n
            i += 1
        if is_of_other:
            of_other[j] = n
            j += 1
        n += 1
    return union[:n].copy(), of_one, of_other


@numba.njit(cache=True, nogil=True)
def _places(n_words, keys):
    """Return the place of each rank: a word, then the sequences that begin with it, and so on."""
    n_terms = n_words + len(keys)
    sizes = np.ones(n_terms, dtype=np.int64)
    for i in range(len(keys) - 1, -1, -1):
        sizes[np.intp(keys[i] >> _HALF)] += sizes[n_words + i]
    places, following = np.empty(n_terms, dtype=np.int32), np.empty(n_terms, dtype=np.int64)
    place = 0
    for rank in range(n_terms):
        if rank < n_words:
            places[rank] = place
            place += sizes[rank]
        else:
            before = np.intp(keys[rank - n_words] >> _HALF)
            places[rank] = following[before]
            following[before] += sizes[rank]
        following[rank] = places[rank] + 1
    return places


@numba.njit(cache=True, nogil=True)
def _in_order(bounds, keys, places):
    """Return ``first`` and ``second`` of ``SortedTerms``."""
    first, second = np.empty(len(places), dtype=np.int64), np.empty(len(places), dtype=np.int32)
    n_words = len(bounds) - 1
    for rank in range(len(places)):
        place = places[rank]
        if rank < n_words:
            first[place], second[place] = bounds[rank], bounds[rank] - bounds[rank + 1]
        else:
            key = keys[rank - n_words]
            first[place] = places[np.intp(key >> _HALF)]
            second[place] = places[np.intp(key & _LOW)]
    return first, second
