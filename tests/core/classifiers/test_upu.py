"""Specification D4."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize

from core.classifiers.upu import UPU
from core.datasets import make_pu_data
from core.kernels.linear.pu_risks import LOSSES, Groups, pu_risk

COUNTS, Y, Y_TRUE = make_pu_data(120, 40, random_state=0)
X = normalize(COUNTS)
IS_NEGATIVE = (Y_TRUE == 0) & (np.arange(120) % 5 == 0)
PHI = np.column_stack([X.toarray(), np.ones(120)])


def weights(classifier):
    return np.append(classifier.coef_, classifier.intercept_)


def test_closed_form_solves_its_normal_equations():
    classifier = UPU(class_prior=0.2, alpha=0.05, tol=1e-10).fit(X, Y)
    phi_p, phi_u = PHI[Y == 1], PHI[Y == 0]
    left = phi_u.T @ phi_u / len(phi_u) + 0.05 * np.eye(41)
    right = 2 * 0.2 * phi_p.mean(axis=0) - phi_u.mean(axis=0)
    assert_allclose(left @ weights(classifier), right, atol=1e-8)
    assert_allclose(weights(classifier), np.linalg.solve(left, right), atol=1e-6)


@pytest.mark.parametrize("is_negative", [None, IS_NEGATIVE])
@pytest.mark.parametrize("loss", ["squared", "logistic", "sigmoid"])
def test_gradient_of_the_penalised_risk_vanishes(loss, is_negative):
    classifier = UPU(class_prior=0.2, loss=loss, alpha=0.05, tol=1e-8)
    classifier.fit(X, Y, is_negative=is_negative)
    judged = np.zeros(120, dtype=bool) if is_negative is None else is_negative
    groups = Groups(Y == 1, (Y == 0) & ~judged, judged)
    w = weights(classifier)
    value, slopes, _ = pu_risk(PHI @ w, groups, 0.2, LOSSES[loss])
    assert_allclose(PHI.T @ slopes + 0.05 / 2 * w, 0, atol=1e-6)
    assert_allclose(classifier.report_["risk"], value)


def test_double_hinge_reaches_the_least_risk():
    """No worse than any of many small steps away."""
    classifier = UPU(class_prior=0.2, loss="double_hinge", alpha=0.05).fit(X, Y)
    groups = Groups(Y == 1, Y == 0, np.zeros(120, dtype=bool))

    def objective(w):
        return pu_risk(PHI @ w, groups, 0.2, LOSSES["double_hinge"])[0] + 0.05 / 4 * (w @ w)

    least = objective(weights(classifier))
    steps = np.random.default_rng(0).normal(size=(500, 41))
    for size in (0.3, 0.03):
        assert min(objective(weights(classifier) + size * step) for step in steps) > least - 1e-6


def test_unit_of_the_features_is_irrelevant():
    expected = UPU(class_prior=0.2).fit(X, Y).score_samples(X)
    assert_allclose(UPU(class_prior=0.2).fit(X * 50, Y).score_samples(X * 50), expected)


def test_a_greater_prior_accepts_more():
    shares = [
        UPU(class_prior=prior, cut="zero").fit(X, Y).predict(X).mean()
        for prior in (0.05, 0.3, 0.6, 0.95)
    ]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_judged_negatives_lower_the_scores_of_their_like():
    is_like = (Y_TRUE == 0) & ~IS_NEGATIVE
    without = UPU(class_prior=0.2).fit(X, Y)
    with_judged = UPU(class_prior=0.2).fit(X, Y, is_negative=IS_NEGATIVE)
    assert with_judged.score_samples(X)[is_like].mean() < without.score_samples(X)[is_like].mean()


def test_probabilities_come_with_the_logistic_loss_only():
    classifier = UPU(loss="logistic").fit(X, Y)
    assert_allclose(classifier.predict_proba(X)[:, 1], expit(classifier.score_samples(X)))
    assert not hasattr(UPU(), "predict_proba")


def test_report_tells_the_prior_and_whether_the_solver_converged():
    report = UPU(class_prior=0.2).fit(X, Y).report_
    assert (report["class_prior"], report["class_prior_source"]) == (0.2, "given")
    assert report["converged"]
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        stopped = UPU(max_iter=1).fit(sp.csr_array(X), Y).report_
    assert stopped["class_prior_source"] == "cross_fitted_ranks"
    assert "not_converged" in stopped["flags"]
