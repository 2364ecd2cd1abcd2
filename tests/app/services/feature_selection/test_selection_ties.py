from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.services.feature_selection.selection_ties import tie_warnings

ORDER = "the order of the columns"


def told(
    scores: list[float], n_selected: int, ranking: list[int] | None = None, **facts: Any
) -> list[str]:
    """Return the warnings of a selection by scores, ties in the order of the features."""
    order = np.argsort(-np.array(scores), kind="stable") if ranking is None else np.array(ranking)
    selector: Any = SimpleNamespace(
        scores_=np.array(scores),
        feature_order_=order,
        support_=np.isin(np.arange(len(scores)), order[:n_selected]),
        report_={"n_constant": facts.pop("n_constant", 0)},
        **facts,
    )
    return tie_warnings(selector, "features", ORDER)


def test_features_as_good_as_the_last_chosen_one_are_told() -> None:
    scores = [0.5, 0.9, 0.3 + 0.2, 0.5, 0.1, 0.5]

    assert told(scores, 3) == [
        "4 features have the score of the last chosen one; 2 of them are chosen, by "
        f"{ORDER} alone: the others are as good."
    ]
    assert told(scores, 1) == told(scores, 5) == told(scores, 6) == []


def test_all_features_alike_are_told_once() -> None:
    [warning] = told([0.98] * 5, 3)
    assert "3 of them are chosen" in warning


def test_many_best_features_are_told_to_be_in_no_order() -> None:
    [warning] = told([0.1, 0.98, 0.98, 0.5, 0.98], 4)
    assert warning.startswith("The first 3 features have the same score")
    assert told([0.98, 0.98, 0.5, 0.1], 3) == []


@pytest.mark.parametrize(
    ("scores", "n_selected", "facts"),
    [
        # Constant features come last, whatever their score.
        ([0.5, 0.0, 0.0], 2, {"n_constant": 1}),
        # A method that orders equal scores by something else, such as lasso.
        ([0.5, 0.0, 0.0, 0.0], 2, {"ranking": [0, 3, 1, 2]}),
        # What costs less may be chosen before what ranks higher.
        ([0.5, 0.5, 0.5], 1, {"costs": [1, 1, 1]}),
        ([0.5, -np.inf, -np.inf], 2, {}),
    ],
)
def test_what_is_not_decided_by_the_order_of_columns_is_not_told(
    scores: list[float], n_selected: int, facts: dict[str, Any]
) -> None:
    assert told(scores, n_selected, **facts) == []
