"""Specification, kernel K5 and step 2 of A5; the oracles compare every pair in plain Python."""

from unittest.mock import Mock

import numpy as np
import pytest
import scipy.sparse as sp
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.graphs import knn_graph as knn_graph_module
from core.kernels.graphs.knn_graph import (
    epsilon_graph,
    knn_graph,
    knn_graph_of_some,
    mean_distances,
    nearest_rows,
    similar_rows,
)
from core.kernels.rows.unit_rows import unit_rows
from core.progress import listening
from core.shared_work import shared, sharing


def unit_vectors(seed, n_samples=40, n_features=12):
    """Return a few short rows with many equal cosines: small counts, copies, an empty row."""
    random = np.random.default_rng(seed)
    X = random.integers(1, 3, (n_samples, n_features)) * (
        random.random((n_samples, n_features)) < 0.2
    )
    X[5:12] = X[4]
    X[20] = 0
    return unit_rows(sp.csr_array(X.astype(np.float64)))


def cosine(row, other):
    # In the order of the terms, as a sparse product adds: equal texts are equal to the last bit.
    total = 0.0
    for a, b in zip(row, other, strict=True):
        total += a * b
    return total


def slow_nearest(Q, Z, n_neighbors, *, is_same=False):
    result = np.zeros((Q.shape[0], Z.shape[0]))
    others = Z.toarray().tolist()
    for i, row in enumerate(Q.toarray().tolist()):
        cosines = {j: cosine(row, one) for j, one in enumerate(others) if not (is_same and i == j)}
        best = sorted((j for j in cosines if cosines[j] > 0), key=lambda j: (-cosines[j], j))
        for j in best[:n_neighbors]:
            result[i, j] = cosines[j]
    return result


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_neighbors", [1, 3, 7, 100])
def test_the_graph_equals_comparing_all_pairs_for_any_block_size(seed, n_neighbors):
    Z = unit_vectors(seed)
    listed = slow_nearest(Z, Z, n_neighbors, is_same=True)
    for block_size in (1, 7, 40, 1000):
        union = knn_graph(Z, n_neighbors, block_size=block_size)
        mutual = knn_graph(Z, n_neighbors, is_mutual=True, block_size=block_size)
        assert_array_equal(union.toarray(), np.maximum(listed, listed.T))
        assert_array_equal(mutual.toarray(), np.minimum(listed, listed.T))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_neighbors", [1, 3, 40])
@pytest.mark.parametrize("n_kept", [1, 20, 35, 40])
def test_a_graph_of_some_rows_is_made_from_that_of_all(seed, n_neighbors, n_kept, monkeypatch):
    Z = unit_vectors(seed)
    is_kept = np.zeros(40, dtype=bool)
    is_kept[np.random.default_rng(seed).permutation(40)[:n_kept]] = True
    listed = slow_nearest(Z[is_kept], Z[is_kept], n_neighbors, is_same=True)
    expected = np.maximum(listed, listed.T)
    assert_array_equal(knn_graph_of_some(Z, is_kept, n_neighbors).toarray(), expected)
    with sharing():
        whole = shared(knn_graph, Z, n_neighbors)
        compare = Mock(wraps=nearest_rows)
        monkeypatch.setattr(knn_graph_module, "nearest_rows", compare)
        graph = knn_graph_of_some(Z, is_kept, n_neighbors)
        assert_array_equal(graph.toarray(), expected)
        assert graph.dtype == whole.dtype
        assert graph.has_canonical_format
    # Only those who had listed one that is gone.
    of_all = slow_nearest(Z, Z, n_neighbors, is_same=True)
    has_lost = (of_all[np.ix_(is_kept, ~is_kept)] > 0).any(axis=1)
    assert sum(call.args[0].shape[0] for call in compare.call_args_list) == has_lost.sum()


