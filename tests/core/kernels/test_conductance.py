import numpy as np
import pytest
import scipy.sparse as sp

from core.kernels.conductance import least_conductance_size, prefix_conductance


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
    dense = sp.block_diag([block, block]).toarray()
    dense[n_in_group - 1, n_in_group] = dense[n_in_group, n_in_group - 1] = 1
    return sp.csr_array(dense)


def size(graph, least, most):
    n_samples = graph.shape[0]
    is_positive = np.arange(n_samples) == 0
    return least_conductance_size(
        graph, -np.arange(n_samples), is_positive, ~is_positive, least, most
    )


@pytest.mark.parametrize(("least", "most"), [(3, 12), (4.5, 18), (7.5, 30)])
def test_size_of_the_group_is_found_within_wide_bounds(least, most):
    # Ten of a group, one of them labeled: nine more belong to it.
    assert size(two_groups(10), least, most) == 9


def test_size_stays_within_the_bounds_and_half_of_the_samples():
    assert size(two_groups(10), 1.5, 6) == 6
    assert size(two_groups(10), 500, 2000) == 9
    assert size(sp.csr_array((2, 2)), 0.0005, 0.002) == 1


def test_samples_not_asked_about_come_last():
    graph, scores = two_groups(10), -np.arange(20)
    is_positive, is_candidate = np.arange(20) == 0, np.arange(20) > 3
    # Without three of its own the group has six more.
    assert least_conductance_size(graph, scores, is_positive, is_candidate, 2.5, 10) == 6
