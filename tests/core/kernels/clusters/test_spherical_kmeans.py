from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.kernels.clusters.spherical_kmeans import (
    group_means,
    left_out_cosines,
    own_cosines,
    spherical_kmeans,
)
from core.kernels.rows.unit_rows import unit_rows


def random_rows(n_samples, seed=0):
    counts = np.random.default_rng(seed).poisson(1.0, size=(n_samples, 6)) + np.eye(n_samples, 6)
    return unit_rows(sp.csr_array(counts))


def total_cosine(Z, labels):
    return own_cosines(Z, labels, group_means(Z, labels)).sum()


@pytest.mark.parametrize("seed", range(3))
def test_many_restarts_find_the_best_of_all_partitions(seed):
    Z = random_rows(7, seed)
    best = max(total_cosine(Z, np.array(labels)) for labels in product(range(2), repeat=7))
    labels, _ = spherical_kmeans(Z, 2, n_init=50, random_state=0)
    assert_allclose(total_cosine(Z, labels), best)


def test_no_row_is_nearer_to_another_cluster():
    Z = random_rows(60)
    labels, _ = spherical_kmeans(Z, 5, random_state=0)
    means = group_means(Z, labels)
    nearest = (Z @ (means / np.linalg.norm(means, axis=0))).argmax(axis=1)
    assert (nearest == labels).all()


def test_other_rows_are_as_if_they_were_not_there():
    Z, is_member = random_rows(30), np.arange(30) % 3 > 0
    labels, _ = spherical_kmeans(Z, 3, is_member=is_member, random_state=0)
    expected, _ = spherical_kmeans(Z[is_member], 3, random_state=0)
    assert labels[is_member].tolist() == expected.tolist()
    assert (labels[~is_member] == -1).all()
    assert_allclose(group_means(Z, labels), group_means(Z[is_member], expected))


def test_clusters_without_rows_are_dropped():
    Z = sp.csr_array(np.tile([[0.6, 0.8]], (4, 1)))
    labels, n_iter = spherical_kmeans(Z, 3, random_state=0)
    assert labels.tolist() == [0, 0, 0, 0]
    # All go to one cluster, and then none moves.
    assert n_iter <= 2


def test_means_are_those_of_the_members():
    Z = random_rows(10)
    labels = np.arange(10) % 3
    for label in range(3):
        expected = Z.toarray()[labels == label].mean(axis=0)
        assert_allclose(group_means(Z, labels)[:, label], expected)


def test_left_out_cosines_equal_sums_formed_anew():
    Z = random_rows(8)
    total = np.asarray(Z.sum(axis=0))
    expected = []
    for i in range(8):
        rest = np.delete(Z.toarray(), i, axis=0).sum(axis=0)
        expected.append(Z.toarray()[i] @ rest / np.linalg.norm(rest))
    assert_allclose(left_out_cosines(Z @ total, total @ total), expected)


def test_single_row_is_similar_to_no_others():
    assert left_out_cosines(np.array([1.0]), 1.0).tolist() == [0]
