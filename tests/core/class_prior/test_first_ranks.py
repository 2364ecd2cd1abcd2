import numpy as np
import pytest

from core.class_prior.alpha_max import alpha_max_prior
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.first_ranks import resolved_prior
from core.class_prior.kernel_mean import kernel_mean_prior

N = 100_000
RANKS = (np.arange(N) + 0.5) / N


def seen(positive, unlabeled=RANKS):
    """Return what an estimator is shown, and what becomes of its estimate of 0.1."""
    shown = []

    def estimate(*ranks):
        shown.append(ranks)
        return 0.1

    return resolved_prior(estimate, positive, unlabeled), *shown[0]


def test_all_is_looked_at_where_positives_rank_anywhere():
    positive = np.array([0.5, 0.9, 0.95, 0.97, 0.98])
    prior, shown, unlabeled = seen(positive)
    assert prior == 0.1
    assert shown is positive
    assert unlabeled is RANKS


def test_first_ranks_are_spread_out_and_the_estimate_scaled_back():
    # Four of five rank among the first 0.2 %: the first 2 % are looked at.
    prior, positive, unlabeled = seen(np.array([0.5, 0.998, 0.9985, 0.999, 0.9995]))
    np.testing.assert_allclose(positive, [0.9, 0.925, 0.95, 0.975])
    np.testing.assert_allclose(unlabeled, (np.arange(2000) + 0.5) / 2000, atol=1e-9)
    assert prior == pytest.approx(0.1 * 0.02 / 0.8)


def test_at_least_fifty_are_looked_at():
    prior, _, unlabeled = seen(np.full(4, RANKS[-1]))
    assert len(unlabeled) == 50
    assert prior == pytest.approx(0.1 * 50 / N)


def test_all_is_looked_at_where_too_many_share_the_highest_score():
    positive, unlabeled = np.full(10, 0.999), np.repeat([0.01, 0.51], [10, 490])
    prior, *shown = seen(positive, unlabeled)
    assert prior == 0.1
    assert shown[0] is positive
    assert shown[1] is unlabeled


@pytest.mark.parametrize("estimate", [alpha_max_prior, dedpul_prior, kernel_mean_prior])
def test_two_in_a_thousand_are_told_from_two_in_a_hundred(estimate):
    positive = np.random.default_rng(0).uniform(0.998, 1, 40)
    found = resolved_prior(estimate, positive, RANKS)
    assert 0.001 <= found <= 0.004
    assert estimate(positive, RANKS) >= 0.009
