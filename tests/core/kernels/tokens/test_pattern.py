import pytest

from core.kernels.tokens.pattern import compile_pattern


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
        r"(?=(?:a+)+!)\w+",
        r"(?:(?>a+)|a+)*!",
    ],
)
def test_patterns_that_can_take_forever_are_refused(pattern):
    with pytest.raises(ValueError, match=r"^token_pattern=.* nests repetitions"):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "is no regular expression"),
        ("", "matches where there is nothing"),
        ("a*|b", "matches where there is nothing"),
        ("a{99999999999999999999}", "is no regular expression"),
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
