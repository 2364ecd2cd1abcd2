"""What a regular expression can read, as an automaton: whether it is slow, and what it leaves."""

import re
import string
import sys
from bisect import bisect_right
from functools import cache
from itertools import combinations, product
from operator import itemgetter
from re import _compiler, _parser  # type: ignore[attr-defined]  # the only parse tree there is

#: Places where a pattern may read the same in two ways; each may double the time.
MAX_CHOICES = 5
#: Such places at the end of a repetition; each takes the time for every character that it read.
MAX_EXITS = 2

REPEATS = {_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT}
#: Nodes that read nothing.
LOOKS = {_parser.ASSERT, _parser.ASSERT_NOT, _parser.AT}
ENDS = {_parser.AT_END, _parser.AT_END_STRING}
#: Nodes that read one character.
CHARACTERS = {_parser.LITERAL, _parser.NOT_LITERAL, _parser.ANY, _parser.IN}
#: Of these a group takes one, in place of that of what is around it.
ALPHABETS = re.ASCII | re.UNICODE
#: All characters belong to one of these.
KINDS = (r"\d", r"[^\W\d]", r"\s", r"[^\w\s]")
#: Where pieces may end, unless a token can hold the character.
SEPARATORS = (
    string.whitespace + string.punctuation + "\u3000\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f"
)
#: Stand for all characters when it is asked whether two sets overlap; ``_others`` join them.
SAMPLE = frozenset(map(chr, range(0x250))) | frozenset(SEPARATORS)
#: To read or look at so many characters anew from each place takes long.
MANY = 100


def looks(nodes):
    """Yield how many characters a pattern looks at without reading them, each time that it does."""
    for kind, value in nodes:
        if kind in LOOKS - {_parser.AT}:
            yield max(1, value[1].getwidth()[1])
        for part in _parts(value):
            yield from looks(part)


def _parts(value):
    """Yield the patterns in the value of a node."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _parts(part)


class Automaton:
    """Glushkov's automaton: a state for each character of a pattern, 0 being the start."""

    def __init__(self, parsed, flags):
        self.characters = [frozenset()]
        self.successors = [set()]
        self.is_looped_twice = False
        # Places where nothing can be read in two ways.
        self.n_empty_choices = 0
        self.sample = "".join(SAMPLE.union(*map(_others, {0x250, *_codes(parsed)})))
        # States after which something is looked at.
        self.guarded = set()
        self.is_long = self.asks_for_end = False
        # States that look back, or at the next character: a piece shows what they look at.
        self.near = set()
        first, last, _ = self._sequence(parsed, flags)
        self.final = last - self.guarded
        self._connect({0}, first)

    def is_ambiguous(self):
        """Tell whether the same characters can be read in many ways."""
        cyclic = {state for state in range(1, len(self.successors)) if self._returns(state)}
        n_choices, n_exits = self.n_empty_choices, 0
        for state, successors in enumerate(self.successors):
            overlapping = [
                {a, b}
                for a, b in combinations(successors, 2)
                if not self.characters[a].isdisjoint(self.characters[b])
            ]
            n_choices += bool(overlapping)
            n_exits += bool(overlapping) and state in cyclic
            if state in cyclic and any(pair <= cyclic for pair in overlapping):
                return True
        return self.is_looped_twice or n_choices > MAX_CHOICES or n_exits > MAX_EXITS

    def reads_in_vain(self):
        """Tell whether many characters can be read where no token ends."""
        return self.is_long or any(
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
        """Add nodes; return which states can be first, which last, and the ways to read nothing."""
        first, last, n_empty = set(), set(), 1
        for node in nodes:
            if node[0] in LOOKS:
                self.guarded |= last
            node_first, node_last, node_n_empty = self._node(node, flags)
            self._connect(last, node_first)
            first |= node_first if n_empty else set()
            last = node_last | (last if node_n_empty else set())
            n_empty *= node_n_empty
        return first, last, n_empty

    def _node(self, node, flags):
        kind, value = node
        if kind in REPEATS:
            return self._repeat(*value, flags)
        if kind is _parser.SUBPATTERN:
            _, added, removed, nodes = value
            kept = flags & ~ALPHABETS if added & ALPHABETS else flags
            return self._sequence(nodes, (kept | added) & ~removed)
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
            return set(), set(), 1
        if kind is _parser.AT:
            self.asks_for_end |= value in ENDS
            return set(), set(), 1
        return self._character(kind, value, flags)

    def _branch(self, branches, flags):
        parts = [self._sequence(nodes, flags) for nodes in branches]
        first, last = (set().union(*(part[i] for part in parts)) for i in range(2))
        n_empty = sum(n_empty for _, _, n_empty in parts)
        self.n_empty_choices += n_empty > 1
        return first, last, n_empty

    def _repeat(self, shortest, longest, nodes, flags):
        n_before = self.n_empty_choices
        first, last, n_empty = self._sequence(nodes, flags)
        is_fixed = shortest == longest and len(nodes) == 1 and nodes[0][0] in CHARACTERS
        self.is_long |= nodes.getwidth()[0] * shortest > MANY
        if longest > 1 and not is_fixed:
            # A step that is there already can be made in either loop.
            again = any(self.successors[state] & first for state in last)
            self.is_looped_twice |= again or n_empty > 0 or self.n_empty_choices > n_before
            self._connect(last, first)
        if shortest == 0:
            self.n_empty_choices += n_empty > 0
            n_empty += 1
        return first, last, n_empty

    def _character(self, kind, value, flags):
        state = len(self.characters)
        self.characters.append(_matching(kind, value, self.sample, flags))
        self.successors.append(set())
        return {state}, {state}, 0


def _matching(kind, value, sample, flags):
    """Return the characters of a sample that a node of one character matches; of others, all."""
    if kind not in CHARACTERS:
        return frozenset(sample)
    pattern = _parser.SubPattern(_parser.State(), [(kind, value)])
    return frozenset(_compiler.compile(pattern, flags).findall(sample))


@cache
def _runs():
    """Return where characters of each kind stand next to each other: begins and ends."""
    characters = "".join(map(chr, range(sys.maxunicode + 1)))
    return [[match.span() for match in re.finditer(f"{kind}+", characters)] for kind in KINDS]


def _others(code):
    """Return the next character of each kind, from a code point on and behind it.

    So where sets of a pattern begin or end there, each overlap of them has a character.
    """
    found = {chr(code)}
    for runs, start in product(_runs(), (code, code + 1)):
        place = bisect_right(runs, start, key=itemgetter(1))
        found.update(chr(max(start, begin)) for begin, _ in runs[place : place + 1])
    return found


def _codes(node):
    """Yield the code points in a parse tree, and a few numbers that do no harm."""
    if isinstance(node, int):
        if 0 <= node <= sys.maxunicode:
            yield int(node)
    elif isinstance(node, list | tuple | _parser.SubPattern):
        for part in node:
            yield from _codes(part)
