"""Specification E3; the distance beside a general-purpose optimiser."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import logit

from core.class_prior.kernel_mean import BANDWIDTHS, kernel_mean_prior, kernel_means


def samples(n_positive, n_unlabeled):
    random = np.random.default_rng(0)
    unlabeled = np.append(
        random.normal(2, size=n_unlabeled // 3), random.normal(-2, size=n_unlabeled)
    )
    return random.normal(2, size=(n_positive, 1)), unlabeled[:n_unlabeled, None]


def test_means_are_farthest_apart_of_all_bandwidths():
    positive, unlabeled = samples(5, 9)
    everything = np.concatenate([positive, unlabeled])
    squares = (everything - everything.T) ** 2
    contrast = np.append(np.full(5, -1 / 5), np.full(9, 1 / 9))
    gaps = [
        np.sqrt(
            contrast @ np.exp(-squares / (2 * (b * np.median(np.sqrt(squares))) ** 2)) @ contrast
        )
        for b in BANDWIDTHS
    ]
    assert_allclose(kernel_means(positive, unlabeled).gap, max(gaps), rtol=1e-6)


@pytest.mark.parametrize("factor", [1.0, 1.5, 3.0])
def test_distance_is_that_of_a_general_optimiser(factor):
    means = kernel_means(*samples(4, 6))
    target = factor * means.unlabeled + (1 - factor) * means.positive
    found = minimize(
        lambda v: np.sum((means.points @ v - target) ** 2),
        np.full(10, 0.1),
        bounds=[(0, 1)] * 10,
        constraints={"type": "eq", "fun": lambda v: v.sum() - 1},
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert_allclose(means.distance(factor), np.sqrt(found.fun), atol=1e-4)


def slow_prior(positive, unlabeled, variant):
    """Return the class prior where the slope of the distance passes the threshold."""
    means = kernel_means(positive, unlabeled)

    def slope(factor, step=0.02):
        return (means.distance(factor + step) - means.distance(factor)) / step

    threshold = 1 / np.sqrt(min(len(positive), len(unlabeled)))
    if variant == "KM2" or threshold / means.gap > 0.9:
        threshold = 0.8 * slope(1, 0.05) + 0.2 * means.gap
    # The distance is convex: its slope only grows.
    factors = np.arange(1, 8, 0.01)
    steep = next(factor for factor in factors if slope(factor) > threshold)
    return 1 - 1 / steep


@pytest.mark.parametrize("variant", ["KM1", "KM2"])
@pytest.mark.parametrize(("n_positive", "n_unlabeled"), [(3, 40), (20, 60)])
def test_prior_is_where_the_slope_passes_the_threshold(n_positive, n_unlabeled, variant):
    random = np.random.default_rng(0)
    positive = np.clip(random.beta(8, 2, n_positive), 1 / 80, 1 - 1 / 80)
    hidden, negative = random.beta(8, 2, n_unlabeled // 3), random.beta(2, 8, n_unlabeled)
    unlabeled = np.append(hidden, negative)[:n_unlabeled]
    unlabeled = np.clip(unlabeled, 1 / 80, 1 - 1 / 80)
    expected = slow_prior(logit(positive)[:, None], logit(unlabeled)[:, None], variant)
    assert kernel_mean_prior(positive, unlabeled, variant=variant) == pytest.approx(
        expected, abs=0.01
    )


@pytest.mark.parametrize("variant", ["KM1", "KM2"])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_hidden_share_is_found_where_the_classes_are_apart(share, variant):
    random = np.random.default_rng(1)
    n_hidden = round(share * 2000)
    unlabeled = np.append(random.beta(20, 2, n_hidden), random.beta(2, 20, 2000 - n_hidden))
    prior = kernel_mean_prior(random.beta(20, 2, 300), unlabeled, variant=variant)
    assert prior == pytest.approx(share, abs=0.1)


def test_a_variant_that_is_none_is_refused():
    with pytest.raises(ValueError, match="'variant' parameter of kernel_mean_prior"):
        kernel_mean_prior(np.array([0.9, 0.8]), np.array([0.1, 0.9]), variant="km1")
