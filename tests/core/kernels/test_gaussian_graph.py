import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.preprocessing import minmax_scale

from core.kernels.gaussian_graph import gaussian_graph, unit_range

RNG = np.random.default_rng(0)


def test_full_columns_are_scaled_as_by_scikit_learn():
    X = RNG.normal(1e6, 3, size=(20, 4))
    assert_allclose(unit_range(sp.csr_array(X)).toarray(), minmax_scale(X))


def test_columns_with_zeros_keep_them():
    X = RNG.normal(size=(30, 3)) * (RNG.random((30, 3)) < 0.4)
    scaled = unit_range(sp.csr_array(X))
    assert scaled.nnz == np.count_nonzero(X)
    assert_allclose(np.ptp(scaled.toarray(), axis=0), 1)
    assert_allclose(scaled.toarray(), X / np.ptp(X, axis=0))


def test_weights_written_out():
    X = RNG.random((12, 3))
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    is_listed = squares.argsort(axis=1).argsort(axis=1) < 2
    expected = np.exp(-squares / (2 * squares[is_listed].mean())) * (is_listed | is_listed.T)
    assert_allclose(gaussian_graph(X, 2).toarray(), expected)


def test_sparse_rows_have_the_graph_of_dense_ones():
    X = RNG.random((40, 30)) * (RNG.random((40, 30)) < 0.2)
    assert_allclose(gaussian_graph(sp.csr_array(X), 3).toarray(), gaussian_graph(X, 3).toarray())


def test_equal_rows_are_joined_with_weight_one():
    graph = gaussian_graph(np.ones((3, 2)), 5)
    assert_allclose(graph.toarray(), 1 - np.eye(3))
