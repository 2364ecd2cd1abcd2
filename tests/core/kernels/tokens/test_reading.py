"""Words of scripts without blanks or with marks: the oracle goes from character to character."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.kernels.tokens import counts as token_counts
from core.kernels.tokens.characters import marks
from core.kernels.tokens.reading import WORD_PATTERNS, Reading, make_analyzer
from core.text import TokenCounter

CJK_NAMES = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC")
#: First words of the names of old kana, and of marks that repeat kana.
KINDRED = {"HENTAIGANA", "MASU", "VERTICAL"}
TEXTS = st.text(alphabet="日本語テスト한국어ー々ab1_é・、 ", max_size=30)

#: Hindi, Tamil, Thai, Khmer, a joiner, an accent, a picture with a selector, a digit in a key.
MARKED = st.text(alphabet="बाढ़् கி น้ำ បា日a1_\u200d\u0301❤\ufe0f\u20e3 ", max_size=30)


def is_cjk(character):
    name = unicodedata.name(character, "").replace("HALFWIDTH ", "")
    return name.startswith(CJK_NAMES)


def expected_tokens(text, least, cjk, of_words=()):
    """Return the tokens; a run ends where the kind of character changes.

    ``of_words`` are characters that belong to a word behind one of its characters.
    """
    tokens, run, kind = [], "", None
    for character in [*text, None]:
        new_kind = None
        if character is not None and (
            character.isalnum() or character == "_" or (kind and character in of_words)
        ):
            new_kind = "cjk" if cjk is not None and is_cjk(character) else "other"
        if new_kind != kind:
            if kind == "other" and len(run) >= least:
                tokens.append(run)
            if kind == "cjk" and (cjk == "characters" or len(run) == 1):
                tokens.extend(run)
            elif kind == "cjk":
                tokens.extend(run[i : i + 2] for i in range(len(run) - 1))
            run = ""
        kind = new_kind
        run += character or ""
    return tokens


@pytest.mark.parametrize("cjk", ["characters", "bigrams"])
@pytest.mark.parametrize(("pattern", "least"), [(r"\w\w+", 2), (r"\w+", 1)])
@given(text=TEXTS)
def test_runs_without_blanks_are_split(cjk, pattern, least, text):
    reading = Reading("word", pattern, False, frozenset(), cjk, 1, 1)
    assert make_analyzer(reading)(text) == expected_tokens(text, least, cjk)


@pytest.mark.parametrize("cjk", ["characters", "bigrams", None])
@pytest.mark.parametrize("has_marks", [False, True])
@pytest.mark.parametrize("pattern", [r"(?u)\b\w\w+\b", r"\w+"])
@settings(max_examples=50)
@given(texts=st.lists(TEXTS | MARKED, min_size=1, max_size=5))
def test_compiled_code_splits_them_alike(cjk, has_marks, pattern, texts):
    counter = TokenCounter(
        cjk=cjk,
        marks=has_marks,
        token_pattern=pattern,
        ngram_range=(1, 2),
        stop_words=["語", "ab"],
    )
    texts = ["words 日本", *texts]
    expected = counter.fit_transform(texts)
    terms = counter.terms_
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FEW_BYTES", "FEW_BYTES_TO_LEARN"):
            patch.setattr(token_counts, name, 0)
        actual = counter.fit_transform(texts)
    assert counter.terms_ == terms
    assert (actual != expected).nnz == 0


@pytest.mark.parametrize("cjk", ["characters", "bigrams", None])
@pytest.mark.parametrize(("pattern", "least"), [(r"\w\w+", 2), (r"\w+", 1)])
@given(text=MARKED)
def test_marks_belong_to_the_words_that_they_are_in(cjk, pattern, least, text):
    reading = Reading("word", pattern, False, frozenset(), cjk, 1, 1, with_marks=True)
    expected = expected_tokens(text, least, cjk, set(map(chr, marks())))
    assert make_analyzer(reading)(text) == expected


def test_words_of_scripts_with_marks_stay_whole():
    reading = Reading("word", r"\w\w+", True, frozenset(), "bigrams", 1, 1, with_marks=True)
    analyze = make_analyzer(reading)
    assert analyze("बाढ़ का पानी सड़कों पर") == ["बाढ़", "का", "पानी", "सड़कों", "पर"]
    assert analyze("❤\ufe0flove 1\ufe0f\u20e3") == ["love"]
    assert analyze("น้ำท่วม ถนน") == ["น้ำท่วม", "ถนน"]


def test_the_blocks_hold_the_letters_of_these_scripts():
    reading = Reading("word", r"\w+", False, frozenset(), "characters", 1, 1)
    letters = [character for character in map(chr, range(0x110000)) if character.isalpha()]
    split = {letter for letter in letters if len(make_analyzer(reading)(letter * 2)) == 2}
    missed = {letter for letter in letters if is_cjk(letter)} - split
    assert not missed
    # Nothing of other scripts lies in the blocks.
    others = {unicodedata.name(letter, "").split()[0] for letter in split if not is_cjk(letter)}
    assert others <= KINDRED


@pytest.mark.parametrize("pattern", WORD_PATTERNS)
@given(text=st.text())
def test_patterns_of_words_find_what_they_say(pattern, text):
    reading = Reading("word", pattern, False, frozenset(), None, 1, 1)
    assert make_analyzer(reading)(text) == re.findall(pattern, text)
