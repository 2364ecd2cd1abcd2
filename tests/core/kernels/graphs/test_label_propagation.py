"""Specification, kernel K6, with the toy examples of A3 and A5; the oracles solve dense systems."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.graphs.label_propagation import gfhf, llgc, mass_difference

PATH = sp.csr_array(np.eye(6, k=1) + np.eye(6, k=-1))
#: The graph of the example of A5, and the masses where vertex 0 is positive, 4 and 5 are negative.
_UPPER = sp.csr_array(([0.8, 0.5, 0.4, 0.8, 0.2], ([0, 1, 2, 3, 0], [1, 2, 3, 4, 2])), shape=(6, 6))
TOY_GRAPH = _UPPER + _UPPER.T
TOY_MASSES = np.array(
    [
        [0.292794, 0.093000],
        [0.254809, 0.110141],
        [0.185793, 0.136625],
        [0.126557, 0.252815],
        [0.093000, 0.285780],
        [0, 0.1],
    ]
)


def random_case(seed, n_samples=60):
    """Return a graph of a few components, one vertex alone, and one-hot seeds of both labels."""
    random = np.random.default_rng(seed)
    weights = np.triu(random.random((n_samples, n_samples)), 1)
    weights *= random.random((n_samples, n_samples)) < random.choice([0.02, 0.04, 0.2])
    weights[-1] = weights[:, -1] = 0
    seeds = np.zeros((n_samples, 2))
    chosen = random.choice(n_samples, 9, replace=False)
    seeds[chosen[:3], 0] = 1
    seeds[chosen[3:], 1] = 1
    return weights + weights.T, seeds


def seeded_vertices(weights, seeds):
    is_seeded = seeds.any(axis=1)
    for _ in weights:
        is_seeded = is_seeded | (weights[:, is_seeded] > 0).any(axis=1)
    return is_seeded


def slow_gfhf(weights, seeds):
    is_seed = seeds.any(axis=1)
    free = seeded_vertices(weights, seeds) & ~is_seed
    laplacian = np.diag(weights.sum(axis=1)) - weights
    mass = seeds.copy()
    right = weights[np.ix_(free, is_seed)] @ seeds[is_seed]
    mass[free] = np.linalg.solve(laplacian[np.ix_(free, free)], right)
    return mass


def slow_llgc(weights, seeds, alpha):
    degrees = weights.sum(axis=1)
    scale = np.where(degrees > 0, degrees, np.inf) ** -0.5
    system = np.eye(len(weights)) - alpha * scale[:, None] * weights * scale
    return np.linalg.solve(system, (1 - alpha) * seeds)


@pytest.mark.parametrize("seed", range(12))
def test_gfhf_equals_the_dense_solution(seed):
    weights, seeds = random_case(seed)
    mass, _, is_converged = gfhf(sp.csr_array(weights), seeds)
    assert is_converged
    assert_allclose(mass, slow_gfhf(weights, seeds), atol=1e-9)
    assert mass.min() >= 0


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("seed", range(4))
def test_llgc_equals_the_dense_solution(seed, alpha):
    weights, seeds = random_case(seed)
    mass, _, is_converged = llgc(sp.csr_array(weights), seeds, alpha)
    assert is_converged
    assert_allclose(mass, slow_llgc(weights, seeds, alpha), rtol=1e-8, atol=1e-14)


def test_gfhf_is_linear_between_the_ends_of_a_path():
    seeds = np.zeros((6, 2))
    seeds[[0, 1], 0] = 1
    seeds[[4, 5], 1] = 1
    mass = gfhf(PATH, seeds)[0]
    assert_allclose(mass[2:4], [[2 / 3, 1 / 3], [1 / 3, 2 / 3]])


def test_llgc_on_the_toy_graph():
    seeds = np.zeros((6, 2))
    seeds[0, 0] = 1
    seeds[[4, 5], 1] = 1
    assert_allclose(llgc(TOY_GRAPH, seeds, 0.9)[0], TOY_MASSES, atol=1e-6)


def test_llgc_keeps_the_ratio_of_tiny_masses_far_from_the_seeds():
    # Each end of a path of 60 is a seed; 40 steps from one and 19 from the other. On the inner
    # part of a path the mass falls by the same factor with each step.
    path = sp.csr_array(np.eye(60, k=1) + np.eye(60, k=-1))
    seeds = np.zeros((60, 2))
    seeds[0, 0] = seeds[59, 1] = 1
    mass = llgc(path, seeds, 0.1)[0]
    factor = (1 - np.sqrt(1 - 0.1**2)) / 0.1
    assert_allclose(mass[41, 0] / mass[40, 0], factor, rtol=1e-8)
    assert mass[40, 0] < 1e-40


@pytest.mark.parametrize("propagate", [gfhf, lambda graph, seeds: llgc(graph, seeds, 0.9)])
def test_components_without_seeds_get_nothing(propagate):
    graph = sp.csr_array(sp.block_diag([PATH, PATH]))
    seeds = np.zeros((12, 2))
    seeds[0, 0] = seeds[5, 1] = 1
    mass = propagate(graph, seeds)[0]
    assert_array_equal(mass[6:], np.zeros((6, 2)))
    assert (mass[1:5] > 0).all()
    assert_array_equal(mass_difference(mass)[6:], np.full(6, -1))


@pytest.mark.parametrize("propagate", [gfhf, lambda graph, seeds: llgc(graph, seeds, 0.9)])
def test_a_vertex_halfway_is_an_exact_tie(propagate):
    graph = sp.csr_array(np.eye(7, k=1) + np.eye(7, k=-1))
    seeds = np.zeros((7, 2))
    seeds[0, 0] = seeds[6, 1] = 1
    difference = mass_difference(propagate(graph, seeds)[0])
    assert difference[3] == 0
    assert (difference[:3] > 0).all()
    assert (difference[4:] < 0).all()


def test_all_vertices_may_be_seeds():
    seeds = np.repeat([[1.0, 0], [0, 1]], 3, axis=0)
    mass, n_iter, is_converged = gfhf(PATH, seeds)
    assert_array_equal(mass, seeds)
    assert (n_iter, is_converged) == (0, True)


def test_running_out_of_iterations_is_told():
    weights, seeds = random_case(3)
    assert gfhf(sp.csr_array(weights), seeds, max_iter=1)[1:] == (1, False)
    assert llgc(sp.csr_array(weights), seeds, 0.9, max_iter=1)[1:] == (1, False)
    n_iter = llgc(sp.csr_array(weights), seeds, 0.9)[1]
    for limit in (n_iter - 1, n_iter):
        found = llgc(sp.csr_array(weights), seeds, 0.9, max_iter=limit)
        assert found[1:] == (limit, limit == n_iter)
