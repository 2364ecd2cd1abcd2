"""Specification D4, D6 and D7; the numbers are those of its toy examples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from scipy.special import logit

from core.kernels.linear.pu_risks import (
    LOSSES,
    Groups,
    distribution_risk,
    negative_share,
    pu_risk,
    sigmoid_loss,
    variational_risk,
)

NOBODY = np.array([], dtype=int)
POSITIVE = np.array([2.0, -1])
SCORES = np.random.default_rng(0).normal(scale=2, size=9)
GROUPS = Groups(np.array([0, 1, 2]), np.array([3, 4, 5, 6]), np.array([7, 8]))


def toy_risk(g_unlabeled, loss, **options):
    g = np.concatenate([POSITIVE, g_unlabeled])
    return pu_risk(g, Groups(np.arange(2), np.arange(2, 5), NOBODY), 0.4, LOSSES[loss], **options)


def test_parts_of_the_risk_are_those_of_the_toy_example():
    assert_allclose(sigmoid_loss(POSITIVE)[0].mean(), 0.425131, atol=1e-6)
    assert_allclose(sigmoid_loss(-POSITIVE)[0].mean(), 0.574869, atol=1e-6)
    assert_allclose(sigmoid_loss(-np.array([1, -2, 0.5]))[0].mean(), 0.490907, atol=1e-6)
    assert_allclose(sigmoid_loss(-np.array([-3, -4, -3]))[0].mean(), 0.037613, atol=1e-6)
    for g_unlabeled, risk_of_negatives in (([1, -2, 0.5], 0.260959), ([-3, -4, -3], -0.192335)):
        rest = toy_risk(g_unlabeled, "sigmoid")[0] - 0.4 * 0.425131
        assert_allclose(rest, risk_of_negatives, atol=1e-6)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [("sigmoid", 0.431012), ("logistic", 0.604756), ("double_hinge", 0.383333)],
)
def test_unbiased_risk_is_that_of_the_toy_example(loss, expected):
    assert_allclose(toy_risk([1, -2, 0.5], loss)[0], expected, atol=1e-6)


def test_non_negative_risk_is_that_of_the_toy_example():
    assert_allclose(toy_risk([-3, -4, -3], "sigmoid")[0], -0.022283, atol=1e-6)
    value, _, is_corrected = toy_risk([-3, -4, -3], "sigmoid", is_non_negative=True)
    assert_allclose(value, 0.170052, atol=1e-6)
    assert is_corrected


@pytest.mark.parametrize("loss", ["logistic", "double_hinge", "squared"])
def test_unbiased_risk_of_a_convex_loss_is_linear_in_the_positives(loss):
    """Whose loss differs from that of the opposite score by the score itself."""
    g = np.concatenate([POSITIVE, [1, -2, 0.5]])
    expected = -0.4 * POSITIVE.mean() + LOSSES[loss](-g[2:])[0].mean()
    assert_allclose(toy_risk([1, -2, 0.5], loss)[0], expected)


@pytest.mark.parametrize("groups", [GROUPS, GROUPS._replace(negative=NOBODY)])
@pytest.mark.parametrize("loss", LOSSES)
def test_slopes_are_the_derivatives_of_the_unbiased_risk(loss, groups):
    _, slopes, _ = pu_risk(SCORES, groups, 0.3, LOSSES[loss])
    numeric = approx_fprime(SCORES, lambda g: pu_risk(g, groups, 0.3, LOSSES[loss])[0])
    assert_allclose(slopes, numeric, atol=1e-6)


def test_training_climbs_where_the_risk_of_negatives_is_below_zero():
    g = np.concatenate([POSITIVE, [-3, -4, -3]])
    groups = Groups(np.arange(2), np.arange(2, 5), NOBODY)

    def negative_part(g):
        return sigmoid_loss(-g[2:])[0].mean() - 0.4 * sigmoid_loss(-g[:2])[0].mean()

    assert_allclose(negative_part(g), -0.192335, atol=1e-6)
    _, slopes, is_corrected = pu_risk(g, groups, 0.4, sigmoid_loss, is_non_negative=True, gamma=0.5)
    assert is_corrected
    assert_allclose(slopes, -0.5 * approx_fprime(g, negative_part), atol=1e-6)
    assert negative_part(g - slopes) > negative_part(g)


def test_small_negative_risks_are_tolerated_up_to_beta():
    _, slopes, is_corrected = toy_risk([-3, -4, -3], "sigmoid", is_non_negative=True, beta=0.2)
    assert not is_corrected
    assert_allclose(slopes, toy_risk([-3, -4, -3], "sigmoid")[1])


def test_judged_negatives_have_at_most_half_of_the_say():
    assert negative_share(10, 0) == 0
    assert negative_share(30, 10) == 0.25
    assert negative_share(10, 10) == negative_share(10, 1000) == 0.5


def test_judged_negatives_replace_a_share_of_the_risk_of_negatives():
    p, u, n = (SCORES[group] for group in GROUPS)
    share = 2 / 5
    r = sigmoid_loss(-u)[0].mean() - 0.3 * sigmoid_loss(-p)[0].mean()
    certain = 0.7 * sigmoid_loss(-n)[0].mean()
    expected = 0.3 * sigmoid_loss(p)[0].mean() + (1 - share) * r + share * certain
    assert_allclose(pu_risk(SCORES, GROUPS, 0.3, sigmoid_loss)[0], expected)


def test_variational_risk_is_that_of_the_toy_example():
    g = logit([0.8, 0.6, 0.3, 0.1])
    groups = Groups(np.arange(2), np.arange(4), NOBODY)
    assert_allclose(variational_risk(g, groups)[0], -0.431523, atol=1e-6)


@pytest.mark.parametrize("groups", [GROUPS, GROUPS._replace(negative=NOBODY)])
def test_slopes_are_the_derivatives_of_the_variational_risk(groups):
    numeric = approx_fprime(SCORES, lambda g: variational_risk(g, groups)[0])
    assert_allclose(variational_risk(SCORES, groups)[1], numeric, atol=1e-6)


def test_variational_risk_does_not_know_the_scale_of_phi():
    phi = np.array([0.8, 0.6, 0.3, 0.1])
    groups = Groups(np.arange(2), np.arange(2, 4), NOBODY)
    whole, half = (variational_risk(logit(scale * phi), groups)[0] for scale in (1, 0.5))
    assert_allclose(whole, half)


def test_variational_risk_survives_extreme_scores():
    value, slopes = variational_risk(np.array([-900.0, 900, -900]), Groups([0], [1, 2], NOBODY))
    assert_allclose(value, np.log(0.5) + 900)
    assert np.isfinite(slopes).all()


def test_distribution_risk_is_that_of_the_toy_example():
    g = logit([0.9, 0.7, 0.9, 0.2, 0.1])
    groups = Groups(np.arange(2), np.arange(2, 5), NOBODY)
    assert_allclose(distribution_risk(g, groups, 0.4)[0], 0.16, atol=1e-6)


@pytest.mark.parametrize("groups", [GROUPS, GROUPS._replace(negative=NOBODY)])
def test_slopes_are_the_derivatives_of_the_distribution_risk(groups):
    g = SCORES.copy()
    g[groups.unlabeled[0]] = 12  # beyond the bound of the entropy
    numeric = approx_fprime(g, lambda g: distribution_risk(g, groups, 0.3, entropy_weight=2.0)[0])
    assert_allclose(distribution_risk(g, groups, 0.3, entropy_weight=2.0)[1], numeric, atol=1e-6)


def test_entropy_is_largest_for_even_odds():
    groups = Groups(np.arange(1), np.arange(1, 3), NOBODY)
    without, with_entropy = (
        distribution_risk(np.zeros(3), groups, 0.5, entropy_weight=weight)[0] for weight in (0, 1)
    )
    assert_allclose(with_entropy - without, np.log(2))
