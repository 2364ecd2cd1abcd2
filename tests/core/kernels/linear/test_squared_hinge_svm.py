import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from core.kernels.linear.squared_hinge_svm import fit_svm


def data(n_samples=40, n_features=5):
    random = np.random.default_rng(0)
    X = random.normal(size=(n_samples, n_features))
    is_positive = X @ np.arange(n_features) + random.normal(size=n_samples) > 2
    return sp.csr_array(X), is_positive, random.integers(1, 4, size=n_samples)


def test_svm_solves_its_normal_equations():
    X, is_positive, weight = data()
    coef, intercept = fit_svm(X, is_positive, weight, C=0.5, tol=1e-10)
    sign = np.where(is_positive, 1, -1)
    slack = 0.5 * weight * np.maximum(0, 1 - sign * (X @ coef + intercept)) * sign
    assert_allclose(coef, 2 * X.T @ slack, atol=1e-6)
    assert_allclose(intercept, 2 * slack.sum(), atol=1e-6)


def test_the_optimum_is_that_of_liblinear():
    X, is_positive, weight = data()
    expected = LinearSVC(C=0.5, dual=False, tol=1e-10).fit(X, is_positive, weight)
    coef, intercept = fit_svm(X, is_positive, weight, C=0.5, tol=1e-10)
    assert_allclose(coef, expected.coef_[0], atol=1e-6)
    assert_allclose(intercept, expected.intercept_[0], atol=1e-6)


def test_where_it_stops_by_default_is_as_near_the_optimum_as_the_gradient_tells():
    X, is_positive, weight = data()
    expected = LinearSVC(C=0.5, dual=False, tol=1e-10).fit(X, is_positive, weight)
    coef, intercept = fit_svm(X, is_positive, weight, C=0.5)
    # The penalty alone bends the objective by 1 / (C * total weight).
    length_of_gradient = 1e-6 * np.sqrt(len(coef) + 1)
    difference = np.append(coef - expected.coef_[0], intercept - expected.intercept_[0])
    assert np.linalg.norm(difference) <= 0.5 * weight.sum() * length_of_gradient + 1e-7


def test_where_the_search_starts_does_not_matter():
    X, is_positive, weight = data()
    expected = fit_svm(X, is_positive, weight, tol=1e-10)
    actual = fit_svm(X, is_positive, weight, tol=1e-10, start=(np.arange(5.0), -3.0))
    assert_allclose(actual[0], expected[0], atol=1e-7)
    assert_allclose(actual[1], expected[1], atol=1e-7)


def test_rows_without_weight_are_left_out():
    X, is_positive, _ = data()
    is_used = np.arange(len(is_positive)) % 3 > 0
    expected = fit_svm(X[is_used], is_positive[is_used], tol=1e-10)
    coef, intercept = fit_svm(X, is_positive, is_used, tol=1e-10)
    assert_allclose(coef, expected[0], atol=1e-9)
    assert_allclose(intercept, expected[1], atol=1e-9)


def test_too_few_steps_are_told_of():
    X, is_positive, _ = data()
    with pytest.warns(ConvergenceWarning, match="1 steps"):
        fit_svm(X, is_positive, max_iter=1)


def test_weight_is_the_number_of_copies():
    X, is_positive, weight = data()
    copies = np.repeat(np.arange(len(weight)), weight)
    weighted = fit_svm(X, is_positive, weight, tol=1e-10)
    repeated = fit_svm(X[copies], is_positive[copies], tol=1e-10)
    assert_allclose(weighted[0], repeated[0], atol=1e-6)
    assert_allclose(weighted[1], repeated[1], atol=1e-6)


def test_more_features_than_samples_give_the_same_optimum():
    X, is_positive, _ = data(n_samples=20, n_features=50)
    coef, intercept = fit_svm(X, is_positive, tol=1e-10)
    sign = np.where(is_positive, 1, -1)
    slack = np.maximum(0, 1 - sign * (X @ coef + intercept)) * sign
    assert_allclose(coef, 2 * X.T @ slack, atol=1e-6)
