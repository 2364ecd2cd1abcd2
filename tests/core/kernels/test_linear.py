import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from core.kernels.linear import balanced_weights, fit_svm


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


def test_weight_is_the_number_of_copies():
    X, is_positive, weight = data()
    copies = np.repeat(np.arange(len(weight)), weight)
    weighted = fit_svm(X, is_positive, weight, tol=1e-10)
    repeated = fit_svm(X[copies], is_positive[copies], tol=1e-10)
    assert_allclose(weighted[0], repeated[0], atol=1e-6)
    assert_allclose(weighted[1], repeated[1], atol=1e-6)


def test_more_features_than_samples_give_the_same_optimum():
    X, is_positive, _ = data(n_samples=20, n_features=50)
    coef, intercept = fit_svm(X, is_positive, tol=1e-10, random_state=0)
    sign = np.where(is_positive, 1, -1)
    slack = np.maximum(0, 1 - sign * (X @ coef + intercept)) * sign
    assert_allclose(coef, 2 * X.T @ slack, atol=1e-6)


def test_features_of_very_different_sizes_are_named_where_it_does_not_settle():
    X, is_positive, weight = data()
    X = sp.csr_array(X.toarray() + np.array([1e4, 0, 0, 0, 0]))
    with pytest.warns(ConvergenceWarning, match="scale the features"):
        fit_svm(X, is_positive, weight, C=1e4, loss="hinge", random_state=0)


def test_balanced_classes_have_equal_totals():
    is_positive = np.arange(10) < 3
    weight = balanced_weights(is_positive)
    assert_allclose([weight[is_positive].sum(), weight[~is_positive].sum()], [5, 5])
