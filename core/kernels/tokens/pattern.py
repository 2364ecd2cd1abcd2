"""Regular expressions of tokens, and whether matching them can take forever.

Python's matcher tries one way after the other. Where a pattern can read the same characters in
several ways, their number can double with every character.
"""

import re
from functools import lru_cache
from itertools import combinations
from re import _parser  # type: ignore[attr-defined]  # the only parse tree there is

__all__ = ["compile_pattern"]

MAX_LENGTH = 200
#: Places with a choice between ways that read the same character, each of which may double the
#: time.
MAX_CHOICES = 5

REPEATS = {_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT}
CATEGORIES = {
    _parser.CATEGORY_DIGIT: r"\d",
    _parser.CATEGORY_NOT_DIGIT: r"\D",
    _parser.CATEGORY_SPACE: r"\s",
    _parser.CATEGORY_NOT_SPACE: r"\S",
    _parser.CATEGORY_WORD: r"\w",
    _parser.CATEGORY_NOT_WORD: r"\W",
}
#: Stand for all characters when it is asked whether two sets overlap; the pattern's own join them.
SAMPLE = frozenset(map(chr, range(0x250)))


@lru_cache(maxsize=64)
def compile_pattern(pattern):
    r"""Compile the regular expression of a token.

    Parameters
    ----------
    pattern : str
        With one group at most and 200 characters at most.

    Returns
    -------
    re.Pattern

    Raises
    ------
    ValueError
        If it is no such expression, matches where there is nothing, or has repetitions that can
        take forever: in or next to each other, on the same characters.

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
    if _Automaton(parsed, compiled.flags).is_ambiguous():
        raise ValueError(
            f"token_pattern={pattern!r} nests repetitions, or puts them next to each other, so "
            "that they match the same characters, which can take forever on some texts."
        )
    return compiled


class _Automaton:
    """Glushkov's automaton: a state for each character of a pattern, 0 being the start."""

    def __init__(self, parsed, flags):
        self.characters = [frozenset()]
        self.successors = [set()]
        self.is_looped_twice = False
        self.sample = SAMPLE | {chr(code) for code in _codes(parsed)}
        first, _, _ = self._sequence(parsed, flags)
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

    def _returns(self, state):
        seen, waiting = set(), [state]
        while waiting:
            new = self.successors[waiting.pop()] - seen
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
        if kind in (_parser.ASSERT, _parser.ASSERT_NOT):
            # What is looked at is read again by what follows, but for itself.
            self._connect({0}, self._sequence(value[1], flags)[0])
            return set(), set(), True
        if kind is _parser.AT:
            return set(), set(), True
        return self._character(kind, value, flags)

    def _branch(self, branches, flags):
        parts = [self._sequence(nodes, flags) for nodes in branches]
        first, last = (set().union(*(part[i] for part in parts)) for i in range(2))
        return first, last, any(is_empty for _, _, is_empty in parts)

    def _repeat(self, shortest, longest, nodes, flags):
        first, last, is_empty = self._sequence(nodes, flags)
        is_fixed = shortest == longest and len(nodes) == 1 and nodes.getwidth() == (1, 1)
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
