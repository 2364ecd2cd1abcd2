"""Specification D8."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.special import expit

from core.kernels.linear.propensity import fit_propensity_weighted, propensity_targets
from core.kernels.linear.soft_logistic import fit_soft_logistic

RANDOM = np.random.default_rng(0)
VALUES = RANDOM.normal(size=(80, 6))
IS_POSITIVE = RANDOM.random(80) < expit(2 * VALUES[:, 0] - 0.5)
IS_LABELED = IS_POSITIVE & (RANDOM.random(80) < 0.5)


def risks(parameters, propensity):
    """Return the risks of positives and negatives, added up."""
    scores = VALUES @ parameters[:-1] + parameters[-1]
    counts = IS_LABELED / propensity
    return counts @ np.logaddexp(0, -scores), (1 - counts) @ np.logaddexp(0, scores)


def test_a_labeled_row_is_four_positives_and_three_negatives_less():
    target = propensity_targets(np.array([True, False]), 0.25)
    assert_array_equal(target, [4, 0])
    assert_array_equal(1 - target, [-3, 1])


def test_propensities_are_cut_off_below():
    assert_allclose(propensity_targets(np.array([True]), 0.001), [20])


def test_certain_labels_give_the_naive_regression():
    X = sp.csr_array(VALUES)
    coef, intercept = fit_propensity_weighted(X, IS_LABELED, 1.0)
    expected = fit_soft_logistic(X, IS_LABELED)
    assert_array_equal(coef, expected[0])
    assert intercept == expected[1]


@pytest.mark.parametrize("C", [0.1, 1000])
def test_the_risk_is_the_least_there_is(C):
    coef, intercept = fit_propensity_weighted(sp.csr_array(VALUES), IS_LABELED, 0.45, C=C)

    def objective(parameters):
        positive, negative = risks(parameters, 0.45)
        return C * (positive + max(0, negative)) + parameters[:-1] @ parameters[:-1] / 2

    found = objective(np.append(coef, intercept))
    start = np.append(coef, intercept) + 0.01 * RANDOM.normal(size=7)
    options = {"maxiter": 20_000, "maxfev": 20_000, "xatol": 1e-9, "fatol": 1e-9}
    best = minimize(objective, start, method="Nelder-Mead", options=options)
    assert found <= best.fun * (1 + 1e-5)


def test_the_risk_of_negatives_does_not_fall_below_zero():
    X = sp.csr_array(np.hstack([VALUES, np.eye(80)]))
    coef, intercept = fit_propensity_weighted(X, IS_LABELED, 0.45, C=10)
    counts = IS_LABELED / 0.45
    negative = (1 - counts) @ np.logaddexp(0, X @ coef + intercept)
    assert abs(negative) < 1e-3
    free_coef, free_intercept = fit_soft_logistic(X, counts, C=10)
    assert (1 - counts) @ np.logaddexp(0, X @ free_coef + free_intercept) < -1


def test_propensities_that_make_too_many_positives_are_raised():
    coef, intercept = fit_propensity_weighted(sp.csr_array(VALUES), IS_LABELED, 0.05)
    assert np.isfinite([*coef, intercept]).all()
