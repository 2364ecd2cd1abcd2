from fastapi.testclient import TestClient

from core.parameter_schema import parameter_schema
from core.registry import ALGORITHMS, FEATURE_SELECTORS


def test_every_algorithm_tells_what_it_is(client: TestClient) -> None:
    listed = client.get("/algorithms").json()["algorithms"]

    assert [algorithm["name"] for algorithm in listed] == list(ALGORITHMS)
    for algorithm in listed:
        assert algorithm["summary"]
        assert algorithm["assumption"]
        assert algorithm["reference"]
        assert algorithm["parameters"] == parameter_schema(ALGORITHMS[algorithm["name"]])


def test_vectorizer_is_described_as_one(client: TestClient) -> None:
    properties = client.get("/algorithms").json()["vectorizer"]["properties"]

    assert {"min_df", "ngram_range", "representation", "norm"} <= set(properties)


def test_every_feature_selector_tells_what_it_is(client: TestClient) -> None:
    listed = client.get("/feature-selectors").json()["feature_selectors"]

    assert [selector["name"] for selector in listed] == list(FEATURE_SELECTORS)
    for selector in listed:
        assert selector["parameters"] == parameter_schema(FEATURE_SELECTORS[selector["name"]])
