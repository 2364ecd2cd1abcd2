"""Specification of feature selection, section 3.8: against a textbook implementation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from core.kernels.clusters.gaussian_mixture import REGULARISATION, _inverted, mixture_log_densities


def slow_log_densities(X, weights, memberships, covariance, n_iter):
    """Rows one a line, densities by scipy, all in float64."""
    densities = slow_step(X, weights, memberships, covariance)
    for _ in range(n_iter - 1):
        memberships = np.exp(densities - logsumexp(densities, axis=0))
        densities = slow_step(X, weights, memberships, covariance)
    return densities + X.shape[1] / 2 * np.log(2 * np.pi)


def slow_step(X, weights, memberships, covariance):
    densities = []
    for member in memberships * weights:
        mean = np.average(X, axis=0, weights=member)
        matrix = (X - mean).T @ ((X - mean) * member[:, None]) / member.sum()
        matrix += REGULARISATION[0] * np.eye(X.shape[1])
        if covariance == "diagonal":
            matrix = np.diag(np.diag(matrix))
        share = member.sum() / weights.sum()
        densities.append(np.log(share) + multivariate_normal(mean, matrix).logpdf(X))
    return np.array(densities)


def mean_log_likelihood(densities, weights):
    return np.average(logsumexp(densities.astype(np.float64), axis=0), weights=weights)


@pytest.mark.parametrize("n_iter", [1, 4])
@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_result_is_that_of_the_textbook(covariance, n_iter):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 6)) * 0.15 + rng.uniform(-0.3, 0.3, size=(4, 6))[np.arange(600) % 4]
    X[:, 1] += X[:, 0]
    weights, memberships = rng.uniform(1, 4, 600), rng.dirichlet(np.full(4, 0.2), 600).T
    expected = slow_log_densities(X, weights, memberships, covariance, n_iter)
    actual = mixture_log_densities(
        X.T.astype(np.float32), weights, memberships, covariance=covariance, n_iter=n_iter
    )
    assert_allclose(
        mean_log_likelihood(actual, weights), mean_log_likelihood(expected, weights), atol=1e-4
    )
    assert (actual.argmax(axis=0) == expected.argmax(axis=0)).mean() > 0.999


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_steps_raise_the_likelihood(covariance):
    rng = np.random.default_rng(1)
    X = rng.normal(scale=0.2, size=(5, 500)).astype(np.float32)
    weights, memberships = np.ones(500), rng.dirichlet(np.ones(3), 500).T
    values = [
        mean_log_likelihood(
            mixture_log_densities(X, weights, memberships, covariance=covariance, n_iter=n), weights
        )
        for n in range(1, 9)
    ]
    assert (np.diff(values) > -1e-5).all()


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_collapsed_and_empty_components_stay_finite(covariance):
    rng = np.random.default_rng(2)
    # Mostly zeros, a copy of a column, a constant; a component with one row, another with none.
    X = rng.random((4, 200), dtype=np.float32) * (rng.random((4, 200)) < 0.1)
    X = np.concatenate([X, X[:1], np.zeros((1, 200), dtype=np.float32)])
    memberships = np.zeros((4, 200))
    memberships[0] = memberships[1] = 0.5
    memberships[2, 0] = 1
    densities = mixture_log_densities(X, np.ones(200), memberships, covariance=covariance)
    assert np.isfinite(densities).all()


def test_of_what_rounding_left_no_covariance_the_diagonal_is_inverted():
    inverses, log_determinants = _inverted(np.array([[[4.0, 6], [6, 4]], [[1, 0], [0, 9]]]))
    amount = REGULARISATION[-1]
    assert_allclose(inverses[0], np.eye(2) / (4 + amount))
    assert_allclose(inverses[1], np.diag([1 / (1 + amount), 1 / (9 + amount)]))
    expected = [2 * np.log(4 + amount), np.log(1 + amount) + np.log(9 + amount)]
    assert_allclose(log_determinants, expected)


def test_diagonal_covariances_see_no_correlation():
    line = np.linspace(-0.5, 0.5, 100, dtype=np.float32)
    cross = np.array([np.r_[line, line], np.r_[line, -line]])
    memberships = np.repeat(np.eye(2), 100, axis=1) * 0.8 + 0.1
    full = mixture_log_densities(cross, np.ones(200), memberships)
    assert (full.argmax(axis=0) == np.repeat([0, 1], 100)).mean() > 0.95
    diagonal = mixture_log_densities(cross, np.ones(200), memberships, covariance="diagonal")
    assert_allclose(diagonal[0, :100] - diagonal[1, :100], np.log(1), atol=1e-3)
    assert_array_equal(diagonal.shape, (2, 200))
