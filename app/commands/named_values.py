"""Parameters on the command line: NAME=VALUE."""

import json
import math
from typing import Any, NoReturn

from app.commands.client import ServiceFailed

#: What works as it stands, of each option.
EXAMPLES = {
    "--param": "--algorithm lp_pul --param n_neighbors=30",
    "--vectorizer": "--vectorizer min_df=2",
}


def named_values(option: str, words: list[str]) -> dict[str, Any]:
    """Return the parameters that an option gives, each as ``NAME=VALUE``.

    Values are JSON; what is none is text, so that words need no quotes of their own.

    Raises
    ------
    ServiceFailed
        If a word is no parameter, a name comes twice, or a list, object or quoted text is broken.
    """
    values: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise ServiceFailed(f"{option} {word}: give NAME=VALUE, such as {EXAMPLES[option]}.")
        if name in values:
            raise ServiceFailed(f"{option} {word}: {name} is given twice.")
        values[name] = _value(option, word, value)
    return values


def _value(option: str, word: str, value: str) -> Any:
    try:
        return json.loads(value, parse_constant=_refuse_constant, parse_float=_finite)
    except ValueError as error:
        if value.lstrip().startswith(("[", "{", '"')):
            raise ServiceFailed(f"{option} {word}: the value is not JSON: {error}.") from error
        return value


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits} is too large")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
