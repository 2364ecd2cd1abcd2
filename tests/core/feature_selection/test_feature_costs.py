import numpy as np
import pytest

from core.feature_selection.feature_costs import affordable, checked_costs


def test_without_costs_each_feature_costs_one():
    costs, budget = checked_costs(None, None, 3, 5)
    assert costs.tolist() == [1] * 5
    assert budget == 3


def test_budget_is_the_number_of_features_where_none_is_given():
    assert checked_costs([1.5, 2], None, 2, 2)[1] == pytest.approx(2)
    assert checked_costs([1.5, 2], 1.7, 2, 2)[1] == pytest.approx(1.7)


@pytest.mark.parametrize(
    ("costs", "budget", "message"),
    [
        (None, 2.0, "without them"),
        ([1, 2], None, "3 finite numbers"),
        ([1, 0, 2], None, "above 0"),
        ([1, -1, 2], None, "above 0"),
        ([1, np.inf, 2], None, "finite"),
        ([1, None, 2], None, "finite"),
        ({"a": 1}, None, "3 finite numbers"),
        ([[1], [1, 2], 3], None, "3 finite numbers"),
        ([3, 4, 5], 2.5, "the cheapest costs 3.0, the budget is 2.5"),
    ],
)
def test_unusable_costs_are_refused(costs, budget, message):
    with pytest.raises(ValueError, match=message):
        checked_costs(costs, budget, 2, 3)


def test_what_does_not_fit_is_passed_over():
    mask = affordable(np.array([3, 0, 2, 1]), np.array([2.0, 1, 1, 3]), 4.5)
    assert mask.tolist() == [False, True, False, True] or mask @ [2.0, 1, 1, 3] <= 4.5
    assert mask.tolist() == [False, False, True, True]


@pytest.mark.parametrize(("cost", "n", "budget"), [(0.1, 3, 0.3), (0.7, 3, 2.1), (1 / 3, 6, 2.0)])
def test_costs_that_add_up_to_the_budget_but_for_rounding_fit(cost, n, budget):
    mask = affordable(np.arange(n + 1), *checked_costs([cost] * (n + 1), budget, 1, n + 1))
    assert mask.sum() == n
