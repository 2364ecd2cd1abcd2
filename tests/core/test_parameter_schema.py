import inspect
import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from sklearn.utils._param_validation import validate_parameter_constraints

from core.options import Interval
from core.parameter_schema import parameter_schema
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.text import TermWeighting, TokenCounter

CLASSES = [*ALGORITHMS.values(), *FEATURE_SELECTORS.values(), TokenCounter, TermWeighting]
PROPERTIES = [
    pytest.param(cls, name, id=f"{cls.__name__}-{name}")
    for cls in CLASSES
    for name in parameter_schema(cls)["properties"]
]


def values(schema):
    """Draw values that a schema accepts, as Python has them after reading JSON."""
    if "anyOf" in schema:
        return st.one_of(*map(values, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if schema["type"] == "integer":
        low = None if low is None else math.floor(low) + ("exclusiveMinimum" in schema)
        high = None if high is None else math.ceil(high) - ("exclusiveMaximum" in schema)
        return st.integers(low, high)
    if schema["type"] == "number":
        # A float: JSON tells 1 from 1.0 no better than a schema, and min_df means both.
        return st.floats(
            low,
            high,
            exclude_min="exclusiveMinimum" in schema,
            exclude_max="exclusiveMaximum" in schema,
            allow_nan=False,
            allow_infinity=False,
        )
    if schema["type"] == "array":
        return st.lists(values(schema["items"]), max_size=3)
    return {
        "null": st.none(),
        "boolean": st.booleans(),
        "string": st.text(),
    }[schema["type"]]


@pytest.mark.parametrize("cls", CLASSES)
def test_schema_is_valid_and_closed(cls):
    schema = parameter_schema(cls)
    Draft202012Validator.check_schema(schema)
    assert not Draft202012Validator(schema).is_valid({"no_such": 1})
    assert "pos_label" not in schema["properties"]


@pytest.mark.parametrize(("cls", "name"), PROPERTIES)
def test_default_validates_and_meaning_is_described(cls, name):
    schema = parameter_schema(cls)["properties"][name]
    assert schema["description"].endswith(".")
    if "default" in schema:
        Draft202012Validator(schema).validate(schema["default"])


@settings(max_examples=12)
@given(data=st.data())
@pytest.mark.parametrize(("cls", "name"), PROPERTIES)
def test_what_the_schema_accepts_the_estimator_accepts(cls, name, data):
    schema = parameter_schema(cls)["properties"][name]
    value = data.draw(values(schema))
    Draft202012Validator(schema).validate(value)
    if name == "ngram_range":
        value = tuple(value)  # as make_text_classifier does
    validate_parameter_constraints(
        {name: cls._parameter_constraints[name]}, {name: value}, caller_name=cls.__name__
    )


#: Ranges that docstrings tell otherwise: a number of features by what there is, a cut in words.
IN_WORDS = {"n_features_to_select", "threshold"}
BRACKETS = {"both": "[]", "left": "[)", "right": "(]", "neither": "()"}


@pytest.mark.parametrize("cls", [*ALGORITHMS.values(), *FEATURE_SELECTORS.values()])
def test_docstrings_tell_the_ranges_that_are_checked(cls):
    heads = dict(re.findall(r"^(\w+) : (.*)$", inspect.getdoc(cls), re.M))
    for name in set(cls._get_param_names()) - IN_WORDS:
        for constraint in cls._parameter_constraints[name]:
            if isinstance(constraint, Interval):
                opens, closes = BRACKETS[constraint.closed]
                left, right = (_told(end) for end in (constraint.left, constraint.right))
                assert f" in {opens}{left or '-inf'}, {right or 'inf'}{closes}" in heads[name]


def _told(end):
    return None if end is None else str(end).replace("1e-05", "1e-5")


@pytest.mark.parametrize(
    ("cls", "value"),
    [
        (TokenCounter, {"min_df": -1}),
        (TokenCounter, {"ngram_range": [2, 1]}),
        (TokenCounter, {"stop_words": "klingon"}),
        (TokenCounter, {"stop_words": [1]}),
        (TermWeighting, {"norm": "l3"}),
        (TermWeighting, {"use_idf": 1}),
        (ALGORITHMS["prototype"], {"quantile": 1.01}),
        (ALGORITHMS["prototype"], {"n_deviations": 0.5}),
        (ALGORITHMS["lgn"], {"smoothing": 0}),
        (ALGORITHMS["lgn"], {"random_state": -1}),
    ],
)
def test_what_is_out_of_range_is_refused(cls, value):
    assert not Draft202012Validator(parameter_schema(cls)).is_valid(value)


def test_descriptions_are_those_of_the_docstring():
    schema = parameter_schema(ALGORITHMS["prototype"])["properties"]["quantile"]
    assert schema["description"] == (
        "Quantile of the positives' scores that is the cut, between two scores in proportion: of "
        'five the lowest one is below it (rules "auto" and "quantile").'
    )
