"""Specification E4; the ratios are those of its toy example."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.class_prior.dedpul import dedpul_prior, density_ratio, prior_by_bend, prior_by_iteration

RATIO = np.array([0.1, 0.1, 2.0, 2.0])


def test_iterations_stop_where_the_toy_example_does():
    # Above one half the two likely samples have the posterior 1: a = (2 + 0.2 a) / 4.
    assert_allclose(prior_by_iteration(RATIO), 2 / 3.8, atol=1e-6)


def test_prior_is_where_slow_iterations_end():
    ratio = np.sort(np.random.default_rng(0).exponential(1.3, size=100))
    prior = 1.0
    for _ in range(10_000):
        prior = np.minimum(1, prior * ratio).mean()
    assert_allclose(prior_by_iteration(ratio), prior, atol=1e-6)


def test_bend_is_that_of_posteriors_computed_one_by_one():
    ratio = np.sort(np.random.default_rng(0).exponential(1, size=200))
    grid = np.linspace(0, 1, 1001)
    errors = np.array([np.minimum(1, a * ratio).mean() - a for a in grid])
    bends = np.diff(errors, 2)
    bends[np.abs(errors[1:-1]) >= 0.05] = np.inf
    assert_allclose(prior_by_bend(ratio), grid[1 + bends.argmin()], atol=1e-3)


def test_ratios_rise_with_the_score_and_are_bounded():
    random = np.random.default_rng(0)
    ratio = density_ratio(random.beta(9, 1, 30), random.random(500))
    assert (np.diff(ratio) >= 0).all()
    assert 0 <= ratio.min() <= ratio.max() <= 50


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.8])
def test_hidden_share_is_found_where_the_classes_are_apart(share):
    random = np.random.default_rng(1)
    n_hidden = round(share * 2000)
    unlabeled = np.append(random.beta(20, 2, n_hidden), random.beta(2, 20, 2000 - n_hidden))
    assert dedpul_prior(random.beta(20, 2, 300), unlabeled) == pytest.approx(share, abs=0.05)


def test_order_of_the_samples_is_irrelevant():
    random = np.random.default_rng(0)
    positive, unlabeled = random.beta(9, 2, 10), random.random(200)
    expected = dedpul_prior(positive, unlabeled)
    assert_allclose(dedpul_prior(positive[::-1], unlabeled[::-1]), expected)
