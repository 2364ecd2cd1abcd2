import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.class_prior.largest_admissible import is_far_above, largest_admissible_prior


def test_bound_of_a_single_positive():
    # The share above its score is at least 0.05 with probability 0.95; 11 of 101 score as high.
    unlabeled = np.arange(100) / 100
    bound = largest_admissible_prior(np.array([0.9]), unlabeled)
    assert bound == 0.99
    assert_allclose(largest_admissible_prior(np.array([0.9]), unlabeled, confidence=0.5), 22 / 101)


@pytest.mark.parametrize(("n_positive", "overlap"), [(10, 0.0), (10, 3.0), (50, 1.0)])
def test_bound_holds_however_negatives_overlap(n_positive, overlap):
    random = np.random.default_rng(0)
    n_held, n_draws, share = 0, 200, 0.2
    for _ in range(n_draws):
        unlabeled = np.append(random.normal(4, size=200), random.normal(overlap, size=800))
        positive = random.normal(4, size=n_positive)
        n_held += largest_admissible_prior(positive, unlabeled) >= share
    assert n_held >= 0.95 * n_draws


def test_more_positives_bring_the_bound_down():
    unlabeled = np.linspace(0, 1, 1000)
    bounds = [largest_admissible_prior(np.full(n, 0.9), unlabeled) for n in (2, 10, 100)]
    assert sorted(bounds, reverse=True) == bounds
    assert 0.1 < bounds[-1] < 0.12


@pytest.mark.parametrize(
    ("class_prior", "largest", "is_far"),
    [
        (0.29, 0.2, False),
        (0.31, 0.2, True),  # 1.5 x 0.2 is 0.3
        (0.85, 0.784, False),
        (0.86, 0.784, True),  # 0.216 / 1.5 is 0.144
        (0.9, 0.877, False),
        (0.97, 0.96, False),
        (0.5, 0.6, False),
    ],
)
def test_far_above_is_half_more_positives_or_a_third_fewer_negatives(class_prior, largest, is_far):
    assert is_far_above(class_prior, largest) == is_far


def test_a_confidence_of_more_than_all_is_refused():
    with pytest.raises(ValueError, match="'confidence' parameter of largest_admissible_prior"):
        largest_admissible_prior(np.array([0.9]), np.array([0.1]), confidence=95)
