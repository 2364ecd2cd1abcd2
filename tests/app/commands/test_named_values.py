import pytest

from app.commands.client import ServiceFailed
from app.commands.named_values import named_values


def test_values_are_json_or_plain_words() -> None:
    words = ["a=2", "b=0.5", "c=true", "d=null", "e=[1, 2]", 'f="7"', "g=own", "h=x=y", "i="]
    assert named_values("--param", words) == {
        **{"a": 2, "b": 0.5, "c": True, "d": None, "e": [1, 2], "f": "7"},
        **{"g": "own", "h": "x=y", "i": ""},
    }


def test_without_words_there_are_no_values() -> None:
    assert named_values("--param", []) == {}


@pytest.mark.parametrize("word", ["NaN", "-Infinity", "1e999", "1e", "True", "(?u)[a-z]+"])
def test_what_is_no_json_is_text(word: str) -> None:
    assert named_values("--param", [f"a={word}"]) == {"a": word}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["min_df"], r"--param min_df: give NAME=VALUE, such as --param min_df=2\."),
        (["=2"], "--param =2: give NAME=VALUE"),
        (["a=1", "a=2"], r"--param a=2: a is given twice\."),
        (["a=[1, 2"], r"--param a=\[1, 2: the value is no JSON: Expecting"),
        (["a=[NaN]"], r"the value is no JSON: NaN is none of its values\."),
        (["a=[1e999]"], r"the value is no JSON: 1e999 is too large\."),
        (['a="b'], "the value is no JSON: Unterminated string"),
    ],
)
def test_what_is_wrong_is_told(words: list[str], told: str) -> None:
    with pytest.raises(ServiceFailed, match=told):
        named_values("--param", words)
