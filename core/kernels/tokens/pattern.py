"""Regular expressions of tokens, and whether matching them can take forever.

Python's matcher tries one way after the other. Where a pattern can read the same characters in
several ways, their number can double with every character: such patterns are refused. Where it can
read far and find no token, it does so again from the next character: such patterns see long texts
in pieces.
"""

import re
from functools import lru_cache
from math import prod
from re import _parser  # type: ignore[attr-defined]  # the only parse tree there is

from core.errors import BadParameter
from core.kernels.tokens.automaton import MANY, Automaton, looks

MAX_LENGTH = 200
#: Characters of a piece, at most: no word is as long. Time may grow with its square.
PIECE = 256


@lru_cache(maxsize=64)
def compile_pattern(pattern):
    r"""Compile the regular expression of a token.

    Parameters
    ----------
    pattern : str
        With one group at most and 200 characters at most.

    Returns
    -------
    TokenPattern

    Raises
    ------
    ValueError
        If it is no such expression, matches where there is nothing, or can take forever: as
        repetitions in or next to each other, on the same characters, equal branches in one, or
        repetitions in what is only looked at.

    References
    ----------
    Brüggemann-Klein, A. (1993). Regular expressions into finite automata. Theoretical Computer
    Science, 120(2), 197-213.

    Examples
    --------
    >>> from core.kernels.tokens.pattern import compile_pattern
    >>> compile_pattern(r"\w+(?:-\w+)*").findall("a well-known seed")
    ['a', 'well-known', 'seed']
    """
    if len(pattern) > MAX_LENGTH:
        raise BadParameter(f"token_pattern has more than {MAX_LENGTH} characters.", "token_pattern")
    try:
        compiled = re.compile(pattern)
        parsed = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadParameter(
            f"token_pattern={pattern!r} is not a regular expression: {error}.", "token_pattern"
        ) from error
    if parsed.getwidth()[0] == 0:
        raise BadParameter(
            f"token_pattern={pattern!r} matches the empty string: say what a token has "
            r"at least, as \w+ does.",
            "token_pattern",
        )
    if compiled.groups > 1:
        raise BadParameter(f"token_pattern={pattern!r} has more than one group.", "token_pattern")
    if prod(looks(parsed)) > MANY:
        raise BadParameter(
            f"token_pattern={pattern!r} looks ahead or back at too many characters, which can take "
            f"forever on some texts: look at {MANY} at most.",
            "token_pattern",
        )
    automaton = Automaton(parsed, compiled.flags)
    if automaton.is_ambiguous():
        raise BadParameter(
            f"token_pattern={pattern!r} nests repetitions, puts them next to each other, or has "
            "several ways to match the same characters, which can take forever on some texts.",
            "token_pattern",
        )
    return TokenPattern(compiled, automaton.separators() if automaton.reads_in_vain() else None)


class TokenPattern:
    """A regular expression that finds the tokens of a text in time that grows with its length.

    Parameters
    ----------
    compiled : re.Pattern
    separators : str or None
        What no token holds: pieces of a text end there where they can, else after ``PIECE``
        characters. None: all of a text is searched at once.
    """

    def __init__(self, compiled, separators):
        self.compiled = compiled
        self.separators = separators

    def findall(self, text):
        """Return the tokens of a text."""
        if self.separators is None or len(text) <= PIECE:
            return self.compiled.findall(text)
        tokens, start = [], 0
        while start < len(text):
            end = self._end(text, start)
            # The pattern may look back from the first characters of a piece. The separator at its
            # end belongs to the piece, so that the pattern may look ahead from the last ones.
            tokens += self.compiled.findall(text, start, end)
            start = end
        return tokens

    def _end(self, text, start):
        limit = start + PIECE
        if limit >= len(text):
            return len(text)
        last = max((text.rfind(sign, start, limit) for sign in self.separators), default=-1)
        return limit if last < 0 else last + 1
