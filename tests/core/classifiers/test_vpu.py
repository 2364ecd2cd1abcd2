"""Specification D6; the risk is tested with the kernel."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from scipy.special import expit
from sklearn.preprocessing import normalize

from core.classifiers.vpu import VPU, mix_penalty
from core.datasets import make_pu_data
from core.kernels.linear.pu_risks import Groups

COUNTS, Y, Y_TRUE = make_pu_data(120, 40, random_state=0)
X = normalize(COUNTS)


def test_mix_penalty_is_the_squared_distance_of_logarithms():
    value, *_ = mix_penalty(np.array([0.0]), np.array([0.0]), 0.4)
    # target = 0.4 * 0.5 + 0.6 = 0.8, Phi of the mixed sample 0.5
    assert_allclose(value, 0.4 * np.log(0.8 / 0.5) ** 2)


def test_mix_penalty_vanishes_where_phi_is_the_mixture():
    g = np.array([-1.0, 2])
    target = 0.3 * expit(g) + 0.7
    value, slopes, mixed_slopes = mix_penalty(g, np.log(target / (1 - target)), 0.3)
    assert_allclose([value, *slopes, *mixed_slopes], 0, atol=1e-12)


def test_slopes_are_the_derivatives_of_the_mix_penalty():
    g, g_mixed = np.random.default_rng(0).normal(size=(2, 4))
    _, slopes, mixed_slopes = mix_penalty(g, g_mixed, 0.3)
    by_g = approx_fprime(g, lambda g: mix_penalty(g, g_mixed, 0.3)[0])
    by_mixed = approx_fprime(g_mixed, lambda g_mixed: mix_penalty(g, g_mixed, 0.3)[0])
    assert_allclose(slopes, by_g, atol=1e-6)
    assert_allclose(mixed_slopes, by_mixed, atol=1e-6)


def test_every_unlabeled_sample_is_mixed_with_a_positive():
    groups = Groups(np.arange(3), np.arange(3, 9), np.arange(9, 11))
    mix = VPU()._draw_mix(groups, np.random.RandomState(0))
    assert 0 <= mix.share <= 1
    assert mix.left.tolist() == list(range(3, 9))
    assert np.isin(mix.right, groups.positive).all()


def test_probabilities_are_phi_over_that_of_the_best_sample():
    classifier = VPU(random_state=0).fit(X, Y)
    g = classifier.score_samples(X)
    phi_max = np.quantile(expit(g), 0.999, method="linear")
    assert_allclose(classifier.phi_max_, phi_max, rtol=1e-2)
    probability = classifier.predict_proba(X)[:, 1]
    assert probability.max() == 1
    assert_allclose(probability, np.minimum(1, expit(g) / classifier.phi_max_))
    assert ((probability >= 0.5) == (classifier.predict(X) == 1)).all()


def test_judged_negatives_lower_the_scores_of_their_like():
    is_negative = (Y_TRUE == 0) & (np.arange(120) % 5 == 0)
    is_like = (Y_TRUE == 0) & ~is_negative
    gaps = []
    for mask in (None, is_negative):
        g = VPU(random_state=0).fit(X, Y, is_negative=mask).score_samples(X)
        gaps.append(g[Y == 1].mean() - g[is_like].mean())
    assert gaps[1] > gaps[0]


def test_more_mixing_brings_scores_together():
    spreads = [
        VPU(mix_weight=weight, random_state=0).fit(X, Y).score_samples(X).std()
        for weight in (0, 10)
    ]
    assert spreads[1] < spreads[0]
