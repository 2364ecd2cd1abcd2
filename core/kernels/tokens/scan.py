"""The tokens of one text in UTF-8, in lower case: where each is in a buffer of letters.

Each scan fills ``letters``, an ndarray of uint8, and ``starts`` and ``lengths``, ndarrays of int32,
which are long enough, and returns the number of tokens. ``data[start:stop]`` is the text, valid
UTF-8 but for lone surrogates. A text has many more n-grams of characters than words: its letters
are written once, and scanned part by part.
"""

from typing import NamedTuple

import numba
import numpy as np

from core.kernels.tokens.characters import CJK, LONG_NUMBER, MARK, SPACE, WORD

_BLANK = np.uint32(ord(" "))
#: The least byte that characters of Chinese, Japanese and Korean begin with.
CJK_LEAD = 0xE1


class Place(NamedTuple):
    """Where the scan of the n-grams of a text is.

    Attributes
    ----------
    at : int
        Where the next one begins in the letters.
    stop : int
        Where the last one ends that begins there: with its word, which is to be found where this is
        ``at``, or the text.
    end : int
        Where the text ends.
    """

    at: int
    stop: int
    end: int


@numba.njit(cache=True, nogil=True, forceinline=True)
def decode(data, at):
    """Return the character that starts at ``at`` and is not ASCII, and where the next starts."""
    byte = np.uint32(data[at])
    low = np.uint32(63)
    six = np.uint32(6)
    if byte < 0xE0:
        return (byte & np.uint32(31)) << six | data[at + 1] & low, at + 2
    code = (byte & np.uint32(15)) << six | data[at + 1] & low
    code = code << six | data[at + 2] & low
    if byte < 0xF0:
        return code, at + 3
    return code << six | data[at + 3] & low, at + 4


@numba.njit(cache=True, nogil=True, forceinline=True)
def encode(code, letters, at):
    """Write a character to ``letters[at:]``; return where it ends."""
    low, six = np.uint32(63), np.uint32(6)
    if code < 0x80:
        letters[at] = code
        return at + 1
    if code < 0x800:
        letters[at] = np.uint32(0xC0) | code >> six
        letters[at + 1] = np.uint32(0x80) | code & low
        return at + 2
    if code < 0x10000:
        letters[at] = np.uint32(0xE0) | code >> np.uint32(12)
        n_before = at + 1
    else:
        letters[at] = np.uint32(0xF0) | code >> np.uint32(18)
        letters[at + 1] = np.uint32(0x80) | code >> np.uint32(12) & low
        n_before = at + 2
    letters[n_before] = np.uint32(0x80) | code >> six & low
    letters[n_before + 1] = np.uint32(0x80) | code & low
    return n_before + 2


@numba.njit(cache=True, nogil=True)
def scan_words(data, start, stop, tables, least, letters, starts, lengths):
    """Find the runs of ``least`` word characters or more; a mark is one behind another."""
    kinds, lower, ascii_words = tables
    n_tokens, n_characters, begin, end = 0, 0, 0, 0
    at = start
    while at < stop:
        byte = data[at]
        if byte < 0x80:
            at += 1
            letter = ascii_words[byte]
            if letter:
                letters[end] = letter
                end += 1
                n_characters += 1
                continue
        else:
            code, at = decode(data, at)
            code = lower[code]
            if kinds[code] & WORD or (n_characters and kinds[code] & MARK):
                end = encode(code, letters, end)
                n_characters += 1
                continue
        if n_characters >= least:
            starts[n_tokens], lengths[n_tokens] = begin, end - begin
            n_tokens += 1
        begin, n_characters = end, 0
    if n_characters >= least:
        starts[n_tokens], lengths[n_tokens] = begin, end - begin
        n_tokens += 1
    return n_tokens


@numba.njit(cache=True, nogil=True)
def may_have_cjk(data, start, stop):
    """Tell, at a glance, whether a text may have a character of Chinese, Japanese or Korean."""
    largest = 0
    for at in range(start, stop):
        largest = max(largest, data[at])
    return largest >= CJK_LEAD


