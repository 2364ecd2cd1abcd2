"""A table of terms that grows: each has a number, the next one that is free when it first comes.

A word, or a piece of text, is known by its bytes. A sequence of several words is known by the
number of the sequence without its last word and the number of that word, so it needs no bytes.
"""

from typing import NamedTuple

import numba
import numpy as np

from core.kernels.hardware.prefetch import prefetch
from core.kernels.tokens.hash import MARGIN, equal_bytes, hash_bytes, mixed

#: Slots of a new table; a power of two, as the numbers of slots of all tables are.
N_SLOTS = 1 << 12

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class TermTable(NamedTuple):
    """Open addressing, linear probing, half full at most.

    Attributes
    ----------
    slots : ndarray of uint64 of shape (2 * n_slots,)
        A hash, then the number of the term plus 1 and, 32 bits higher, the length of its bytes; 0
        where the slot is free. Both lie side by side, so that a look at one fetches the other.
    first : ndarray of int64 of shape (capacity,)
        Where the bytes of a term start; of a sequence, the number of what precedes its last word.
    second : ndarray of int32 of shape (capacity,)
        The length of the bytes, negative; of a sequence, the number of its last word.
    seen : ndarray of int32 of shape (capacity,)
        Where the term was counted last, for those who count; not set at first.
    letters : ndarray of uint8
        The bytes.
    sizes : ndarray of int64 of shape (2,)
        Number of terms and of bytes.
    """

    slots: np.ndarray
    first: np.ndarray
    second: np.ndarray
    seen: np.ndarray
    letters: np.ndarray
    sizes: np.ndarray


