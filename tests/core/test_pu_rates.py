"""Specification part F; the numbers are those of its toy examples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binomtest

from core.errors import BadParameter
from core.pu_rates import (
    area_under_lift,
    auc_interval,
    auc_with_prior,
    binomial_interval,
    criteria_of_rates,
    is_prior_contradicted,
    is_prior_too_large,
    pu_scores_of_rates,
)


def test_rates_give_the_figures_of_the_toy_example():
    scores = pu_scores_of_rates(0.8, 0.4, class_prior=0.3)

    assert_allclose([scores["precision"], scores["f1"]], [0.6, 0.685714], atol=1e-6)
    assert_allclose(scores["false_positive_rate"], 0.228571, atol=1e-6)
    assert_allclose(auc_with_prior(0.8, 0.3), 0.928571, atol=1e-6)


@pytest.mark.parametrize("class_prior", [0, 1, None, "a", np.nan])
def test_prior_leaves_both_classes(class_prior):
    message = f"class_prior must be a number in .*, got {class_prior!r}"
    with pytest.raises(BadParameter, match=message):
        pu_scores_of_rates(0.8, 0.4, class_prior=class_prior)
    with pytest.raises(BadParameter, match=message):
        auc_with_prior(0.8, class_prior)


@pytest.mark.parametrize(("recall", "share", "prior"), [(0.8, 0.4, 0.3), (0.9, 0.4, 0.5)])
def test_risks_and_proxy_accuracy_are_the_accuracy_in_other_words(recall, share, prior):
    criteria = criteria_of_rates(recall, share, class_prior=prior)

    # 2 pi FNR + PPR_U - pi (D4); negative parts are kept by the first alone.
    assert_allclose(criteria["unbiased_risk"], 2 * prior * (1 - recall) + share - prior)
    assert_allclose(criteria["proxy_accuracy"], 1 + prior - criteria["unbiased_risk"])
    accuracy = pu_scores_of_rates(recall, share, class_prior=prior)["accuracy"]
    assert_allclose(criteria["non_negative_risk"], 1 - accuracy)


@pytest.mark.parametrize(("recall", "share", "prior"), [(0.0, 0.8, 0.8), (1.0, 0.1, 0.5)])
def test_figures_are_shares_whatever_contradicts_each_other(recall, share, prior):
    # More is accepted than there are negatives; less than there are positives found.
    scores = pu_scores_of_rates(recall, share, class_prior=prior)

    assert all(0 <= figure <= 1 for figure in scores.values())


def test_interval_is_that_of_scipy_for_whole_numbers():
    for n_hits in range(8):
        expected = binomtest(n_hits, 7).proportion_ci(0.9)
        assert_allclose(binomial_interval(n_hits, 7, confidence=0.9), expected, atol=1e-12)


@pytest.mark.parametrize(("n_positive", "area"), [(3, 0.5), (5, 0.9), (10, 0.8), (30, 0.97)])
def test_interval_of_an_area_holds_it_for_exponential_scores(n_positive, area):
    # The case the formula is exact for: a positive is above a negative in a share of all pairs.
    rng = np.random.default_rng(0)
    scale = area / (1 - area)
    n_held, n_trials = 0, 1000
    for _ in range(n_trials):
        positive = rng.exponential(scale, (n_positive, 1))
        observed = (positive > rng.exponential(1, 200)).mean()
        low, high = auc_interval(observed, n_positive, 200)
        n_held += low <= area <= high
    assert n_held / n_trials == pytest.approx(0.95, abs=0.025)


@pytest.mark.parametrize("n_positive", [2, 5, 50])
def test_interval_of_an_area_has_a_width_where_all_positives_are_above(n_positive):
    # Of very many negatives the variance at an area A is A**2 (1 - A) / (1 + A) for a positive, so
    # that (1 - A)**2 is 1.96**2 times that over n_positive at A = 1 / sqrt(1 + 1.96**2 / n).
    low, high = auc_interval(1.0, n_positive, 10**9)
    assert_allclose([low, high], [(1 + 1.959964**2 / n_positive) ** -0.5, 1], rtol=1e-6)
    assert_allclose(auc_interval(0.0, n_positive, 10**9), [0, 1 - low], rtol=1e-6)


def test_interval_of_an_area_has_a_width_where_both_negatives_are_below():
    # Of very many positives it is A (1 - A)**2 / (2 - A) for a negative: 2 (2 - A) = 1.96**2 A.
    expected = [4 / (2 + 1.959964**2), 1]
    assert_allclose(auc_interval(1.0, 10**9, 2), expected, rtol=1e-6)


def test_area_under_the_lift_has_half_of_the_labeled():
    # F7: pi / 2 + (1 - pi) AUC_PN, with the labeled ones among the population.
    prior = 0.2 + 0.8 * 0.3
    assert_allclose(area_under_lift(0.8, 20, 80), prior / 2 + (1 - prior) * 0.928571, atol=1e-6)


@pytest.mark.parametrize(
    ("recall", "share", "prior", "is_too_large"),
    [
        (0.9, 0.005, 0.02, True),  # 0.018 found among 0.005
        (0.9, 0.0175, 0.02, False),
        (0.9, 0.0163, 0.02, True),
        (0.8, 0.38, 0.5, True),  # 0.02 is 4 % of the negatives
    ],
)
def test_a_prior_is_too_large_by_what_is_accepted(recall, share, prior, is_too_large):
    assert is_prior_too_large(recall, share, prior) == is_too_large


@pytest.mark.parametrize(
    ("recall", "share", "prior", "is_contradicted"),
    [
        # Those of above turned round: what is rejected counts, and the positives among it.
        (0.1, 0.995, 0.02, True),  # 0.018 of the samples missed among the 0.005 rejected
        (0.1, 0.9825, 0.02, False),
        (0.1, 0.9837, 0.02, True),
        (0.2, 0.62, 0.5, True),  # 0.52 accepted that are not positive, where 0.5 are negative
        (0.8, 0.38, 0.5, False),  # too large
    ],
)
def test_a_prior_is_contradicted_by_what_is_rejected(recall, share, prior, is_contradicted):
    assert is_prior_contradicted(recall, share, prior) == is_contradicted
