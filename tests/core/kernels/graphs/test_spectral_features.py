import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import normalized_mutual_info_score

from core.kernels.graphs import spectral_features
from core.kernels.graphs.spectral_features import graph_roughness, side_information

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 6)) * (RNG.random((30, 6)) < 0.6)
W = RNG.random((30, 30)) * (RNG.random((30, 30)) < 0.2)
W = np.triu(W, 1) + np.triu(W, 1).T

# Four points on a line and noise, the two on the left and the two on the right joined.
LINE = sp.csr_array([[0.0, 0], [1, 1], [10, 0], [11, 1]])
PAIRS = sp.csr_array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])


def test_worked_example():
    roughness, means = graph_roughness(LINE, PAIRS)
    assert_allclose(roughness, [2 / 101, 2])
    agreement = side_information(LINE[[0, 3]], means, np.array([False, True]))
    assert_allclose(agreement, [1, 1])
    assert_allclose(0.1 * roughness + 0.9 * (1 - agreement), [0.0019802, 0.2], atol=1e-6)


def test_roughness_written_out():
    roughness, means = graph_roughness(sp.csr_array(X), sp.csr_array(W))
    degrees = W.sum(axis=1)
    assert_allclose(means, degrees @ X / degrees.sum())
    for f, mean, actual in zip(X.T, means, roughness, strict=True):
        g = f - mean
        differences = (W * (g[:, None] - g) ** 2).sum()
        assert_allclose(actual, differences / (2 * degrees @ g**2))


def test_blocks_change_nothing(monkeypatch):
    expected = graph_roughness(sp.csr_array(X), sp.csr_array(W))[0]
    monkeypatch.setattr(spectral_features, "BLOCK_SIZE", 7)
    assert_allclose(graph_roughness(sp.csr_array(X), sp.csr_array(W))[0], expected)


def test_shift_and_scale_do_not_matter():
    moved = sp.csr_array(5 - 3 * X)
    expected, means = graph_roughness(sp.csr_array(X), sp.csr_array(W))
    actual, moved_means = graph_roughness(moved, sp.csr_array(W))
    assert_allclose(actual, expected)
    assert_allclose(moved_means, 5 - 3 * means)


def test_constant_features_and_graphs_without_edges_are_as_rough_as_can_be():
    ones = sp.csr_array(np.ones((30, 1)))
    assert graph_roughness(ones, sp.csr_array(W))[0].tolist() == [2]
    assert graph_roughness(ones, sp.csr_array((30, 30)))[0].tolist() == [2]


def test_agreement_is_the_normalised_information_of_scikit_learn():
    is_positive = RNG.random(30) < 0.4
    means = RNG.normal(scale=0.3, size=6)
    means[:3] = X[0, :3]  # a value at the mean is not above it
    expected = [
        normalized_mutual_info_score(is_positive, f > mean, average_method="max")
        for f, mean in zip(X.T, means, strict=True)
    ]
    assert_allclose(side_information(sp.csr_array(X), means, is_positive), expected, atol=1e-12)


def test_one_class_or_one_side_agrees_with_nothing():
    X = sp.csr_array([[1.0, 0], [1, 1]])
    assert side_information(X, np.array([0.5, 0.5]), np.array([True, True])).tolist() == [0, 0]
    assert side_information(X, np.array([0.5, 5]), np.array([True, False])).tolist() == [0, 0]
