import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import norm

from core.kernels.scores.binned_density import binned_densities, log_odds_of_ranks


def test_shares_are_those_of_a_kernel_density_estimate():
    random = np.random.default_rng(0)
    positive, unlabeled = random.normal(1, size=20), random.normal(size=100)
    found = binned_densities(
        positive, unlabeled, n_bins=1000, positive_bandwidth=0.4, unlabeled_bandwidth=0.3
    )
    start = min(positive.min(), unlabeled.min()) - 4 * 0.4
    centres = start + (np.arange(1000) + 0.5) * found.width
    expected = norm.pdf(centres[:, None], positive, 0.4).mean(axis=1) * found.width
    assert_allclose(found.positive, expected, atol=0.03 * expected.max())
    assert_allclose([found.positive.sum(), found.unlabeled.sum()], 1)


def test_extreme_scores_stay_finite():
    assert_allclose(log_odds_of_ranks(np.array([0, 0.5, 1]), 10), np.log([1 / 19, 1, 19]))
