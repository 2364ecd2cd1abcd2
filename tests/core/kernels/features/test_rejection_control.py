"""Specification of feature selection, section 10: the correctness check."""

import numpy as np
from numpy.testing import assert_allclose

from core.kernels.features.rejection_control import walk

TARGET = (0.8, 0.3, 0.6, 0.9)
N_WALKS = 40_000


def walks(threshold):
    random = np.random.default_rng(0)
    return [
        walk(lambda drawn: (TARGET[len(drawn)], 0.5), 4, threshold=threshold, random=random)
        for _ in range(N_WALKS)
    ]


def test_weighted_walks_have_the_mean_of_the_target_policy():
    found = walks(0.5)
    totals = np.array([weight * sum(drawn) for drawn, weight in found])
    # The target policy says yes 0.8 + 0.3 + 0.6 + 0.9 = 2.6 times.
    assert abs(totals.mean() - 2.6) < 4 * totals.std() / np.sqrt(N_WALKS)
    weights = np.array([weight for _, weight in found])
    assert abs(weights.mean() - 1) < 4 * weights.std() / np.sqrt(N_WALKS)


def test_walks_are_given_up_as_often_as_specified():
    found = walks(0.5)
    assert_allclose(np.mean([weight > 0 for _, weight in found]), 0.60, atol=0.01)
    assert_allclose(np.mean([len(drawn) for drawn, _ in found]), 3.5, atol=0.05)
    assert min(weight for _, weight in found if weight) >= 0.5


def test_without_a_threshold_all_walks_are_complete():
    found = walks(0)
    assert all(len(drawn) == 4 for drawn, _ in found)
    drawn, weight = found[0]
    odds = [2 * p if yes else 2 * (1 - p) for p, yes in zip(TARGET, drawn, strict=True)]
    assert_allclose(weight, np.prod(odds))


def test_steps_without_a_choice_do_not_count():
    random = np.random.default_rng(0)
    assert walk(lambda drawn: (1.0, 1.0), 3, threshold=0.5, random=random) == ([True] * 3, 1.0)
    assert walk(lambda drawn: (0.0, 0.0), 3, threshold=0.5, random=random) == ([False] * 3, 1.0)
