import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import block_diag

from core.kernels.graphs.conductance import (
    candidate_conductance,
    least_conductance_share,
    least_conductance_size,
    prefix_conductance,
    separation,
)


@pytest.fixture
def graph():
    dense = np.random.default_rng(0).random((12, 12)) * (
        np.random.default_rng(1).random((12, 12)) < 0.3
    )
    dense = dense + dense.T
    np.fill_diagonal(dense, 0)
    return dense


def slow(dense, members):
    outside = np.setdiff1d(np.arange(len(dense)), members)
    leaving = dense[np.ix_(members, outside)].sum()
    smaller = min(dense[members].sum(), dense[outside].sum())
    return leaving / smaller if smaller > 0 else 1.0


def test_prefix_conductance_is_that_of_each_set_by_its_definition(graph):
    order = np.random.default_rng(2).permutation(12)
    found = prefix_conductance(sp.csr_array(graph), order)
    assert found == pytest.approx([slow(graph, order[: k + 1]) for k in range(12)])


def test_a_sample_without_neighbors_has_conductance_one():
    assert prefix_conductance(sp.csr_array((3, 3)), np.arange(3)).tolist() == [1, 1, 1]


def two_groups(n_in_group):
    block = np.ones((n_in_group, n_in_group)) - np.eye(n_in_group)
    dense = block_diag(block, block)
    dense[n_in_group - 1, n_in_group] = dense[n_in_group, n_in_group - 1] = 1
    return sp.csr_array(dense)


def size(graph, near=None):
    n_samples = graph.shape[0]
    is_positive = np.arange(n_samples) == 0
    ranked = graph, -np.arange(n_samples), is_positive, ~is_positive
    return least_conductance_size(candidate_conductance(*ranked), near=near)


@pytest.mark.parametrize("near", [None, 4.5, 9, 18])
def test_size_of_the_group_is_found_from_half_to_twice_of_it(near):
    # Ten of a group, one of them labeled: nine more belong to it. One edge of 91 leaves.
    assert size(two_groups(10), near) == 9


def test_a_size_far_away_counts_for_less_than_one_that_is_near():
    graph = two_groups(10)
    # By the definition: -np.arange ranks the samples as they are numbered.
    conductance = [slow(graph.toarray(), np.arange(k + 1)) for k in range(1, 20)]
    for near in (0.3, 1.5, 100):
        costs = np.log(conductance) + 2 * np.log(np.arange(1, 20) / near) ** 2
        assert size(graph, near) == 1 + np.argmin(costs) != 9


def test_sets_that_hardly_an_edge_leaves_are_equally_separate():
    # Nothing leaves the group of ten, next to nothing that of the first three.
    blocks = [np.ones((n, n)) - np.eye(n) for n in (3, 7, 10)]
    dense = block_diag(*blocks)
    dense[2, 3] = dense[3, 2] = 0.01
    assert size(sp.csr_array(dense), 3) == 2


def test_without_edges_the_size_that_is_near_is_taken():
    empty = sp.csr_array((20, 20))
    assert [size(empty, near) for near in (0.4, 6, 19, 500)] == [1, 6, 19, 19]
    assert size(empty) == 5
    assert size(sp.csr_array((3, 3))) == 1


def test_more_than_half_may_be_of_the_group():
    # Of twelve and four samples eleven belong to the labeled one.
    dense = block_diag(*(np.ones((n, n)) - np.eye(n) for n in (12, 4)))
    dense[11, 12] = dense[12, 11] = 1
    assert size(sp.csr_array(dense), 8) == 11


def test_samples_not_asked_about_come_last():
    graph, scores = two_groups(10), -np.arange(20)
    is_positive, is_candidate = np.arange(20) == 0, np.arange(20) > 3
    # Without three of its own the group has six more.
    conductance = candidate_conductance(graph, scores, is_positive, is_candidate)
    assert least_conductance_size(conductance, near=5) == 6
    assert least_conductance_share(conductance, 5 / 16) == 6 / 16


def test_separation_is_that_of_chance_for_samples_drawn_and_none_for_a_group():
    random = np.random.default_rng(0)
    graph = two_groups(100)
    nobody, everybody = np.zeros(200, dtype=bool), np.ones(200, dtype=bool)
    drawn = candidate_conductance(graph, random.random(200), nobody, everybody)
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        assert separation(drawn, share, 0, 10) == (pytest.approx(1, abs=0.05), 1)
    apart = candidate_conductance(graph, -np.arange(200), nobody, everybody)
    assert separation(apart, 0.5, 0, 10).relative == pytest.approx(2 / 9901, rel=1e-3)
    # Half of a group has about half of its edges to the other half, where chance has 3 of 4.
    assert separation(apart, 0.25, 0, 10).relative == pytest.approx(0.5 / 0.75, abs=0.02)
    # Of three quarters the other half of the second group is what few edges leave.
    assert separation(apart, 0.75, 0, 10).relative == pytest.approx(0.5 / 0.75, abs=0.02)
    assert separation(apart, 1, 0, 10) == (1, 0)


def test_positives_belong_to_the_set_of_which_more_than_half_is_measured_by_the_rest():
    random = np.random.default_rng(0)
    dense = np.triu(random.random((300, 300)) < 0.2, 1).astype(float)
    graph, is_positive = sp.csr_array(dense + dense.T), np.arange(300) < 100
    drawn = candidate_conductance(graph, random.random(300), is_positive, ~is_positive)
    # 100 positives with 80 of 200 are 0.6 of all.
    assert separation(drawn, 0.4, 100, 10).relative == pytest.approx(1, abs=0.05)


def test_sets_of_fewer_than_neighbors_are_measured_by_what_cannot_stay_inside():
    # Each of many groups of five is all of its own neighbors, whose other five are elsewhere.
    conductance = np.full(1000, 0.6)
    # Of two positives with three others four of ten neighbors can be inside at best.
    assert separation(conductance, 0.003, 2, 10) == pytest.approx((0, 0.4 / 0.996), abs=0.01)
    assert separation(np.ones(1000), 0.003, 2, 10).relative == 1
    # From eleven on none needs to be outside.
    assert separation(conductance, 0.009, 2, 10) == pytest.approx((0.6 / 0.991, 1))


@pytest.mark.parametrize("n_candidates", [1, 2, 5, 8])
def test_where_all_are_neighbors_of_all_nothing_is_told(n_candidates):
    n = n_candidates + 3
    graph = sp.csr_array(np.ones((n, n)) - np.eye(n))
    is_positive = np.arange(n) < 3
    conductance = candidate_conductance(graph, -np.arange(n), is_positive, ~is_positive)
    for share in (0.0, 0.3, 0.5, 1.0):
        assert separation(conductance, share, 3, 10).weight == pytest.approx(0, abs=1e-9)
