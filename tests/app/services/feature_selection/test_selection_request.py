from types import SimpleNamespace
from typing import Any

import pytest

from app.errors import InvalidParameter
from app.services.feature_selection.selection_request import (
    check_size,
    half,
    without_single,
)
from core.vectorizer import make_vectorizer


def pointers(error: InvalidParameter) -> list[str]:
    return [place["pointer"] for place in error.errors or []]


@pytest.mark.parametrize(("n_features", "n_selected"), [(1, 1), (2, 1), (57, 29), (67, 34)])
def test_half_is_rounded_up(n_features: int, n_selected: int) -> None:
    assert half(n_features) == n_selected


@pytest.mark.parametrize(
    ("costs", "budget", "pointer"),
    [
        ([3.0, 4.0], None, "/params/costs"),
        ([1.0, 2.0], 0.5, "/params/costs"),
        ([1.0], None, "/params/costs"),
        ({"a": 1}, None, "/params/costs"),
        (None, 3.0, "/params/budget"),
    ],
)
def test_costs_that_do_not_fit_are_refused(costs: Any, budget: float | None, pointer: str) -> None:
    selector: Any = SimpleNamespace(n_features_to_select=2, costs=costs, budget=budget)
    with pytest.raises(InvalidParameter) as caught:
        check_size(selector, 2, "/n_features")
    assert pointers(caught.value) == [pointer]


def test_costs_that_fit_are_taken() -> None:
    selector: Any = SimpleNamespace(n_features_to_select=2, costs=[1.0, 9.0], budget=None)
    check_size(selector, 2, "/n_features")


@pytest.mark.parametrize(
    ("vectorizer", "min_df"),
    [
        ({}, 2),
        ({"max_df": 0.5, "max_features": 9}, 2),
        ({"max_df": 1.0}, 2),
        ({"min_df": 0.0}, 0.0),
        # One document at most, and hashed terms, of which none can be left out.
        ({"max_df": 1}, None),
        ({"max_df": 0.0015}, None),
        ({"max_df": 0.002}, 2),
        ({"n_features": 1024}, None),
    ],
)
def test_terms_of_one_document_are_left_out_where_they_can_be(
    vectorizer: dict[str, Any], min_df: float | None
) -> None:
    chosen = without_single(vectorizer, 1_000)
    assert chosen.get("min_df") == min_df
    make_vectorizer(chosen)
    assert without_single(vectorizer, 999) == vectorizer
