"""How texts are read, and their terms in plain Python: for few texts, and for any pattern."""

import re
from functools import cache, partial
from typing import NamedTuple

from sklearn.feature_extraction.text import CountVectorizer

from core.kernels.tokens.characters import CJK_BLOCKS, LONG_NUMBER, marks
from core.kernels.tokens.pattern import compile_pattern

#: Patterns of words that need no regular expression -> the characters of the shortest word.
WORD_PATTERNS = {
    r"(?u)\b\w\w+\b": 2,
    r"\b\w\w+\b": 2,
    r"(?u)\w\w+": 2,
    r"\w\w+": 2,
    r"(?u)\b\w+\b": 1,
    r"\b\w+\b": 1,
    r"(?u)\w+": 1,
    r"\w+": 1,
}

_CJK = "".join(f"{chr(first)}-{chr(last)}" for first, last in CJK_BLOCKS)
_CJK_OR_OTHERS = re.compile(f"([{_CJK}]+)|[^{_CJK}]+")


class Reading(NamedTuple):
    """How texts become terms.

    Attributes
    ----------
    analyzer : {"word", "char", "char_wb"}
    pattern : str
        Regular expression of a token.
    is_lowered : bool
        Whether texts are turned to lower case.
    stop_words : frozenset of str
    cjk : {None, "characters", "bigrams"}
    shortest, longest : int
        Of the n-grams.
    with_marks : bool, default=False
        Whether marks belong to the words whose letters they are on.
    long_numbers_as_zeros : bool, default=False
        Whether words of ``LONG_NUMBER`` or more digits 0 to 9 alone are read as so many zeros.
    """

    analyzer: str
    pattern: str
    is_lowered: bool
    stop_words: frozenset
    cjk: str | None
    shortest: int
    longest: int
    with_marks: bool = False
    long_numbers_as_zeros: bool = False

    @property
    def is_compiled(self):
        """Whether compiled code can read texts so."""
        return self.analyzer != "word" or self.pattern in WORD_PATTERNS

    @property
    def least(self):
        """Characters of the shortest word, where no regular expression is needed."""
        return WORD_PATTERNS.get(self.pattern, 1)

    @property
    def stop_list(self):
        """The stop words in a fixed order; n-grams of characters have none."""
        return sorted(self.stop_words - {""}) if self.analyzer == "word" else []


def make_analyzer(reading):
    r"""Return a function from a text to the list of its terms.

    Examples
    --------
    >>> from core.kernels.tokens.reading import Reading, make_analyzer
    >>> reading = Reading("word", r"\w\w+", True, frozenset(["the"]), None, 1, 2)
    >>> make_analyzer(reading)("The red apple")
    ['red', 'apple', 'red apple']
    """
    if reading.analyzer != "word":
        return CountVectorizer(
            analyzer=reading.analyzer,
            lowercase=reading.is_lowered,
            ngram_range=(reading.shortest, reading.longest),
        ).build_analyzer()
    find = _finder(reading)

    def analyze(text):
        tokens = find(text.lower() if reading.is_lowered else text)
        if reading.long_numbers_as_zeros:
            # Without a call for each: a single text is predicted in a fraction of a millisecond.
            tokens = [
                "0" * len(token)
                if len(token) >= LONG_NUMBER and token.isdigit() and token.isascii()
                else token
                for token in tokens
            ]
        if reading.stop_words:
            tokens = [token for token in tokens if token not in reading.stop_words]
        return _ngrams(tokens, reading) if reading.longest > 1 else tokens

    return analyze


def _finder(reading):
    if reading.cjk is not None:
        return lambda text: _split_cjk(text, reading)
    if reading.pattern in WORD_PATTERNS:
        return _find_words(reading.least, reading.with_marks)
    return compile_pattern(reading.pattern).findall


@cache
def _find_words(least, with_marks):
    """Return what finds words of ``least`` characters or more.

    A greedy match ends at the boundary of a word anyway, so that the pattern need not ask for one,
    which takes longer.
    """
    more = rf"[\w{''.join(map(chr, marks()))}]" if with_marks else r"\w"
    return re.compile(rf"\w{more}{'+' if least > 1 else '*'}").findall


def _split_cjk(text, reading):
    find_words = partial(_find_words, with_marks=reading.with_marks)
    if text.isascii():
        return find_words(reading.least)(text)
    tokens = []
    for word in find_words(1)(text):
        for piece in _CJK_OR_OTHERS.finditer(word):
            if piece[1] is None:
                tokens += [piece[0]] if len(piece[0]) >= reading.least else []
            elif reading.cjk == "characters" or len(piece[0]) == 1:
                tokens += piece[0]
            else:
                tokens += map("".join, zip(piece[0], piece[0][1:], strict=False))
    return tokens


def _ngrams(tokens, reading):
    ngrams = list(tokens) if reading.shortest == 1 else []
    for n in range(max(reading.shortest, 2), reading.longest + 1):
        ngrams.extend(map(" ".join, zip(*(tokens[i:] for i in range(n)), strict=False)))
    return ngrams
