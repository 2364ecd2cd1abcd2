"""How deep a pile is read to which documents came while it was read."""

import numpy as np
import pytest

from core.review.reading import depths, rankings_of_arrivals, read_on


def test_a_pile_that_was_there_is_read_to_one():
    found = np.array([True, False, True, False])
    places, ends, weights, end = depths(found, np.array([12]), np.zeros(4, dtype=int))
    assert (places.tolist(), ends.tolist(), weights.tolist(), end) == ([0.125, 0.625], [1], [1], 4)


def test_depths_are_shares_of_each_arrival():
    found = np.array([True, False, True, True])
    places, ends, weights, end = depths(found, np.array([2, 19]), np.array([0, 0, 1, 0]))
    # 3 of 5 and 1 of 20 are read: on average of the judgements (3 * 0.6 + 0.05) / 4.
    unit = 0.4625
    np.testing.assert_allclose(places, np.array([0.5 / 5, 2.5 / 5, 0.5 / 20]) / unit)
    np.testing.assert_allclose(ends, np.array([0.6, 0.05]) / unit)
    np.testing.assert_allclose(weights, [0.2, 0.8])
    assert end == pytest.approx(1 / unit)


@pytest.mark.parametrize("seed", range(5))
def test_the_next_is_of_the_arrival_that_is_read_least(seed):
    random = np.random.default_rng(seed)
    n_left, arrival = random.integers(1, 12, 4), random.integers(0, 4, 15)
    sizes = n_left + np.bincount(arrival, minlength=4)
    n_read = np.bincount(arrival, minlength=4)
    for of in read_on(n_left, arrival, int(n_left.sum())):
        depth = np.where(n_read < sizes, (n_read + 0.5) / sizes, np.inf)
        assert depth[of] == depth.min()
        n_read[of] += 1
    assert (n_read == sizes).all()


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([500], [0]),
        ([500, 500], [0, 1]),
        # Too few to say how deep they are, but together, or with what comes after them.
        ([500, 19], [0, 0]),
        ([500, 20], [0, 1]),
        ([500, 10, 9, 1, 30], [0, 1, 1, 1, 2]),
        ([500, 30, 10, 5], [0, 1, 1, 1]),
        # From a hundredth of what was there on.
        ([10_000, 99], [0, 0]),
        ([10_000, 50, 50, 100, 2], [0, 1, 1, 2, 2]),
        ([10_000, 100, 101], [0, 1, 2]),
        ([0, 500], [0, 1]),
    ],
)
def test_small_arrivals_are_joined(sizes, expected):
    assert rankings_of_arrivals(sizes).tolist() == expected
