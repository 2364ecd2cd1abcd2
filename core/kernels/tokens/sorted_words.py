"""The words of a table in alphabetical order, and those of several tables merged."""

import numba
import numpy as np

#: Bytes up to which strings are compared all at once; few are the same for longer.
_COMMON_BYTES = 64


def sorted_words(table):
    """Return the words of a table in their order, bytes and bounds, and their numbers there."""
    n_terms = table.sizes[0]
    members = np.flatnonzero(table.second[:n_terms] < 0)
    starts, lengths = table.first[members], -table.second[members]
    order = _order_of_bytes(table.letters, starts, lengths)
    return _copied(table.letters, starts[order], lengths[order]), members[order]


@numba.njit(cache=True, nogil=True)
def _copied(letters, starts, lengths):
    bounds = np.zeros(len(lengths) + 1, dtype=np.int64)
    for i in range(len(lengths)):
        bounds[i + 1] = bounds[i] + lengths[i]
    copied = np.empty(bounds[-1], dtype=np.uint8)
    for i in range(len(lengths)):
        for j in range(lengths[i]):
            copied[bounds[i] + j] = letters[starts[i] + j]
    return copied, bounds


@numba.njit(cache=True, nogil=True)
def union_of_words(one, other):
    """Return the union of sorted words, as bytes and bounds, and the places of both in it."""
    (one, of_one), (other, of_other) = one, other
    n_one, n_other = len(of_one) - 1, len(of_other) - 1
    letters = np.empty(len(one) + len(other), dtype=np.uint8)
    bounds = np.zeros(n_one + n_other + 1, dtype=np.int64)
    place_of_one, place_of_other = np.empty(n_one, np.int64), np.empty(n_other, np.int64)
    i = j = n = 0
    while i < n_one or j < n_other:
        difference = 1 if i == n_one else -1
        if i < n_one and j < n_other:
            difference = _difference(one, of_one, i, other, of_other, j)
        if difference <= 0:
            start, end, source = of_one[i], of_one[i + 1], one
            place_of_one[i] = n
            i += 1
        else:
            start, end, source = of_other[j], of_other[j + 1], other
        if difference >= 0:
            place_of_other[j] = n
            j += 1
        for place in range(start, end):
            letters[bounds[n] + place - start] = source[place]
        bounds[n + 1] = bounds[n] + end - start
        n += 1
    return (letters[: bounds[n]].copy(), bounds[: n + 1].copy()), place_of_one, place_of_other


@numba.njit(cache=True, nogil=True)
def _difference(one, of_one, i, other, of_other, j):
    """Return a number below, at or above 0, as a word comes before, is or follows another."""
    start, begin = of_one[i], of_other[j]
    length, other_length = of_one[i + 1] - start, of_other[j + 1] - begin
    for at in range(min(length, other_length)):
        if one[start + at] != other[begin + at]:
            return np.int64(one[start + at]) - np.int64(other[begin + at])
    return length - other_length


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
