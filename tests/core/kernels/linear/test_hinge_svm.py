import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from core.kernels.linear import hinge_svm
from core.kernels.linear.hinge_svm import fit_hinge_svm


def data(n_samples=150, n_features=8, dtype=np.float64):
    random = np.random.default_rng(0)
    X = sp.random_array((n_samples, n_features), density=0.4, rng=random, format="csr", dtype=dtype)
    is_positive = X.toarray()[:, 0] + random.normal(0, 0.3, n_samples) > 0.2
    return X, is_positive, random.integers(0, 4, n_samples).astype(float)


def objective(X, is_positive, weight, C, coef, intercept):
    signs = np.where(is_positive, 1, -1)
    slack = np.maximum(0, 1 - signs * (X @ coef + intercept))
    return (coef @ coef + intercept**2) / 2 + C * weight @ slack


@pytest.mark.parametrize("C", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("shape", [(150, 8), (20, 60)])
def test_optimum_is_that_of_liblinear(monkeypatch, C, shape):
    monkeypatch.setattr(hinge_svm, "MAX_ITER", 1_000_000)
    X, is_positive, weight = data(*shape)
    coef, intercept = fit_hinge_svm(X, is_positive, weight, C=C, tol=1e-8, random_state=0)
    peer = LinearSVC(C=C, loss="hinge", tol=1e-8, max_iter=1_000_000, random_state=0)
    peer.fit(X, is_positive, sample_weight=weight)
    assert_allclose(coef, peer.coef_[0], atol=1e-5)
    assert_allclose(intercept, peer.intercept_[0], atol=1e-5)


def test_no_small_step_away_is_better():
    X, is_positive, weight = data()
    coef, intercept = fit_hinge_svm(X, is_positive, weight, tol=1e-8, random_state=0)
    least = objective(X, is_positive, weight, 1.0, coef, intercept)
    for step in np.random.default_rng(1).normal(0, 1e-3, size=(50, 9)):
        away = objective(X, is_positive, weight, 1.0, coef + step[:-1], intercept + step[-1])
        assert away >= least - 1e-9


def test_single_precision_and_another_order_give_the_same_optimum():
    X, is_positive, weight = data()
    wide = fit_hinge_svm(X, is_positive, weight, tol=1e-8, random_state=0)
    narrow = fit_hinge_svm(X.astype(np.float32), is_positive, weight, tol=1e-8, random_state=1)
    assert_allclose(wide[0], narrow[0], atol=1e-4)


def test_weight_nothing_is_not_there():
    X, is_positive, weight = data()
    kept = weight > 0
    whole = fit_hinge_svm(X, is_positive, weight, tol=1e-8, random_state=0)
    part = fit_hinge_svm(X[kept], is_positive[kept], weight[kept], tol=1e-8, random_state=0)
    assert_allclose(whole[0], part[0], atol=1e-6)


def test_features_of_very_different_sizes_are_named_where_it_does_not_settle(monkeypatch):
    monkeypatch.setattr(hinge_svm, "MAX_ITER", 50)
    X, is_positive, weight = data()
    X = sp.csr_array(X.toarray() + np.array([1e4, *[0] * 7]))
    with pytest.warns(ConvergenceWarning, match="Scale the features"):
        fit_hinge_svm(X, is_positive, weight, C=1e4, random_state=0)
