"""Specification B6."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from core.classifiers.one_class_svm import OneClassSVM
from core.datasets import make_pu_data


def fitted(X, **parameters):
    return OneClassSVM(pos_label=1, **parameters).fit(X, np.ones(len(X)))


def binary_rows(n_samples=20, n_features=6):
    random = np.random.default_rng(0)
    return (random.random((n_samples, n_features)) < 0.5) + np.eye(n_samples, n_features) > 0


def solve(Z, nu):
    """Solve the dual problem with a general method: shares of the positives."""
    gram = Z @ Z.T
    n = len(Z)
    solution = minimize(
        lambda share: share @ gram @ share / 2,
        np.full(n, 1 / n),
        jac=lambda share: gram @ share,
        bounds=[(0, 1 / (nu * n))] * n,
        constraints={"type": "eq", "fun": lambda share: share.sum() - 1},
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return solution.x


@pytest.mark.parametrize("nu", [0.01, 0.2, 0.5])
def test_plane_solves_the_problem_of_the_paper(nu):
    X = binary_rows().astype(float)
    Z = X / np.linalg.norm(X, axis=1, keepdims=True)
    share = solve(Z, nu)
    classifier = fitted(X, nu=nu)
    assert_allclose(classifier.coef_, Z.T @ share, atol=1e-5)
    if nu > 0.01:
        is_free = (share > 1e-4) & (share < 1 / (nu * len(Z)) - 1e-4)
        assert_allclose(classifier.offset_, (Z @ Z.T @ share)[is_free], atol=1e-4)


def test_hard_margin_of_two_orthogonal_positives_lies_between_them():
    classifier = fitted([[2.0, 0], [0, 3]])
    assert_allclose(classifier.coef_, [0.5, 0.5])
    assert classifier.report_["hard_margin"]
    # A cosine of 0.05 with the normal, whose length is sqrt(0.5).
    assert_allclose(classifier.offset_, 0.05 * 0.5**0.5)


def test_one_seed_is_the_normal():
    classifier = fitted([[3.0, 4]])
    assert_allclose(classifier.coef_, [0.6, 0.8])
    assert_allclose(classifier.score_samples([[1.0, 0], [0, 1]]), [0.6, 0.8])
    assert classifier.offset_ == 0.05


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.6])
def test_nu_bounds_the_outliers(nu):
    X = binary_rows(200).astype(float)
    classifier = fitted(X, nu=nu)
    assert not classifier.report_["hard_margin"]
    assert np.mean(classifier.decision_function(X) < -1e-6) <= nu
    assert np.mean(classifier.decision_function(X) < 1e-6) >= nu


def test_hard_margin_takes_a_quantile_of_left_out_scores():
    X = binary_rows(7).astype(float)
    Z = X / np.linalg.norm(X, axis=1, keepdims=True)
    cosines = []
    for i in range(7):
        others = np.delete(Z, i, axis=0)
        normal = others.T @ solve(others, 0.1)
        cosines.append(Z[i] @ normal / np.linalg.norm(normal))
    classifier = fitted(X)
    length = np.linalg.norm(classifier.coef_)
    assert_allclose(classifier.offset_, length * np.quantile(cosines, 0.05), atol=1e-5)
    assert_allclose(fitted(X, threshold="min").offset_, length * min(cosines), atol=1e-5)


@pytest.mark.parametrize("nu", [0.05, 0.1, 0.5])
def test_stochastic_gradients_come_near_the_exact_plane(nu):
    X = sp.random_array((500, 300), density=0.05, rng=np.random.default_rng(0), format="csr")
    exact, sgd = (
        OneClassSVM(nu=nu, solver=solver, pos_label=1, random_state=0).fit(X, np.ones(500))
        for solver in ("exact", "sgd")
    )
    assert sgd.report_["solver"] == "sgd"
    assert_allclose(sgd.coef_, exact.coef_, atol=0.02)
    assert_allclose(sgd.offset_, exact.offset_, atol=0.01)


def test_number_is_the_cut_itself():
    assert fitted([[2.0, 0], [0, 3]], threshold=0.25).offset_ == 0.25


def test_explanations_add_up_to_the_score():
    X = binary_rows().astype(float)
    classifier = fitted(X)
    assert_allclose(classifier.explain(X).sum(axis=1), classifier.score_samples(X))


def test_no_more_seeds_are_outside_than_nu_allows():
    X, y, _ = make_pu_data(300, 80, class_prior=0.6, random_state=0)
    for nu in (0.05, 0.1, 0.3):
        report = OneClassSVM(nu=nu).fit(X, y).report_
        assert 1 - report["self_recall"] <= nu


def test_equal_rows():
    classifier = fitted(np.ones((6, 3)) / np.sqrt(3))
    assert_allclose(classifier.score_samples(np.ones((1, 3)) / np.sqrt(3)), 1, rtol=1e-6)


def test_draws_of_the_caller_stay_as_they_are():
    state = np.random.get_state()[1].copy()
    OneClassSVM().fit([[1.0, 0], [1, 1], [0, 1]], [1, 1, 0])
    assert (np.random.get_state()[1] == state).all()
