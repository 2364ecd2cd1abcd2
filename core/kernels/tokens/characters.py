"""What each character is and its lower case, as this Python says: tables for compiled code."""

from functools import cache
from typing import NamedTuple
from unicodedata import category

import numpy as np

#: Bits of the kind of a character.
WORD, SPACE, CJK, MARK = 1, 2, 4, 8

#: Digits of a long number: years have four.
LONG_NUMBER = 5

#: First and last code points of the blocks of Han, Hiragana, Katakana and Hangul.
CJK_BLOCKS = [
    (0x1100, 0x11FF),
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3031, 0x3035),
    (0x3038, 0x30FF),
    (0x3130, 0x318F),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x3FFFD),
]

#: Where marks may stand. Those behind choose between pictures of the same character.
_MARKS_AMONG = [*range(0x0300, 0xFE00), *range(0xFE20, 0x1F000)]
#: Letters are written together, or not, where these are between them.
_JOINERS = [0x200C, 0x200D]

#: Lower case of these depends on what is around them, or is longer: Python has to do it.
SPECIAL_CASES = {
    "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}": "i",
    "\N{GREEK CAPITAL LETTER SIGMA}": "\N{GREEK SMALL LETTER SIGMA}",
}


class CharacterTables(NamedTuple):
    """Tables over the code points.

    Attributes
    ----------
    kinds : ndarray of uint8 of shape (0x110000,)
        Bits ``WORD``, ``SPACE``, ``CJK`` and ``MARK``.
    lower : ndarray of uint32 of shape (0x110000,)
        The lower case, but for ``SPECIAL_CASES``; or the same character.
    ascii_words : ndarray of uint8 of shape (128,)
        The lower case of a word character, 0 for any other.
    """

    kinds: np.ndarray
    lower: np.ndarray
    ascii_words: np.ndarray


@cache
def character_tables(is_lowered, with_marks=False):
    """Return the tables; characters are themselves in ``lower`` unless ``is_lowered``.

    No character has the bit ``MARK`` unless ``with_marks``.

    Examples
    --------
    >>> from core.kernels.tokens.characters import WORD, character_tables
    >>> tables = character_tables(True)
    >>> chr(tables.lower[ord("Ü")]), bool(tables.kinds[ord("Ü")] & WORD)
    ('ü', True)
    """
    codes = np.arange(0x110000, dtype=np.uint32)
    kinds = _kinds(codes, with_marks)
    lower = _lower_case(codes) if is_lowered else codes
    ascii_words = np.where(kinds[:128] & WORD, lower[:128], 0).astype(np.uint8)
    return CharacterTables(kinds, lower, ascii_words)


@cache
def marks():
    """Return the code points of what is written on letters or joins them, a list of int.

    Examples
    --------
    >>> from core.kernels.tokens.characters import marks
    >>> ord("\N{COMBINING ACUTE ACCENT}") in marks(), ord("\N{VARIATION SELECTOR-16}") in marks()
    (True, False)
    """
    # Those of category Me are drawn around a character, as around the digit of a key.
    return _JOINERS + [code for code in _MARKS_AMONG if category(chr(code)) in {"Mn", "Mc"}]


def _kinds(codes, with_marks):
    characters = codes.view("U1")
    # What ``\w`` and ``\s`` are in ``re``.
    kinds = np.where(np.strings.isalnum(characters), WORD, 0).astype(np.uint8)
    kinds[ord("_")] = WORD
    kinds[np.strings.isspace(characters)] |= SPACE
    for first, last in CJK_BLOCKS:
        kinds[first : last + 1] |= CJK
    if with_marks:
        kinds[marks()] |= MARK
    return kinds


def _lower_case(codes):
    text = codes.tobytes().decode("utf-32-le", "surrogatepass")
    for character, lower in SPECIAL_CASES.items():
        text = text.replace(character, lower)
    lower = text.lower().encode("utf-32-le", "surrogatepass")
    # A copy can be written to, as all other tables can: one type for compiled code.
    return np.frombuffer(lower, dtype=np.uint32).copy()
