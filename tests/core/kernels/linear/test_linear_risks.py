import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from core.kernels.linear.linear_risks import minimize_quadratic_risk, minimize_risk
from core.progress import listening

RANDOM = np.random.default_rng(0)
X = sp.csr_array(RANDOM.random((30, 5)) * (RANDOM.random((30, 5)) < 0.6))
TARGET = RANDOM.normal(size=30)


def squared_distance(g):
    return np.mean((g - TARGET) ** 2) / 4, (g - TARGET) / 2 / len(g)


def test_risk_of_labels_gives_the_regression_of_scikit_learn():
    signs = np.where(TARGET > 0, 1, -1)

    def risk(g):
        slopes = -signs / (1 + np.exp(signs * g)) / len(g)
        return np.logaddexp(0, -signs * g).mean(), slopes

    with_ones = np.column_stack([X.toarray(), np.ones(30)])
    reference = LogisticRegression(C=2.0, fit_intercept=False, tol=1e-10).fit(with_ones, signs)
    # C sum + |w|²/2, over 30 C.
    w, _, is_converged = minimize_risk(X, risk, l2=1 / 120, tol=1e-8)
    assert is_converged
    assert_allclose(w, reference.coef_[0], atol=1e-5)


def test_linear_system_gives_the_same_as_descent():
    by_descent, *_ = minimize_risk(X, squared_distance, l2=0.01, tol=1e-10)
    by_system, _, is_converged = minimize_quadratic_risk(X, squared_distance, l2=0.01)
    assert is_converged
    assert_allclose(by_system, by_descent, atol=1e-6)


@pytest.mark.parametrize("solve", [minimize_risk, minimize_quadratic_risk])
def test_the_number_of_threads_is_irrelevant(solve):
    rng = np.random.default_rng(0)
    wide, target = (
        sp.random_array((200, 40_000), density=0.001, rng=rng).tocsr(),
        rng.normal(size=200),
    )

    def risk(g):
        return np.mean((g - target) ** 2) / 4, (g - target) / 2 / len(g)

    with threadpool_limits(1):
        expected = solve(wide, risk, l2=0.001)[0]
    with threadpool_limits(2):
        assert_array_equal(solve(wide, risk, l2=0.001)[0], expected)


@pytest.mark.parametrize("solve", [minimize_risk, minimize_quadratic_risk])
def test_too_few_steps_are_told(solve):
    _, n_iter, is_converged = solve(X, squared_distance, l2=0.01, max_iter=1)
    assert n_iter == 1
    assert not is_converged


@pytest.mark.parametrize("solve", [minimize_risk, minimize_quadratic_risk])
def test_progress_is_reported(solve):
    reports = []
    with listening(lambda *report: reports.append(report)):
        solve(X, squared_distance, l2=0.01, max_iter=50)
    assert reports[0] == ("minimise", 1 / 50)
