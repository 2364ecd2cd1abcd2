"""Specification D5; the threshold is that of its toy example."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.calibration.prior_cut import prior_cut, prior_threshold


def test_threshold_is_that_of_the_toy_example():
    assert prior_threshold(np.array([0.1, 0.9, 0.4, 0.7, 0.2]), 0.4) == 0.7


@pytest.mark.parametrize("class_prior", [0.1, 0.3, 0.6, 0.7, 0.9])
def test_threshold_accepts_the_share_of_the_prior(class_prior):
    # 10 * (1 - 0.9) and its like are not whole in floating point.
    scores = np.arange(10.0)
    accepted = (scores >= prior_threshold(scores, class_prior)).mean()
    assert_allclose(accepted, class_prior)


def test_threshold_of_no_positives_is_the_largest_score():
    assert prior_threshold(np.arange(3.0), 0.0) == 2


def test_empty_samples_count_but_are_never_accepted():
    scores = np.arange(10.0)
    assert prior_threshold(scores, 0.25, n_unlabeled=20) == 5
    assert prior_threshold(scores, 0.75, n_unlabeled=20) == 0


def test_cut_lies_between_samples():
    assert prior_cut(np.array([4.0, 1, 3, 2]), 0.5) == 2.5
    assert prior_cut(np.array([2.0, 2, 2]), 0.5) == 1


@pytest.mark.parametrize(
    ("n_wanted", "n_accepted"), [(30, 30), (31, 30), (4029, 30), (4031, 8030), (8000, 8030)]
)
def test_many_equal_scores_are_accepted_together_where_the_share_is_nearer_to_that(
    n_wanted, n_accepted
):
    scores = np.r_[np.linspace(0.6, 0.9, 30), np.full(8000, 0.1)]
    assert (scores >= prior_cut(scores, n_wanted / 8030)).sum() == n_accepted
    with_empty = prior_cut(scores, n_wanted / 10_000, n_unlabeled=10_000)
    assert (scores >= with_empty).sum() == n_accepted


def test_the_nearer_side_is_that_of_the_share_before_it_is_rounded():
    scores = np.array([3.0, 0, 1, 0, 1, 4, 3])
    assert (scores >= prior_cut(scores, 0.626, n_unlabeled=8)).sum() == 5


def test_equal_scores_that_are_the_highest_are_accepted():
    scores = np.r_[np.full(100, 0.9), np.linspace(0.1, 0.2, 100)]
    assert (scores >= prior_cut(scores, 0.01)).sum() == 100


@pytest.mark.parametrize("lower", [1.0, np.nextafter(1, 2), 0.3, 1e-320])
def test_cut_between_neighboring_numbers_accepts_the_upper_one_alone(lower):
    scores = np.array([lower, np.nextafter(lower, 2)])
    assert (scores >= prior_cut(scores, 0.5)).tolist() == [False, True]