@numba.njit(cache=True, nogil=True)
def split_cjk(n_words, tables, least, is_paired, letters, starts, lengths):
    """Split the words found: each character of Chinese, Japanese or Korean, or pair, is a token."""
    n_tokens = 0
    words = np.empty((2, n_words), dtype=np.int32)
    for word in range(n_words):
        words[0, word], words[1, word] = starts[word], lengths[word]
    for word in range(n_words):
        at, stop = words[0, word], words[0, word] + words[1, word]
        while at < stop:
            begin, previous, n_characters, is_cjk = at, at, 0, _is_cjk(letters, at, tables)
            while at < stop and _is_cjk(letters, at, tables) == is_cjk:
                before, at = at, _next(letters, at)
                n_characters += 1
                if is_cjk and (n_characters > 1 or not is_paired):
                    first = previous if is_paired else before
                    starts[n_tokens], lengths[n_tokens] = first, at - first
                    n_tokens += 1
                previous = before
            is_alone = is_cjk and is_paired and n_characters == 1
            if is_alone or (not is_cjk and n_characters >= least):
                starts[n_tokens], lengths[n_tokens] = begin, at - begin
                n_tokens += 1
    return n_tokens


@numba.njit(cache=True, nogil=True)
def zero_long_numbers(n_words, letters, starts, lengths):
    """Turn each long number into as many zeros."""
    zero, nine = np.uint8(ord("0")), np.uint8(ord("9"))
    for word in range(n_words):
        if lengths[word] < LONG_NUMBER:
            continue
        at, stop = starts[word], starts[word] + lengths[word]
        while at < stop and zero <= letters[at] <= nine:
            at += 1
        if at == stop:
            for digit in range(starts[word], stop):
                letters[digit] = zero


@numba.njit(cache=True, nogil=True, forceinline=True)
def _next(letters, at):
    byte = letters[at]
    return at + 1 + (byte >= 0xC0) + (byte >= 0xE0) + (byte >= 0xF0)


@numba.njit(cache=True, nogil=True, forceinline=True)
def _is_cjk(letters, at, tables):
    return letters[at] >= CJK_LEAD and tables.kinds[decode(letters, at)[0]] & CJK != 0


@numba.njit(cache=True, nogil=True)
def write_characters(data, start, stop, tables, letters):
    """Write the characters, each run of white space being one; return where they end."""
    at, begin, end, n_spaces = start, 0, 0, 0
    while at < stop:
        code, at = _lowered(data, at, tables)
        if tables.kinds[code] & SPACE:
            n_spaces += 1
            if n_spaces > 1:
                # The run is a blank, whatever it began with.
                end = encode(_BLANK, letters, begin)
                continue
        else:
            n_spaces = 0
        begin = end
        end = encode(code, letters, end)
    return end


@numba.njit(cache=True, nogil=True)
def write_bounded_characters(data, start, stop, tables, letters):
    """Write the characters of words, a blank on either side of each; return where they end."""
    at, end, is_in_word = start, 0, False
    while at < stop:
        code, at = _lowered(data, at, tables)
        is_space = tables.kinds[code] & SPACE != 0
        if is_space == is_in_word:
            end = encode(_BLANK, letters, end)
            is_in_word = not is_space
        if not is_space:
            end = encode(code, letters, end)
    if is_in_word:
        end = encode(_BLANK, letters, end)
    return end


@numba.njit(cache=True, nogil=True)
def scan_ngrams(place, shortest, longest, letters, starts, lengths):
    """Find as many n-grams of characters as there is room for; return the next place, too."""
    at, stop, end = place
    n_tokens = 0
    while at < end and n_tokens + longest <= len(starts):
        is_first = at == stop
        if is_first:
            stop = _end_of_word(letters, at)
        n_characters, after = 0, at
        while after < stop and n_characters < longest:
            after = _next(letters, after)
            n_characters += 1
            # A word that is shorter than all n-grams is one.
            if n_characters >= shortest or (is_first and after == stop):
                starts[n_tokens], lengths[n_tokens] = at, after - at
                n_tokens += 1
        at = _next(letters, at)
    return n_tokens, Place(at, stop, end)


@numba.njit(cache=True, nogil=True)
def _end_of_word(letters, at):
    at += 1
    while letters[at] != _BLANK:
        at += 1
    return at + 1


@numba.njit(cache=True, nogil=True, forceinline=True)
def _lowered(data, at, tables):
    if data[at] < 0x80:
        return tables.lower[data[at]], at + 1
    code, at = decode(data, at)
    return tables.lower[code], at
