from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.routes.algorithms import list_algorithms
from core.parameter_schema import parameter_schema
from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.text import TermWeighting


def test_every_algorithm_tells_what_it_is(client: TestClient) -> None:
    listed = client.get("/algorithms").json()["algorithms"]

    assert [algorithm["name"] for algorithm in listed] == list(ALGORITHMS)
    for algorithm in listed:
        assert algorithm["summary"]
        assert algorithm["assumption"]
        assert algorithm["reference"]
        assert algorithm["parameters"] == parameter_schema(ALGORITHMS[algorithm["name"]])


def test_a_model_is_made_with_the_defaults_that_are_told(
    client: TestClient, model: dict[str, Any]
) -> None:
    told = client.get("/algorithms").json()
    algorithms = {algorithm["name"]: algorithm for algorithm in told["algorithms"]}
    properties = told["vectorizer"]["properties"]
    common = {name: schema["default"] for name, schema in properties.items() if "default" in schema}

    own = algorithms[model["algorithm"]]["vectorizer"]
    assert model["vectorizer"] == {**common, **own, "stop_words": "english"}
    assert set(model["vectorizer"]) == set(properties)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_each_algorithm_tells_its_own_defaults_of_the_vectorizer(name: str) -> None:
    (told,) = [read for read in list_algorithms().algorithms if read.name == name]

    weighting = make_text_classifier(name)["weights"].get_params()
    assert told.vectorizer.items() <= weighting.items()
    assert {**TermWeighting().get_params(), **told.vectorizer} == weighting


def test_every_feature_selector_tells_what_it_is(client: TestClient) -> None:
    listed = client.get("/feature-selectors").json()["feature_selectors"]

    assert [selector["name"] for selector in listed] == list(FEATURE_SELECTORS)
    for selector in listed:
        assert selector["parameters"] == parameter_schema(FEATURE_SELECTORS[selector["name"]])
