"""Specification D8."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit

from core.classifiers.naive_logistic_regression import NaiveLogisticRegression
from core.classifiers.propensity_weighting import PropensityWeighting
from core.options import checked


def biased_labels(n_samples=4000):
    """Return samples labeled by a known propensity that depends on one of them, and the truth."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_samples, 2))
    truth = random.random(n_samples) < expit(3 * X[:, 0])
    propensity = np.where(X[:, 1] > 0, 0.8, 0.2)
    return X, truth & (random.random(n_samples) < propensity), propensity, truth


def test_the_bias_of_the_labels_is_taken_out():
    X, y, propensity, _ = biased_labels()
    classifier = PropensityWeighting(propensity=propensity, C=100).fit(X, y)
    assert_allclose([*classifier.coef_, classifier.intercept_], [3, 0, 0], atol=0.4)
    naive = NaiveLogisticRegression(C=100).fit(X, y)
    assert naive.coef_[1] > 0.7


def test_the_number_of_positives_is_estimated():
    X, y, propensity, truth = biased_labels()
    estimate = PropensityWeighting(propensity=propensity).fit(X, y).report_["n_positive_estimate"]
    assert estimate == pytest.approx(truth.sum(), rel=0.1)


def test_a_number_is_the_propensity_of_all():
    X, y, _, _ = biased_labels(200)
    expected = PropensityWeighting(propensity=np.full(200, 0.5)).fit(X, y)
    assert_array_equal(PropensityWeighting(propensity=0.5).fit(X, y).coef_, expected.coef_)


@pytest.mark.parametrize(("propensity", "is_flagged"), [(0.04, True), (0.05, False)])
def test_raised_propensities_are_flagged(propensity, is_flagged):
    # One labeled sample of a hundred.
    X, y = np.arange(100.0)[:, None] % 7, np.arange(100) == 6
    report = PropensityWeighting(propensity=propensity).fit(X, y).report_
    assert ("propensity_too_small" in report["flags"]) == is_flagged


def test_propensities_that_make_too_many_positives_are_flagged():
    X, y = np.arange(100.0)[:, None] % 7, np.arange(100) < 10
    for propensity, is_flagged in ((10 / 94, False), (10 / 96, True)):
        report = PropensityWeighting(propensity=propensity).fit(X, y).report_
        assert ("propensity_too_small" in report["flags"]) == is_flagged


@pytest.mark.parametrize("propensity", [[0.5, 0, 1, 1], [0.5, np.nan, 1, 1], [0.5, 1.1]])
def test_propensities_out_of_range_are_refused_at_once(propensity):
    with pytest.raises(ValueError, match="must be in"):
        checked(PropensityWeighting(propensity=propensity))


def test_propensities_of_other_samples_are_refused():
    with pytest.raises(ValueError, match="one value for each of the 4"):
        PropensityWeighting(propensity=[0.5, 0.5]).fit(np.eye(4), [1, 1, 0, 0])


@pytest.mark.parametrize("n_positive", [1, 3, 10])
def test_a_fit_of_mostly_positives_settles(n_positive):
    # Propensities of a half make all samples positive; warnings are errors.
    random = np.random.RandomState(0)
    X = random.poisson(1, size=(2 * n_positive, 6)) + 1.0
    X[:n_positive, 3:] = X[n_positive:, :3] = 0
    classifier = PropensityWeighting().fit(X, np.arange(2 * n_positive) < n_positive)
    assert np.isfinite(classifier.score_samples(X)).all()
