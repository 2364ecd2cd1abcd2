import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.kernels.graphs.gaussian_graph import gaussian_graph

RNG = np.random.default_rng(0)


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
