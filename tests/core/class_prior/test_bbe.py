"""Specification E5; the numbers are those of its toy example."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.class_prior.bbe import best_bin_prior

POSITIVE = np.array([0.9, 0.8, 0.7, 0.6])
UNLABELED = np.array([0.95, 0.85, 0.75, 0.5, 0.4, 0.3, 0.2, 0.1])


def test_prior_is_that_of_the_toy_example():
    assert_allclose(best_bin_prior(POSITIVE, UNLABELED), 0.375, atol=1e-6)


def test_order_and_scale_of_the_scores_are_irrelevant():
    expected = best_bin_prior(POSITIVE, UNLABELED)
    assert best_bin_prior(POSITIVE[::-1] ** 3, UNLABELED[::-1] ** 3) == expected


def slow_bins(positive, unlabeled):
    """Ratio and slack of the bound for each threshold, as in the specification."""
    noise = sum(np.sqrt(np.log(4 / 0.1) / (2 * len(side))) for side in (positive, unlabeled))
    return [
        ((unlabeled >= z).mean() / (positive >= z).mean(), 1.01 * noise / (positive >= z).mean())
        for z in np.union1d(positive, unlabeled)
        if (positive >= z).sum() >= 2
    ]


def test_bound_is_that_of_the_toy_example():
    assert_allclose(min(map(sum, slow_bins(POSITIVE, UNLABELED))), 1.5458, atol=1e-4)


@pytest.mark.parametrize("seed", range(10))
def test_the_least_bound_is_taken(seed):
    random = np.random.default_rng(seed)
    positive, unlabeled = random.normal(1, size=30).round(1), random.normal(size=90).round(1)
    best = min(slow_bins(positive, unlabeled), key=sum)
    assert_allclose(best_bin_prior(positive, unlabeled), min(1, best[0]))


def test_hidden_share_is_found_where_the_classes_are_apart():
    random = np.random.default_rng(0)
    unlabeled = np.concatenate([random.normal(5, size=600), random.normal(-5, size=1400)])
    assert best_bin_prior(random.normal(5, size=1000), unlabeled) == pytest.approx(0.3, abs=0.02)


def test_one_positive_says_nothing():
    assert np.isnan(best_bin_prior(POSITIVE[:1], UNLABELED))
