import re

import pytest

from core.kernels.tokens.pattern import PIECE, compile_pattern


@pytest.mark.parametrize(
    ("pattern", "tokens"),
    [
        (r"(?u)\b\w\w+\b", ["the", "high", "dyke"]),
        (r"\w\w+", ["the", "high", "dyke"]),
        (r"[a-z]+", ["the", "high", "dyke", "s"]),
        (r"\S+", ["the", "high-dyke's"]),
        (r"\w+(?:-\w+)*", ["the", "high-dyke", "s"]),
        (r"\w+(?:['-]\w+)*", ["the", "high-dyke's"]),
        (r"(?i)[A-Z]{2,15}", ["the", "high", "dyke"]),
        (r"(?<!\w)\w+(?!\w)", ["the", "high", "dyke", "s"]),
        (r"-(\w+)", ["dyke"]),
        (r"(?:\w{3})+", ["the", "hig", "dyk"]),
        (r"\d+(?:[.,]\d+)?|dyke", ["dyke"]),
        (r"\S+@\S+", []),
        (r"[\w.]+@[\w.]+\.\w+", []),
        (r"(?:[A-Z][a-z]+)+", []),
        (r"(?:^|(?<=\s))[\w-]+(?=\W|$)", ["the", "high-dyke"]),
        (r"\w+(?:gh|ke)\b", ["high", "dyke"]),
        ("h?" * 6 + "i", ["hi"]),
    ],
)
def test_usual_patterns_find_their_tokens(pattern, tokens):
    assert compile_pattern(pattern).findall("the high-dyke's") == tokens


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:[a-z]+)+!|[a-z]+",
        r"(a+)*!",
        r"(?:\w+\s?)*!",
        r"(?:\w{2,5})+!",
        r"(?:a|ab|b)*!",
        r"(?:[a-z]x|[A-Z]y|ax)*!",
        r"(?i)(?:ax|Ay)*!",
        r"(?:ax|[ab]x){50}!",
        r"(?:a?){50}!",
        r"(?:a*b*)*!",
        r"\w*\w*\w*!",
        r"[\u0430-\u0442]+[\u043e-\u044f]+!",
        "a?" * 60 + "a" * 60,
        "h?" * 7 + "i",  # at the start and after each of the first five
        r"(?:(?>a+)|a+)*!",
        r"(a|a)+!",  # Python reads a, then one of two empty branches
        r"(?:ab|ab)+!",
        r"(?:a(?:b?|c?))+!",
        r"(?:a(?:b?)?)+!",
        r"(?:a(?:\B)?)+!",
        r"(a(?:|)){50}!",
        r"(?:a\B|\w){50}!",
        r"(?i)(?:\u017fx|sx)+!",  # a long s
        r"(?:[^\x00-\uffff]x|[^\x00-\ufffe]x)+!",
        r"(?:[^\W\x00-\u2fff]x|[^\W\x00-\u3fff]x)+!",
        r"(?a:(?:\Wx|\u4e00x)+!)",
        r"\w+a\w+a\w+a\w+a\w+!",
    ],
)
def test_patterns_that_can_take_forever_are_refused(pattern):
    with pytest.raises(ValueError, match=r"^token_pattern=.* match the same characters"):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "is not a regular expression"),
        ("", "matches the empty string"),
        ("a*|b", "matches the empty string"),
        ("a{99999999999999999999}", "is not a regular expression"),
        ("(" * 5000 + "a" + ")" * 5000, "more than 200 characters"),
        ("a" * 201, "more than 200 characters"),
        ("(a)(b)", "more than one group"),
    ],
)
def test_what_is_no_pattern_is_refused(pattern, reason):
    with pytest.raises(ValueError, match=f"^token_pattern.*{reason}"):
        compile_pattern(pattern)


def test_the_longest_pattern_is_checked():
    assert compile_pattern("a" * 200).findall("a" * 400) == ["a" * 200] * 2
    assert compile_pattern("(?:" * 49 + "abcd" + ")" * 49).findall("abcd") == ["abcd"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\w+(?=\w*!)",
        r"\w(?=\w*(?=\w*(?=\w*!)))",
        r"\w+(?!\w*!)",
        r"(?=(?:a+)+!)\w+",
        r"a|(?:b|(c(?=d*)))",
        r"(?<=\w{60000}x)a",
        r"\w(?=\w{0,50}(?=\w{0,50}!))",
    ],
)
def test_what_looks_ahead_any_distance_is_refused(pattern):
    with pytest.raises(ValueError, match=r"^token_pattern=.* looks ahead or back at too many"):
        compile_pattern(pattern)


#: Read far and find nothing, if a text is made for it.
IN_VAIN = [
    r"\w+-\w+",
    r"\S+@\S+",
    r"\S+@\S+\.\S+",
    r"[a-z]+\d",
    r"\w+'\w+|\w+",
    r"(?<![@#])\b\w\w+\b",
    r"\b[^\W\d_]{3,}\b",
    r"(?<=\s)\w+e",
    r"^\w+-\w+|\w+$",
    r"(?m)^\w+\b",
    r"\w+$",
    r"(?<=\s)\S+@\S+",
    r"\S+(?=\s)",
    r"\w+(?=\s|$)",
    r"\w+(?!\w|--)",
    r"\w+(?=\W)",
    r"\w+(?!\s)",
    r"[a-z]+(?=, \w)",
    r"(?m)\w+$",
]


@pytest.mark.parametrize("pattern", IN_VAIN)
def test_pieces_of_a_text_have_the_tokens_of_all_of_it(pattern):
    words = [
        "high-dyke's",
        "@the",
        "a@b.c",
        "x1",
        "#flood",
        "Ö-é",
        "\u3002",
        "one-two-three",
        "it's",
    ]
    lines = (" ".join(words[i * i % 7 + i % 3] for i in range(n)) for n in range(100))
    text = "\n".join(lines) + "\nend-of it"
    assert len(text) > 5 * PIECE
    found = compile_pattern(pattern)
    assert found.separators
    assert found.findall(text) == re.findall(pattern, text)


@pytest.mark.parametrize("pattern", [r"\S+", r"\w+(?:-\w+)*", r"(?s).{3}", r"[^,]+", r"(?:\w{3})+"])
def test_all_of_a_text_is_read_at_once_where_each_character_is_part_of_a_token(pattern):
    text = "a-b," * PIECE
    assert compile_pattern(pattern).findall(text) == re.findall(pattern, text)
    assert compile_pattern(pattern).separators is None


@pytest.mark.parametrize(
    "pattern", [*IN_VAIN, r"[^,]+,", r"\w{5000}x", r"\w{5000}", r"(?:\w{90}){90}"]
)
def test_a_word_without_end_is_read_in_pieces(pattern):
    found = compile_pattern(pattern)
    assert all(len(token) <= PIECE for token in found.findall("a" * 50 * PIECE))
