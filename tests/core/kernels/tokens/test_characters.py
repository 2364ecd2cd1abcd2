"""The oracle is this Python: ``re`` and ``str.lower``, for each code point."""

import re
import unicodedata

import numpy as np
import pytest

from core.kernels.tokens.characters import (
    CJK,
    MARK,
    SPACE,
    SPECIAL_CASES,
    WORD,
    character_tables,
)

CHARACTERS = [chr(code) for code in range(0x110000)]


@pytest.mark.parametrize(("pattern", "kind"), [(r"\w", WORD), (r"\s", SPACE)])
def test_kinds_are_those_of_regular_expressions(pattern, kind):
    match = re.compile(pattern).match
    expected = [match(character) is not None for character in CHARACTERS]
    assert (character_tables(True).kinds & kind != 0).tolist() == expected


def test_lower_case_is_that_of_python():
    lower = character_tables(True).lower
    assert all(
        chr(code) == character.lower()
        for code, character in zip(lower.tolist(), CHARACTERS, strict=True)
        if character not in SPECIAL_CASES
    )
    # Texts with special cases are in lower case already when compiled code lowers them again.
    assert np.array_equal(lower[lower], lower)


def test_no_other_character_has_a_lower_case_of_several_or_one_by_what_is_around_it():
    special = {
        character
        for character in CHARACTERS
        if len(character.lower()) > 1 or f"a{character}".lower() != f"a{character.lower()}"
    }
    assert special == set(SPECIAL_CASES)


def test_characters_can_be_left_as_they_are():
    tables = character_tables(False)
    assert tables.lower.tolist() == list(range(0x110000))
    assert tables.ascii_words[ord("A")] == ord("A")
    assert tables.ascii_words[ord("-")] == 0


@pytest.mark.parametrize("character", "日本語のテスト한글々ー𠮷ﾃ")
def test_words_of_these_scripts_need_no_blanks(character):
    assert character_tables(True).kinds[ord(character)] & CJK


@pytest.mark.parametrize("character", "aÜßж٣אกहა_1")
def test_words_of_other_scripts_are_as_always(character):
    assert not character_tables(True).kinds[ord(character)] & CJK


def is_mark(character):
    """Tell whether a character is written on others, and does not choose between pictures."""
    is_selector = unicodedata.name(character, "").startswith("VARIATION SELECTOR")
    return unicodedata.category(character) in {"Mn", "Mc"} and not is_selector


def test_marks_are_those_of_unicode_and_joiners():
    joiners = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
    expected = [is_mark(character) or character in joiners for character in CHARACTERS]
    assert (character_tables(True, True).kinds & MARK != 0).tolist() == expected
    assert not (character_tables(True).kinds & MARK).any()
