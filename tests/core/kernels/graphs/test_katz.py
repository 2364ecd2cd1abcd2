"""Specification A3; the path and its numbers are those of its example."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.linalg import ArpackNoConvergence
from sklearn.exceptions import ConvergenceWarning

from core.kernels.graphs import katz
from core.kernels.graphs.katz import katz_similarity, spectral_radius

PATH = sp.csr_array(np.eye(6, k=1) + np.eye(6, k=-1))
FIRST = np.array([0.071797, 0.287187, 0.076950, 0.020611, 0.005496, 0.001374])


def random_graph(seed, n_samples=40):
    edges = np.triu(np.random.default_rng(seed).random((n_samples, n_samples)) < 0.1, 1)
    return sp.csr_array((edges | edges.T).astype(float))


def dense_katz(graph, factor):
    identity = np.eye(graph.shape[0])
    return np.linalg.inv(identity - factor * graph.toarray()) - identity


def test_similarities_on_a_path():
    similarity = katz_similarity(PATH, np.arange(6) == 0, 0.25)
    assert_allclose(similarity, FIRST, atol=1e-6)
    assert_allclose(
        katz_similarity(PATH, np.arange(6) < 2, 0.25)[2:],
        [0.192374, 0.051529, 0.013741, 0.003435],
        atol=1e-6,
    )


def test_the_spectral_radius_of_a_path():
    assert_allclose(spectral_radius(PATH), 1.801938, atol=1e-6)
    assert_allclose(1 / spectral_radius(PATH), 0.554958, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_similarities_equal_those_of_the_inverse(seed):
    graph = random_graph(seed)
    factor = 0.8 / np.linalg.eigvalsh(graph.toarray()).max()
    is_source = np.arange(40) % 9 == 0
    expected = dense_katz(graph, factor)[is_source].mean(axis=0)
    assert_allclose(katz_similarity(graph, is_source, factor), expected, rtol=1e-7, atol=1e-15)


@pytest.mark.parametrize("seed", range(4))
def test_beyond_convergence_similarities_equal_those_of_the_inverse(seed):
    graph = random_graph(seed)
    factor = 1.5 / np.linalg.eigvalsh(graph.toarray()).max()
    is_source = np.arange(40) % 9 == 0
    expected = dense_katz(graph, factor)[is_source].mean(axis=0)
    similarity = katz_similarity(graph, is_source, factor, is_divergent=True)
    assert_allclose(similarity, expected, atol=1e-6)
    assert similarity.min() < 0


def test_far_similarities_are_right_though_tiny():
    path = sp.csr_array(np.eye(30, k=1) + np.eye(30, k=-1))
    similarity = katz_similarity(path, np.arange(30) == 0, 0.02)
    # One walk without a detour, 0.02 to the power of the distance; detours add little to it.
    assert_allclose(similarity[1:], 0.02 ** np.arange(1, 30), rtol=0.02)
    assert (np.diff(similarity[1:]) < 0).all()


def test_what_no_path_reaches_has_none():
    graph = sp.block_diag([PATH, PATH], format="csr")
    assert_array_equal(katz_similarity(graph, np.arange(12) == 0, 0.25)[6:], np.zeros(6))


def test_a_sum_that_is_cut_short_warns():
    with pytest.warns(ConvergenceWarning, match="did not converge in 2 iterations"):
        katz_similarity(PATH, np.arange(6) == 0, 0.25, max_iter=2)


def test_the_radius_is_that_of_a_small_group_beside_a_large_one():
    # Each vertex of the ring has 20 neighbors, each of the others 22.
    ring = sum(sp.eye_array(2000, k=k) for i in range(1, 11) for k in (i, i - 2000))
    group = sp.csr_array(np.ones((23, 23)) - np.eye(23))
    both = sp.block_diag([ring + ring.T, group], format="csr")
    assert spectral_radius(both) == pytest.approx(22, rel=1e-5)
    assert spectral_radius(group[:3, :3]) == pytest.approx(2)
    assert spectral_radius(sp.csr_array((50, 50))) == 0


def test_where_the_radius_is_not_found_its_bound_is_taken(monkeypatch):
    def lost(*_, **__):
        raise ArpackNoConvergence("lost", [], [])

    monkeypatch.setattr(katz, "eigsh", lost)
    star = sp.csr_array(([1.0] * 58, ([0] * 29 + [*range(1, 30)], [*range(1, 30)] + [0] * 29)))
    assert spectral_radius(star) == 29 >= np.linalg.eigvalsh(star.toarray())[-1]
