"""Specification of feature selection, sections 3.1, 3.2 and 3.8."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.kernels.clusters.cluster_subset import best_cluster_subset


def random_table(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 9, rng.integers(2, 9))
    sizes[0] += 1
    n_positive = rng.binomial(sizes, rng.random(len(sizes)))
    n_positive[0] = max(1, n_positive[0])
    return n_positive, sizes


def value_of(members, n_positive, sizes):
    accepted, size = n_positive[members].sum(), sizes[members].sum()
    return accepted**2 / (n_positive.sum() * size) if size else 0.0


def test_toy_table_takes_its_first_two_clusters():
    value, is_member = best_cluster_subset(np.array([4, 3, 1, 0]), np.array([5, 6, 10, 20]))
    assert_allclose(value, 49 / 88, atol=1e-9)
    assert is_member.tolist() == [True, True, False, False]


def test_values_may_fall_before_they_rise():
    table = np.array([10, 1, 100]), np.array([10, 3, 310])
    value, is_member = best_cluster_subset(*table)
    assert_allclose(value, 111 / 323, atol=1e-9)
    assert is_member.all()
    value, is_member = best_cluster_subset(*table, early_stop=True)
    assert_allclose(value, 10 / 111, atol=1e-9)
    assert is_member.tolist() == [True, False, False]


@pytest.mark.parametrize("seed", range(200))
def test_no_subset_is_better(seed):
    n_positive, sizes = random_table(seed)
    subsets = [np.array(bits) for bits in product([False, True], repeat=len(sizes))]
    expected = max(value_of(members, n_positive, sizes) for members in subsets)
    value, is_member = best_cluster_subset(n_positive, sizes)
    assert_allclose(value, expected, atol=1e-12)
    assert_allclose(value_of(is_member, n_positive, sizes), expected, atol=1e-12)
    assert n_positive.sum() / sizes.sum() <= value + 1e-12 <= 1 + 2e-12


def test_pure_positive_clusters_are_the_set():
    _, is_member = best_cluster_subset(np.array([0, 5, 0, 2]), np.array([40, 20, 30, 8]))
    assert is_member.tolist() == [False, True, False, True]


def test_set_does_not_depend_on_the_share_of_labels():
    sizes = np.array([40, 20, 30, 8])
    positives = np.array([4, 16, 2, 8])
    full, members = best_cluster_subset(positives, sizes)
    half, same = best_cluster_subset(positives / 2, sizes)
    assert_allclose(half, full / 2, atol=1e-12)
    assert (members == same).all()


def test_empty_clusters_are_ignored():
    value, is_member = best_cluster_subset(np.array([0, 2, 0]), np.array([0, 2.0, 6]))
    assert value == 1
    assert is_member.tolist() == [False, True, False]


def test_of_equal_prefixes_the_longest_is_taken():
    # 4²/(6·4) = 2/3 = 6²/(6·9).
    _, is_member = best_cluster_subset(np.array([4, 2]), np.array([4, 5]))
    assert_allclose(best_cluster_subset(np.array([4, 2]), np.array([4, 5]))[0], 2 / 3)
    assert is_member.all()
