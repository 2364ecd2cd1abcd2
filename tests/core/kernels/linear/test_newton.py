import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.optimize import check_grad

from core.kernels.linear.newton import LinearObjective, minimize

RANDOM = np.random.default_rng(0)
X = sp.csr_array(RANDOM.normal(size=(30, 4)))
TARGETS = RANDOM.normal(size=30)
WEIGHTS = RANDOM.integers(0, 3, size=30).astype(float)
PENALTY = np.array([1.0, 2, 3, 4, 0])


class Squares(LinearObjective):
    def _risks(self, scores):
        return (scores - TARGETS) ** 2 / 2

    def _slopes(self, scores):
        return scores - TARGETS

    def _bends(self, scores):
        return np.ones_like(scores)


@pytest.fixture
def squares():
    return Squares(X, WEIGHTS, PENALTY)


def test_squares_are_least_where_the_normal_equations_hold(squares):
    Phi = np.column_stack([X.toarray(), np.ones(30)])
    normal = Phi.T @ (WEIGHTS[:, None] * Phi) + np.diag(PENALTY)
    expected = np.linalg.solve(normal, Phi.T @ (WEIGHTS * TARGETS))
    parameters, is_converged = minimize(squares, np.ones(5), tol=1e-10, max_iter=50)
    assert is_converged
    assert_allclose(parameters, expected, atol=1e-8)


def test_derivatives_are_those_of_the_loss(squares):
    def loss(parameters):
        return squares.loss(parameters, squares.scores(parameters))

    def gradient(parameters):
        return squares.gradient(parameters, squares.scores(parameters))

    start, step = np.arange(5.0), np.array([1.0, -1, 2, 0, 1])
    assert check_grad(loss, gradient, start) < 1e-5
    curved = squares.curvature(squares.scores(start))(step)
    assert_allclose(curved, gradient(start + step) - gradient(start), atol=1e-10)


def test_too_few_steps_are_told_of(squares):
    assert not minimize(squares, np.zeros(5), tol=1e-12, max_iter=1)[1]
