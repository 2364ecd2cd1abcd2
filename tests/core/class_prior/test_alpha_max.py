"""Specification E6; the likelihood beside a general-purpose optimiser."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from core.class_prior.alpha_max import alpha_max_prior, elbow, largest_likelihoods


def test_likelihood_is_flat_up_to_the_prior_of_separate_classes():
    p, w = np.array([1.0, 0]), np.array([0.3, 0.7])
    entropy = 0.3 * np.log(0.3) + 0.7 * np.log(0.7)
    # At 0.4 the first bin is all positive, the rest of the positives is in the second.
    beyond = np.log(0.3 / 0.4) + 0.3 * np.log(0.4) + 0.7 * np.log(0.6)
    found = largest_likelihoods(p, w, np.array([0.1, 0.3, 0.4]))
    assert_allclose(found, [entropy, entropy, beyond], atol=1e-6)


@pytest.mark.parametrize("class_prior", [0.1, 0.35, 0.8])
def test_likelihood_is_that_of_a_general_optimiser(class_prior):
    random = np.random.default_rng(0)
    p, w = random.dirichlet(np.ones(6)), random.dirichlet(np.ones(6))

    def loss(beta):
        rest = class_prior * p + (1 - beta) * w
        return -(p @ np.log(beta * w / class_prior) + w @ np.log(rest))

    constraint = {"type": "eq", "fun": lambda beta: beta @ w - class_prior}
    found = minimize(
        loss,
        np.full(6, class_prior),
        bounds=[(1e-6, 1)] * 6,
        constraints=constraint,
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert_allclose(largest_likelihoods(p, w, np.array([class_prior])), -found.fun, atol=1e-5)


@pytest.mark.parametrize("bend", [2, 20, 60])
def test_elbow_is_where_a_flat_curve_starts_to_fall(bend):
    assert elbow(-np.maximum(0.0, np.arange(99) - bend)) == bend


def test_no_share_is_found_where_no_unlabeled_sample_looks_positive():
    """Without a positive the likelihood is log(1 - prior), which bends nowhere but at its end."""
    assert elbow(-3 + np.log1p(-np.arange(1, 100) / 100)) == 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        unlabeled, positive = random.beta(2, 20, 1000), random.beta(20, 2, 300)
        assert alpha_max_prior(positive, unlabeled) == 0.01


@pytest.mark.parametrize("noise", [0, 1e-14])
def test_flat_curve_bends_nowhere_whatever_its_rounding_errors(noise):
    curve = -3 + noise * np.random.default_rng(0).normal(size=99)
    assert elbow(curve) == 98


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_hidden_share_is_found_where_the_classes_are_apart(share):
    random = np.random.default_rng(1)
    n_hidden = round(share * 2000)
    unlabeled = np.append(random.beta(20, 2, n_hidden), random.beta(2, 20, 2000 - n_hidden))
    assert alpha_max_prior(random.beta(20, 2, 300), unlabeled) == pytest.approx(share, abs=0.07)
