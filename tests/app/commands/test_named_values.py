import pytest

from app.commands.client import ServiceFailed
from app.commands.named_values import EXAMPLES, named_values
from core.registry import ALGORITHMS
from core.vectorizer import make_vectorizer


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


@pytest.mark.parametrize("option", EXAMPLES)
def test_examples_name_parameters_that_there_are(option: str) -> None:
    *algorithm, name, word = EXAMPLES[option].split()
    values = named_values(option, [word])
    assert name == option
    if algorithm:
        ALGORITHMS[algorithm[-1]]().set_params(**values)
    else:
        make_vectorizer(values)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["foo"], r"--param foo: give NAME=VALUE, such as --algorithm lp_pul --param n_neighbors"),
        (["=2"], "--param =2: give NAME=VALUE"),
        (["a=1", "a=2"], r"--param a=2: a is given twice\."),
        (["a=[1, 2"], r"--param a=\[1, 2: the value is not JSON: Expecting"),
        (["a=[NaN]"], r"the value is not JSON: NaN is not a JSON value\."),
        (["a=[1e999]"], r"the value is not JSON: 1e999 is too large\."),
        (['a="b'], "the value is not JSON: Unterminated string"),
    ],
)
def test_what_is_wrong_is_told(words: list[str], told: str) -> None:
    with pytest.raises(ServiceFailed, match=told):
        named_values("--param", words)
