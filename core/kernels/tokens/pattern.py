"""Regular expressions of tokens, and whether matching them can take forever.

Python's matcher tries one way after the other. Where a pattern can read the same characters in
several ways, their number can double with every character: such patterns are refused. Where it can
read far and find no token, it does so again from the next character: such patterns see long texts
in pieces.
"""

import re
import string
from functools import lru_cache
from itertools import combinations
from re import _parser  # type: ignore[attr-defined]  # the only parse tree there is

__all__ = ["compile_pattern"]

MAX_LENGTH = 200
#: Places with a choice between ways that read the same character, each of which may double the
#: time.
MAX_CHOICES = 5

REPEATS = {_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT}
#: Nodes that read nothing.
LOOKS = {_parser.ASSERT, _parser.ASSERT_NOT, _parser.AT}
ENDS = {_parser.AT_END, _parser.AT_END_STRING}
CATEGORIES = {
    _parser.CATEGORY_DIGIT: r"\d",
    _parser.CATEGORY_NOT_DIGIT: r"\D",
    _parser.CATEGORY_SPACE: r"\s",
    _parser.CATEGORY_NOT_SPACE: r"\S",
    _parser.CATEGORY_WORD: r"\w",
    _parser.CATEGORY_NOT_WORD: r"\W",
}
#: Where pieces may end, unless a token can hold the character.
SEPARATORS = (
    string.whitespace + string.punctuation + "\u3000\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f"
)
#: Stand for all characters when it is asked whether two sets overlap; the pattern's own join them.
SAMPLE = frozenset(map(chr, range(0x250))) | frozenset(SEPARATORS)
#: Characters of a piece, at most: no word is as long.
PIECE = 1024
#: From how many times on it matters that a character is read so often.
MANY = 100


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
        If it is no such expression, matches where there is nothing, or has repetitions that can
        take forever: in or next to each other, on the same characters, or in what is only looked
        at.

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
        raise ValueError(f"token_pattern has more than {MAX_LENGTH} characters.")
    try:
        compiled = re.compile(pattern)
        parsed = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"token_pattern={pattern!r} is no regular expression: {error}.") from error
    if parsed.getwidth()[0] == 0:
        raise ValueError(
            f"token_pattern={pattern!r} matches where there is nothing: say what a token has at "
            r"least, as \w+ does."
        )
    if compiled.groups > 1:
        raise ValueError(f"token_pattern={pattern!r} has more than one group.")
    if any(shortest != longest for shortest, longest in _looked_at(parsed)):
        raise ValueError(
            f"token_pattern={pattern!r} looks ahead at any number of characters, which can take "
            "forever on some texts: look at a fixed number."
        )
    automaton = _Automaton(parsed, compiled.flags)
    if automaton.is_ambiguous():
        raise ValueError(
            f"token_pattern={pattern!r} nests repetitions, or puts them next to each other, so "
            "that they match the same characters, which can take forever on some texts."
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
            # Its first characters are seen in the light of those before; the separator at its end
            # belongs to it, so that the last ones are, too.
            tokens += self.compiled.findall(text, start, end)
            start = end
        return tokens

    def _end(self, text, start):
        limit = start + PIECE
        if limit >= len(text):
            return len(text)
        last = max((text.rfind(sign, start, limit) for sign in self.separators), default=-1)
        return limit if last < 0 else last + 1


def _looked_at(nodes):
    """Yield the least and the most characters of all that a pattern looks ahead at."""
    for kind, value in nodes:
        if kind in LOOKS - {_parser.AT}:
            yield value[1].getwidth()
        for part in _parts(value):
            yield from _looked_at(part)


def _parts(value):
    """Yield the patterns in the value of a node."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _parts(part)


class _Automaton:
    """Glushkov's automaton: a state for each character of a pattern, 0 being the start."""

    def __init__(self, parsed, flags):
        self.characters = [frozenset()]
        self.successors = [set()]
        self.is_looped_twice = False
        self.sample = SAMPLE | {chr(code) for code in _codes(parsed)}
        # States after which something is looked at, and those that are read many times at most.
        self.guarded, self.repeated = set(), set()
        self.asks_for_end = False
        # States that look back, or at the next character: a piece shows what they look at.
        self.near = set()
        first, last, _ = self._sequence(parsed, flags)
        self.final = last - self.guarded
        self._connect({0}, first)

    def is_ambiguous(self):
        cyclic = {state for state in range(1, len(self.successors)) if self._returns(state)}
        n_choices = 0
        for state, successors in enumerate(self.successors):
            overlapping = [
                {a, b}
                for a, b in combinations(successors, 2)
                if self.characters[a] & self.characters[b]
            ]
            n_choices += bool(overlapping)
            if state in cyclic and any(pair <= cyclic for pair in overlapping):
                return True
        return self.is_looped_twice or n_choices > MAX_CHOICES

    def reads_in_vain(self):
        """Tell whether any number of characters can be read where no token ends."""
        return not self.repeated <= self.final or any(
            self._returns(state, self.final)
            for state in range(1, len(self.successors))
            if state not in self.final
        )

    def separators(self):
        """Return which separators no state reads."""
        # The end of a text is before its last line end, too, and that of a piece is none.
        read = frozenset("\n" * self.asks_for_end).union(
            *(read for state, read in enumerate(self.characters) if state not in self.near)
        )
        return "".join(sign for sign in SEPARATORS if sign not in read)

    def _returns(self, state, without=frozenset()):
        """Tell whether a way leads from a state back to it, around some others."""
        seen, waiting = set(), [state]
        while waiting:
            new = self.successors[waiting.pop()] - seen - without
            seen |= new
            waiting += new
        return state in seen

    def _connect(self, states, successors):
        for state in states:
            self.successors[state] |= successors

    def _sequence(self, nodes, flags):
        """Add nodes; return which states can be first, which last, and if there need be none."""
        first, last, is_empty = set(), set(), True
        for node in nodes:
            if node[0] in LOOKS:
                self.guarded |= last
            node_first, node_last, node_is_empty = self._node(node, flags)
            self._connect(last, node_first)
            first |= node_first if is_empty else set()
            last = node_last | (last if node_is_empty else set())
            is_empty = is_empty and node_is_empty
        return first, last, is_empty

    def _node(self, node, flags):
        kind, value = node
        if kind in REPEATS:
            return self._repeat(*value, flags)
        if kind is _parser.SUBPATTERN:
            _, added, removed, nodes = value
            return self._sequence(nodes, (flags | added) & ~removed)
        if kind is _parser.ATOMIC_GROUP:
            return self._sequence(value, flags)
        if kind is _parser.BRANCH:
            return self._branch(value[1], flags)
        if kind is _parser.GROUPREF_EXISTS:
            return self._branch([value[1], value[2] or []], flags)
        if kind in LOOKS - {_parser.AT}:
            direction, nodes = value
            n_before = len(self.characters)
            # What is looked at is read again by what follows, but for itself.
            self._connect({0}, self._sequence(nodes, flags)[0])
            if direction < 0 or nodes.getwidth()[1] <= 1:
                self.near |= set(range(n_before, len(self.characters)))
            return set(), set(), True
        if kind is _parser.AT:
            self.asks_for_end |= value in ENDS
            return set(), set(), True
        return self._character(kind, value, flags)

    def _branch(self, branches, flags):
        parts = [self._sequence(nodes, flags) for nodes in branches]
        first, last = (set().union(*(part[i] for part in parts)) for i in range(2))
        return first, last, any(is_empty for _, _, is_empty in parts)

    def _repeat(self, shortest, longest, nodes, flags):
        first, last, is_empty = self._sequence(nodes, flags)
        is_fixed = shortest == longest and len(nodes) == 1 and nodes.getwidth() == (1, 1)
        if is_fixed and longest > MANY:
            self.repeated |= last
        if longest > 1 and not is_fixed:
            # A step that is there already can be made in either loop.
            again = any(self.successors[state] & first for state in last)
            self.is_looped_twice |= again or is_empty
            self._connect(last, first)
        return first, last, is_empty or shortest == 0

    def _character(self, kind, value, flags):
        state = len(self.characters)
        self.characters.append(
            frozenset(c for c in self.sample if _is_match(kind, value, c, flags))
        )
        self.successors.append(set())
        return {state}, {state}, False


def _is_match(kind, value, character, flags):
    """Tell whether a node of one character matches; of unknown ones, all do."""
    if flags & re.IGNORECASE:
        cases = {character, character.lower(), character.upper()}
        flags &= ~re.IGNORECASE
        return any(_is_match(kind, value, case, flags) for case in cases if len(case) == 1)
    if kind is _parser.LITERAL:
        return character == chr(value)
    if kind is _parser.NOT_LITERAL:
        return character != chr(value)
    if kind is _parser.RANGE:
        return value[0] <= ord(character) <= value[1]
    if kind is _parser.CATEGORY:
        return re.match(CATEGORIES[value], character, flags & re.ASCII) is not None
    if kind is _parser.IN:
        is_negated = value[0][0] is _parser.NEGATE
        items = value[is_negated:]
        return any(_is_match(*item, character, flags) for item in items) != is_negated
    return True


def _codes(node):
    """Yield the code points in a parse tree, and a few numbers that do no harm."""
    if isinstance(node, int):
        if 0 <= node <= 0x10FFFF:
            yield int(node)
    elif isinstance(node, list | tuple | _parser.SubPattern):
        for part in node:
            yield from _codes(part)
