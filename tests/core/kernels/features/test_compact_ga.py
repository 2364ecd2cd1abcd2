"""Specification of feature selection, sections 3.3, 3.4 and 3.8."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.kernels.features.compact_ga import draw_mask, search_masks
from core.progress import listening, stopping

ONES = np.ones(4)


def search(evaluate_pair, costs=ONES, budget=2, seed=0, **settings):
    settings = {"learning_rate": 0.05, "clip_rate": 0.25, "max_iter": 300, **settings}
    random = np.random.default_rng(seed)
    return search_masks(evaluate_pair, costs, budget, random=random, **settings)


def first_two(*masks):
    return tuple(mask[:2].sum() for mask in masks)


@pytest.mark.parametrize("seed", range(5))
def test_probabilities_reach_their_bounds(seed):
    assert_allclose(search(first_two, seed=seed).probabilities, [0.75, 0.75, 0.25, 0.25])


def test_probabilities_move_towards_the_better_mask():
    pairs = []

    def evaluate(*masks):
        pairs.append(masks)
        return 1.0, 0.0

    found = search(evaluate, max_iter=1)
    expected = 0.5 + 0.05 * (pairs[0][0].astype(float) - pairs[0][1])
    assert_allclose(found.probabilities, expected)
    assert found.objective == [1.0]


def slow_search(value, costs, budget, n_steps, random):
    """Draw masks, repair them bit by bit, and move towards the better one."""
    theta = np.full(len(costs), budget / costs.sum())
    for _ in range(n_steps):
        masks = []
        for _ in range(2):
            mask = random.random(len(costs)) < theta
            while mask @ costs > budget:
                left = np.flatnonzero(mask)
                mask[random.choice(left, p=(1 - theta[left]) / (1 - theta[left]).sum())] = False
            while (room := np.flatnonzero(~mask & (costs <= budget - mask @ costs))).size:
                mask[random.choice(room, p=theta[room] / theta[room].sum())] = True
            masks.append(mask.astype(float))
        direction = np.sign(value(masks[0]) - value(masks[1])) * (masks[0] - masks[1])
        theta = np.clip(theta + 0.05 * direction, 0.25, 0.75)
    return theta


@pytest.mark.parametrize("costs", [np.ones(6), np.array([1, 2, 1, 0.5, 1.5, 1])])
def test_probabilities_are_spread_as_those_of_a_slow_search(costs):
    worth = np.array([3, 1, -1, 0.5, 2, 0])
    found, expected = (
        np.array([make(np.random.default_rng(seed)) for seed in range(start, start + 400)])
        for start, make in [
            (
                0,
                lambda random: (
                    search_masks(
                        lambda *masks: tuple(mask @ worth for mask in masks),
                        costs,
                        3,
                        learning_rate=0.05,
                        clip_rate=0.25,
                        max_iter=8,
                        random=random,
                    ).probabilities
                ),
            ),
            (400, lambda random: slow_search(lambda mask: mask @ worth, costs, 3, 8, random)),
        ]
    )
    # Means and deviations within five times their errors.
    error = np.sqrt((found.var(axis=0) + expected.var(axis=0)) / 400)
    assert (np.abs(found.mean(axis=0) - expected.mean(axis=0)) < 5 * error).all()
    assert_allclose(found.std(axis=0), expected.std(axis=0), rtol=5 * 0.05)


def test_equal_values_move_nothing():
    found = search(lambda first, second: (1.0, 1.0), max_iter=20)
    assert_allclose(found.probabilities, 0.5)
    assert found.stop_reason == "max_iter"
    assert len(found.objective) == 20


def test_search_ends_when_all_is_settled():
    found = search(first_two)
    assert found.stop_reason == "converged"
    assert found.is_settled.all()
    assert len(found.objective) < 300


def test_search_for_few_of_many_features_goes_on_until_they_are_found():
    found = search(
        lambda *masks: tuple(int(mask[7]) for mask in masks),
        np.ones(20),
        1,
        clip_rate=0.05,
        max_iter=2000,
    )
    # Every probability is 0.05 at first.
    assert found.stop_reason == "converged"
    assert np.flatnonzero(found.probabilities > 0.5).tolist() == [7]


def test_search_for_nearly_all_features_goes_on_until_the_others_are_found():
    found = search(
        lambda *masks: tuple(int(not mask[7]) for mask in masks),
        np.ones(20),
        19,
        clip_rate=0.05,
        max_iter=2000,
    )
    # Every probability is 0.95 at first.
    assert found.stop_reason == "converged"
    assert np.flatnonzero(found.probabilities < 0.5).tolist() == [7]


@pytest.mark.parametrize("budget", [1, 2, 10, 18, 19])
def test_nothing_has_converged_at_the_start(budget):
    found = search(lambda *_: (1.0, 1.0), np.ones(20), budget, clip_rate=0.05, max_iter=1)
    assert found.converged_share == 0


def test_converged_share_is_that_of_what_is_taken_or_left_out():
    def two_of_three(*masks):
        return tuple(mask[:2].sum() for mask in masks)

    found = search(two_of_three, np.ones(10), 3, clip_rate=0.05, max_iter=100)
    is_high, is_low = (found.probabilities > 0.9 - 1e-9, found.probabilities < 0.1 + 1e-9)
    assert found.stop_reason == "max_iter"
    assert found.converged_share == pytest.approx(min(is_high.sum() / 3, is_low.sum() / 7))
    assert 0 < found.converged_share < 1


def test_search_ends_when_time_is_over():
    found = search(first_two, max_seconds=0)
    assert found.stop_reason == "max_seconds"
    assert len(found.objective) == 1


def test_search_ends_when_a_stop_is_asked_for():
    answers = iter([False, False, True])
    with stopping(lambda: next(answers)):
        found = search(first_two)
    assert found.stop_reason == "cancelled"
    assert len(found.objective) == 3


def test_listener_can_cancel():
    def cancel(stage, share, **facts):
        raise InterruptedError(stage)

    with listening(cancel), pytest.raises(InterruptedError, match="search"):
        search(first_two)


def test_same_seed_gives_the_same_search():
    first, second = (search(first_two, max_iter=7, seed=3) for _ in range(2))
    assert first.probabilities.tolist() == second.probabilities.tolist()


def test_likely_features_survive_the_repair():
    probabilities = np.array([0.9, 0.9, 0.1, 0.1])
    random = np.random.default_rng(0)
    masks = np.array([draw_mask(probabilities, ONES, 2, random) for _ in range(20_000)])
    assert (masks.sum(axis=1) == 2).all()
    assert_allclose(masks.mean(axis=0), [0.95, 0.95, 0.05, 0.05], atol=0.01)


@pytest.mark.parametrize("budget", [1.0, 3.5, 20.0])
def test_masks_fit_the_budget_and_leave_no_room(budget):
    random = np.random.default_rng(0)
    costs = random.uniform(0.5, 3, size=12)
    for _ in range(200):
        mask = draw_mask(np.full(12, 0.5), costs, budget, random)
        assert mask.any()
        assert mask @ costs <= budget
        assert (costs[~mask] > budget - mask @ costs).all()


def test_unequal_costs_of_one_are_as_unit_costs():
    # Weights of draws one after the other are those of the vectorised draws.
    probabilities, random = np.array([0.9, 0.6, 0.3, 0.1]), np.random.default_rng(0)
    nearly_one = np.array([1, 1, 1, 1 + 1e-9])
    unit = np.mean([draw_mask(probabilities, ONES, 2, random) for _ in range(20_000)], axis=0)
    loop = np.mean(
        [draw_mask(probabilities, nearly_one, 2 + 1e-6, random) for _ in range(20_000)], axis=0
    )
    assert_allclose(loop, unit, atol=0.02)


def test_cheap_features_are_preferred_where_they_do_as_well():
    costs = np.array([1.0, 1, 2, 2])
    found = search(lambda *masks: tuple(mask.sum() for mask in masks), costs=costs, budget=2)
    assert (found.probabilities[:2] > found.probabilities[2:]).all()
