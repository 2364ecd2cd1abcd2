import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from scipy.stats import norm

from core.class_prior.prior_shift import shifted_prior


@pytest.mark.parametrize("share", [0.05, 0.3, 0.8])
def test_true_log_odds_give_the_true_share(share):
    # Two normal distributions a distance of 2 apart, at the quantiles that stand for all samples.
    n_positive = int(10_000 * share)
    points = [norm.ppf((np.arange(n) + 0.5) / n) for n in (n_positive, 10_000 - n_positive)]
    log_odds = 2 * np.concatenate([points[0] + 1, points[1] - 1])
    assert_allclose(shifted_prior(log_odds), share, atol=2e-3)


def test_the_share_is_the_mean_probability_at_it():
    log_odds = np.random.default_rng(0).normal(-1, 2, size=500)
    share = shifted_prior(log_odds)
    assert_allclose(expit(log_odds + logit(share)).mean(), share, atol=1e-6)


@pytest.mark.parametrize(("log_odds", "share"), [(-50.0, 1 / 8), (50.0, 7 / 8)])
def test_samples_all_alike_leave_one_of_the_other_kind(log_odds, share):
    assert_allclose(shifted_prior(np.full(8, log_odds)), share)