def test_rows_that_nobody_lists_can_be_left_out():
    Z = sp.csr_array([[1.0, 0, 0], [0.8, 0.6, 0], [0, 0, 1], [0, 0, 0]])
    is_kept = np.array([True, True, False, False])
    with sharing():
        shared(knn_graph, Z, 2)
        graph = knn_graph_of_some(Z, is_kept, 2)
    assert graph.toarray().tolist() == [[0, 0.8], [0.8, 0]]


def test_a_few_rows_are_compared_without_bounds(monkeypatch):
    bound = Mock(wraps=knn_graph_module.product_bounds)
    monkeypatch.setattr(knn_graph_module, "product_bounds", bound)
    Z = unit_rows(sp.csr_array(np.abs(unit_vectors(0, n_samples=100, n_features=40))))
    of_all = nearest_rows(Z, Z, 3)
    assert bound.call_count == 1
    assert_array_equal(nearest_rows(Z[:1], Z, 3).toarray(), of_all[:1].toarray())
    assert bound.call_count == 1


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.9])
def test_an_epsilon_graph_joins_all_pairs_that_are_similar_enough(epsilon, monkeypatch):
    Z = unit_vectors(0)
    cosines = slow_nearest(Z, Z, 40, is_same=True)
    expected = np.where(cosines >= epsilon, cosines, 0)
    assert_array_equal(epsilon_graph(Z, epsilon).toarray(), expected)
    monkeypatch.setattr("core.kernels.graphs.knn_graph.MAX_COSINES", 90)
    assert_array_equal(epsilon_graph(Z, epsilon).toarray(), expected)


@pytest.mark.parametrize(
    "build",
    [
        lambda Z: knn_graph(Z, 5),
        lambda Z: knn_graph(Z, 5, is_mutual=True),
        lambda Z: epsilon_graph(Z, 0.2),
    ],
)
def test_graphs_are_canonical_symmetric_and_leave_empty_rows_alone(build):
    graph = build(unit_vectors(1))
    assert graph.format == "csr"
    assert graph.has_canonical_format
    assert (graph != graph.T).nnz == 0
    assert graph.data.min() > 0
    assert not graph.diagonal().any()
    assert not graph[[20]].nnz


def test_of_equal_neighbors_the_first_rows_are_listed():
    # Rows 1 to 5 are the same text: each is as near to row 0 as the others.
    Z = unit_rows(sp.csr_array(np.array([[1.0, 1], *[[2.0, 0]] * 5])))
    assert nearest_rows(Z, Z, 2, own=np.arange(Z.shape[0])).tocsr()[[0]].indices.tolist() == [1, 2]
    assert nearest_rows(Z, Z, 2, own=np.arange(Z.shape[0])).tocsr()[[2]].indices.tolist() == [1, 3]


def test_opposite_rows_are_no_neighbors():
    Z = unit_rows(sp.csr_array(np.array([[1.0, 0], [-1, 0], [-1, 1]])))
    assert nearest_rows(Z, Z, 3, own=np.arange(Z.shape[0])).tocsr()[[0]].nnz == 0


@pytest.mark.parametrize("n_neighbors", [1, 4])
def test_neighbors_of_new_rows_equal_comparing_all_pairs(n_neighbors):
    Z, Q = unit_vectors(0), unit_vectors(1)
    assert_array_equal(
        nearest_rows(Q, Z, n_neighbors, block_size=9).toarray(), slow_nearest(Q, Z, n_neighbors)
    )
    similar = similar_rows(Q, Z, 0.4).toarray()
    assert_array_equal(similar, np.where(similar >= 0.4, slow_nearest(Q, Z, 40), 0))
    assert (similar > 0).sum() == (slow_nearest(Q, Z, 40) >= 0.4).sum()


