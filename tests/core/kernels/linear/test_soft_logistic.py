import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from core.kernels.linear.soft_logistic import fit_soft_logistic

RANDOM = np.random.default_rng(0)
X = sp.csr_array(RANDOM.normal(size=(60, 5)) * (RANDOM.random((60, 5)) < 0.6))
HARD = RANDOM.random(60) < expit(X.toarray().sum(axis=1))
SOFT = RANDOM.random(60)
WEIGHTS = RANDOM.random(60) + 0.1


def gradient(coef, intercept, targets, weights, C):
    """Return the slopes of the objective as its docstring has it."""
    slopes = C * weights * (expit(X @ coef + intercept) - targets)
    return np.append(X.T @ slopes + coef, slopes.sum())


@pytest.mark.parametrize("C", [0.01, 1, 100])
def test_hard_labels_give_what_scikit_learn_gives(C):
    expected = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(X, HARD, WEIGHTS)
    coef, intercept = fit_soft_logistic(X, HARD, WEIGHTS, C=C, tol=1e-10)
    assert_allclose(coef, expected.coef_[0], atol=1e-6)
    assert_allclose(intercept, expected.intercept_[0], atol=1e-6)


def test_a_soft_label_counts_as_two_rows():
    doubled = sp.vstack([X, X], format="csr")
    labels = np.repeat([True, False], 60)
    expected = fit_soft_logistic(doubled, labels, np.append(SOFT, 1 - SOFT), tol=1e-10)
    coef, intercept = fit_soft_logistic(X, SOFT, tol=1e-10)
    assert_allclose(coef, expected[0], atol=1e-7)
    assert_allclose(intercept, expected[1], atol=1e-7)


@pytest.mark.parametrize("targets", [HARD, SOFT, np.where(HARD, 1.4, 0)])
def test_the_gradient_vanishes(targets):
    model = fit_soft_logistic(X, targets, WEIGHTS, C=3, tol=1e-10)
    assert_allclose(gradient(*model, targets, WEIGHTS, 3), 0, atol=1e-6)


def test_where_the_search_starts_does_not_matter():
    expected = fit_soft_logistic(X, SOFT, tol=1e-10)
    start = (np.array([3.0, -2, 1, 5, -4]), 2.0)
    coef, intercept = fit_soft_logistic(X, SOFT, start=start, tol=1e-10)
    assert_allclose(coef, expected[0], atol=1e-7)
    assert_allclose(intercept, expected[1], atol=1e-7)


def test_columns_without_entries_have_no_weight():
    wide = sp.hstack([sp.csr_array((60, 2)), X, sp.csr_array((60, 1))], format="csr")
    coef, intercept = fit_soft_logistic(wide, HARD)
    expected = fit_soft_logistic(X, HARD)
    assert_array_equal(coef, [0, 0, *expected[0], 0])
    assert intercept == expected[1]


def test_rows_without_weight_do_not_matter():
    weights = np.append(np.zeros(10), np.ones(50))
    expected = fit_soft_logistic(X[10:], HARD[10:], tol=1e-10)
    coef, intercept = fit_soft_logistic(X, HARD, weights, tol=1e-10)
    assert_allclose(coef, expected[0], atol=1e-7)
    assert_allclose(intercept, expected[1], atol=1e-7)


def test_a_solver_that_gives_up_warns():
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 steps"):
        fit_soft_logistic(X, HARD, max_iter=1)