def new_table():
    """Return a table without terms."""
    return TermTable(
        np.zeros(2 * N_SLOTS, dtype=np.uint64),
        np.empty(N_SLOTS // 2, dtype=np.int64),
        np.empty(N_SLOTS // 2, dtype=np.int32),
        np.zeros(N_SLOTS // 2, dtype=np.int32),
        np.empty(8 * N_SLOTS, dtype=np.uint8),
        np.zeros(2, dtype=np.int64),
    )


@numba.njit(cache=True, nogil=True, forceinline=True)
def needs_room(slots, letters, sizes, n_terms, n_bytes):
    """Tell whether a table with these arrays has no room for so many more terms or bytes."""
    return 4 * (sizes[0] + n_terms) > len(slots) or sizes[1] + n_bytes + MARGIN > len(letters)


@numba.njit(cache=True, nogil=True)
def reserve(table, n_terms, n_bytes):
    """Return the table with room for so many more terms and bytes: itself or a larger one."""
    n_slots = len(table.slots) // 2
    needed = 2 * (table.sizes[0] + n_terms)
    letters, first, second, seen = table.letters, table.first, table.second, table.seen
    if table.sizes[1] + n_bytes + MARGIN > len(letters):
        letters = _longer(letters, max(2 * len(letters), table.sizes[1] + n_bytes + MARGIN))
    if needed <= n_slots:
        return TermTable(table.slots, first, second, seen, letters, table.sizes)
    while n_slots < needed:
        n_slots *= 2
    capacity = n_slots // 2
    slots = _spread(table.slots, n_slots)
    first, second, seen = (
        _longer(first, capacity),
        _longer(second, capacity),
        _longer(seen, capacity),
    )
    return TermTable(slots, first, second, seen, letters, table.sizes)


@numba.njit(cache=True, nogil=True)
def _longer(array, capacity):
    longer = np.empty(capacity, dtype=array.dtype)
    # Slices take seconds to compile.
    for i in range(len(array)):
        longer[i] = array[i]
    return longer


@numba.njit(cache=True, nogil=True)
def _spread(slots, n_slots):
    wider = np.zeros(2 * n_slots, dtype=np.uint64)
    mask = np.uint64(n_slots - 1)
    for old in range(0, len(slots), 2):
        if slots[old + 1]:
            slot = slots[old] & mask
            while wider[2 * slot + 1]:
                slot = (slot + np.uint64(1)) & mask
            wider[2 * slot] = slots[old]
            wider[2 * slot + 1] = slots[old + 1]
    return wider


# Arrays one by one: to take them out of the table for each term would cost more than the search.
@numba.njit(cache=True, nogil=True, forceinline=True)
def first_slot(slots, hashed):
    """Return where the search for a hash begins."""
    return np.intp(hashed & np.uint64(len(slots) // 2 - 1)) * 2


@numba.njit(cache=True, nogil=True, forceinline=True)
def slot_of_bytes(slots, first, letters, hashed, source, start, length):
    """Return the slot of a string of bytes whose hash is known, or the free one it belongs into."""
    width = np.uint64(length)
    slot = first_slot(slots, hashed)
    while slots[slot + 1]:
        if slots[slot] == hashed and slots[slot + 1] >> _HALF == width:
            # Up to eight bytes, the hash and the length are as good as the bytes.
            begin = first[number_in(slots, slot)]
            if length <= 8 or equal_bytes(letters, begin, source, start, length):
                break
        slot = (slot + 2) & (len(slots) - 1)
    return slot


@numba.njit(cache=True, nogil=True)
def numbers_of_bytes(table, source, starts, lengths, hashes, numbers, n_strings):
    """Find the numbers of strings of bytes, and their hashes; -1 where one may be new.

    Each step is taken for all, so that they wait for the memory together and not in turn.
    """
    slots, first, letters = table.slots, table.first, table.letters
    for i in range(n_strings):
        hashes[i] = hash_bytes(source, starts[i], lengths[i])
        prefetch(slots, first_slot(slots, hashes[i]))
    for i in range(n_strings):
        hashed, width, slot = hashes[i], np.uint64(lengths[i]), first_slot(slots, hashes[i])
        while slots[slot + 1] and (slots[slot] != hashed or slots[slot + 1] >> _HALF != width):
            slot = (slot + 2) & (len(slots) - 1)
        numbers[i] = number_in(slots, slot)
        prefetch(first, max(numbers[i], 0))
    for i in range(n_strings):
        prefetch(letters, first[max(numbers[i], 0)])
    for i in range(n_strings):
        if numbers[i] >= 0 and lengths[i] > 8:
            begin = first[numbers[i]]
            if not equal_bytes(letters, begin, source, starts[i], lengths[i]):
                numbers[i] = -1


@numba.njit(cache=True, nogil=True, forceinline=True)
def hash_sequence(number, last):
    """Return the hash of a sequence: of no two the same."""
    return mixed(np.uint64(number) << _HALF | np.uint64(last), 0)


@numba.njit(cache=True, nogil=True, forceinline=True)
def slot_of_sequence(slots, hashed):
    """Return the slot of a sequence, or the free one it belongs into."""
    slot = first_slot(slots, hashed)
    # No bytes have length 0, and the hash of a sequence is as good as the sequence.
    while slots[slot + 1] and (slots[slot] != hashed or slots[slot + 1] >> _HALF):
        slot = (slot + 2) & (len(slots) - 1)
    return slot


@numba.njit(cache=True, nogil=True, forceinline=True)
def number_in(slots, slot):
    """Return the number of the term in a slot, -1 where it is free."""
    return np.intp(slots[slot + 1] & _LOW) - 1


@numba.njit(cache=True, nogil=True)
def add_bytes(table, slot, hashed, source, start, length):
    """Add a string of bytes in its free slot; return its number."""
    begin = table.sizes[1]
    for i in range(length):
        table.letters[begin + i] = source[start + i]
    table.sizes[1] = begin + length
    return _add(table, slot, hashed, length, begin, -length)


@numba.njit(cache=True, nogil=True)
def add_sequence(table, slot, hashed, number, last):
    """Add a sequence in its free slot; return its number."""
    return _add(table, slot, hashed, np.int64(0), number, last)


@numba.njit(cache=True, nogil=True)
def _add(table, slot, hashed, width, first, second):
    number = table.sizes[0]
    table.first[number] = first
    table.second[number] = second
    table.seen[number] = 0
    table.sizes[0] = number + 1
    table.slots[slot] = hashed
    table.slots[slot + 1] = np.uint64(number + 1) | np.uint64(width) << _HALF
    return number


@numba.njit(cache=True, nogil=True, forceinline=True)
def number_of_bytes(table, slots, first, letters, source, start, length):
    """Return the number of a string of bytes, which is added where it is new."""
    hashed = hash_bytes(source, start, length)
    slot = slot_of_bytes(slots, first, letters, hashed, source, start, length)
    number = number_in(slots, slot)
    return number if number >= 0 else add_bytes(table, slot, hashed, source, start, length)


@numba.njit(cache=True, nogil=True, forceinline=True)
def number_of_sequence(table, slots, before, last):
    """Return the number of a sequence, which is added where it is new."""
    hashed = hash_sequence(before, last)
    slot = slot_of_sequence(slots, hashed)
    number = number_in(slots, slot)
    return number if number >= 0 else add_sequence(table, slot, hashed, before, last)
