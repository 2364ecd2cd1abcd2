"""Specification D7; the risk is tested with the kernel."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.preprocessing import normalize

from core.classifiers.dist_pu import DistPU
from core.datasets import make_pu_data
from core.kernels.linear.pu_risks import Groups, distribution_risk
from core.kernels.networks.networks import Mix

COUNTS, Y, Y_TRUE = make_pu_data(120, 40, random_state=0)
X = normalize(COUNTS)
GROUPS = Groups(np.array([0, 1]), np.array([2, 3, 4]), np.array([5]))
SCORES = np.array([1.0, 0.5, -1, 2, 0, -2])
MIX = Mix(0.25, np.arange(6), np.array([1, 2, 3, 4, 5, 0]))
MIXED = np.linspace(-1, 1, 6)


def slopes_at(epoch):
    classifier = DistPU(n_epochs=100, n_warm_up_epochs=60, entropy_weight=0.5, mix_weight=2.0)
    classifier.class_prior_ = 0.3
    return classifier._slopes(SCORES, MIXED, GROUPS, MIX, epoch)


@pytest.mark.parametrize("class_prior", [0.1, 0.3, 0.5])
def test_mean_probability_of_the_unlabeled_is_the_prior(class_prior):
    classifier = DistPU(
        class_prior=class_prior, n_epochs=1000, n_warm_up_epochs=1000, random_state=0
    ).fit(X, Y)
    assert_allclose(classifier.predict_proba(X[Y == 0])[:, 1].mean(), class_prior, atol=0.05)


def test_warm_up_is_without_entropy_and_mixed_samples():
    slopes, mixed = slopes_at(59)
    assert_allclose(slopes, distribution_risk(SCORES, GROUPS, 0.3)[1])
    assert not mixed.any()


@pytest.mark.parametrize(("epoch", "ramp"), [(60, 0), (80, 0.5), (90, (1 + 0.5**0.5) / 2)])
def test_entropy_comes_in_along_a_cosine(epoch, ramp):
    expected = distribution_risk(SCORES, GROUPS, 0.3, entropy_weight=0.5 * ramp)[1]
    assert_allclose(slopes_at(epoch)[0], expected)


def test_mixed_samples_are_held_to_the_mixture_of_what_is_known_or_predicted():
    known = np.array([1, 1, *expit(SCORES[2:5]), 0])
    target = 0.25 * known + 0.75 * known[MIX.right]
    assert_allclose(slopes_at(60)[1], 2.0 * (expit(MIXED) - target) / 6)


def test_every_sample_of_a_batch_is_mixed_with_one():
    mix = DistPU()._draw_mix(GROUPS, np.random.RandomState(0))
    assert 0 < mix.share < 1
    assert mix.left.tolist() == sorted(mix.right) == list(range(6))


def test_judged_negatives_are_predicted_negative():
    is_negative = (Y_TRUE == 0) & (np.arange(120) % 5 == 0)
    without, with_judged = (
        DistPU(class_prior=0.3, random_state=0).fit(X, Y, is_negative=mask).predict_proba(X)[:, 1]
        for mask in (None, is_negative)
    )
    assert with_judged[is_negative].mean() < without[is_negative].mean()


def test_report_holds_the_prior_and_the_risk():
    classifier = DistPU(class_prior=0.3, n_epochs=3, random_state=0).fit(X, Y)
    s = classifier.predict_proba(X)[:, 1]
    expected = 0.6 * (1 - s[Y == 1].mean()) + abs(s[Y == 0].mean() - 0.3)
    assert_allclose(classifier.report_["risk"], expected)
    assert classifier.report_["class_prior_source"] == "given"
    assert classifier.report_["n_iter"] == 3