@pytest.mark.parametrize("n_rows", [38, 40])
def test_cosines_in_blocks_are_compared_with_the_floors_of_their_own_rows(n_rows, monkeypatch):
    # Three rows at a time; the floor of a row with ties is its last cosine, which differs.
    Z = unit_vectors(0)[:n_rows]
    monkeypatch.setattr("core.kernels.graphs.knn_graph.MAX_COSINES", 3 * n_rows)
    assert_array_equal(
        nearest_rows(Z, Z, 2, own=np.arange(Z.shape[0])).toarray(),
        slow_nearest(Z, Z, 2, is_same=True),
    )
    cosines = slow_nearest(Z, Z, n_rows)
    assert_array_equal(similar_rows(Z, Z, 0.4).toarray(), np.where(cosines >= 0.4, cosines, 0))


def test_wide_indices_are_accepted():
    Z = unit_vectors(0)
    wide = Z.copy()
    wide.indptr, wide.indices = Z.indptr.astype(np.int64), Z.indices.astype(np.int64)
    assert (knn_graph(wide, 3) != knn_graph(Z, 3)).nnz == 0


def test_an_empty_corpus_has_no_edges():
    assert knn_graph(sp.csr_array((3, 4)), 2).nnz == 0
    assert epsilon_graph(sp.csr_array((3, 4)), 0.1).nnz == 0


def test_progress_ends_at_one():
    told = []
    with listening(lambda *report, n_samples: told.append((*report, n_samples))):
        knn_graph(unit_vectors(0), 3, block_size=15)
    # By the number of samples a listener tells how many are joined in a second.
    assert told == [("graph", 15 / 40, 40), ("graph", 30 / 40, 40), ("graph", 1.0, 40)]


def test_distances_on_the_toy_graph():
    graph = np.zeros((6, 6))
    for i, j, weight in [(0, 1, 0.8), (1, 2, 0.5), (2, 3, 0.4), (3, 4, 0.8), (0, 2, 0.2)]:
        graph[i, j] = graph[j, i] = weight
    expected = [0, 1.25, 3.25, 5.75, 7]
    for unreachable, last in (("far", 2 * 7 + 1), ("zero", 0)):
        distances, is_reached = mean_distances(
            sp.csr_array(graph), np.array([0]), unreachable=unreachable
        )
        assert_allclose(distances, [*expected, last], atol=1e-6)
        assert is_reached.tolist() == [True] * 5 + [False]


def slow_distances(weights, source):
    """Relax all edges until nothing changes (Bellman and Ford)."""
    distances = [0.0 if i == source else np.inf for i in range(len(weights))]
    for _ in weights:
        for i, j in zip(*np.nonzero(weights), strict=True):
            distances[j] = min(distances[j], distances[i] + 1 / max(weights[i, j], 1e-6))
    return np.array(distances)


@pytest.mark.parametrize("seed", range(4))
def test_distances_equal_relaxing_all_edges(seed, monkeypatch):
    random = np.random.default_rng(seed)
    weights = np.triu(random.random((14, 14)) * (random.random((14, 14)) < 0.12), 1)
    weights[0, 1] = 1e-9
    weights += weights.T
    sources = np.array([0, 3, 8])
    each = np.array([slow_distances(weights, source) for source in sources])
    is_reached = np.isfinite(each)
    far = 2 * each[is_reached].max() + 1

    monkeypatch.setattr("core.kernels.graphs.knn_graph.MAX_DISTANCES", 2 * 14)
    distances, has_path = mean_distances(sp.csr_array(weights), sources)
    assert_allclose(distances, np.where(is_reached, each, far).mean(axis=0))
    assert_array_equal(has_path, is_reached.any(axis=0))
    distances, _ = mean_distances(sp.csr_array(weights), sources, unreachable="zero")
    assert_allclose(distances, np.where(is_reached, each, 0).mean(axis=0))


def test_threads_make_the_same_graph():
    Z = unit_vectors(0)
    with parallel_config(n_jobs=2):
        threaded = knn_graph(Z, 3, block_size=15)
    assert_array_equal(threaded.toarray(), knn_graph(Z, 3, block_size=15).toarray())
