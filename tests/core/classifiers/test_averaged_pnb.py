"""Specification B3; the numbers are those of its toy example."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import beta
from sklearn.base import clone

from core.classifiers.averaged_pnb import AveragedPNB
from core.classifiers.pnb import PNB

X = np.array([[1.0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]])
Y = [1, 1, 0, 0, 0, 0]


def posteriors(**parameters):
    classifier = AveragedPNB(class_prior=0.25, smoothing=1, **parameters).fit(X, Y)
    return classifier.predict_proba(X[2:])[:, 1]


def test_posteriors_are_those_of_the_toy_example():
    # The integral itself; 64 quantiles come within 2e-5 of it.
    exact = [0.722381, 0.037153, 0.037153, 0.037153]
    assert_allclose(posteriors(n_priors=5000), exact, atol=1e-6)
    assert_allclose(posteriors(), exact, atol=2e-5)


def test_score_equals_products_averaged_one_by_one():
    random = np.random.default_rng(0)
    rows = (random.random((20, 5)) < 0.5).astype(float)
    rows[:, 0] = 1
    y = np.arange(20) < 5
    classifier = AveragedPNB(class_prior=0.3, certainty=3, n_priors=7, smoothing=1).fit(rows, y)

    present = (rows[:5].sum(axis=0) + 1) / 7
    with_term = rows[5:].sum(axis=0)
    positive = 0.3 * np.where(rows > 0, present, 1 - present).prod(axis=1)
    negative = 0
    for p in beta.ppf((np.arange(7) + 0.5) / 7, 3, 7):
        n_with = np.maximum(0, with_term - p * 15 * present)
        n_without = np.maximum(0, 15 - with_term - p * 15 * (1 - present))
        absent = (1 + n_with) / (2 + n_with + n_without)
        absent = np.clip(absent, 1e-6, 1 - 1e-6)
        negative = negative + (1 - p) * np.where(rows > 0, absent, 1 - absent).prod(axis=1) / 7
    # Terms of all texts are cut off at a probability of 1 - 1e-6.
    assert_allclose(classifier.score_samples(rows), np.log(positive / negative), atol=1e-5)


def test_certain_prior_is_that_of_positive_naive_bayes(pu_data):
    counts, y, _ = pu_data
    expected = PNB(class_prior=0.4, smoothing=0.1).fit(counts, y)
    classifier = AveragedPNB(class_prior=0.4, certainty=1e9).fit(counts, y)
    assert_allclose(classifier.score_samples(counts), expected.score_samples(counts), atol=1e-2)
    assert_allclose(classifier.coef_, expected.coef_)


def test_judged_negatives_are_added_to_the_negative_class(pu_data):
    counts, y, y_true = pu_data
    is_negative = (y_true == 0) & (np.arange(len(y)) % 4 == 0)
    expected = PNB(class_prior=0.4, smoothing=0.1).fit(counts, y, is_negative=is_negative)
    classifier = AveragedPNB(class_prior=0.4, certainty=1e9)
    scores = clone(classifier).fit(counts, y, is_negative=is_negative).score_samples(counts)
    assert_allclose(scores, expected.score_samples(counts), atol=1e-2)
    without = classifier.fit(counts, y).score_samples(counts)
    assert np.abs(scores - without).max() > 1


def test_second_parameter_follows_from_the_mean():
    assert AveragedPNB(class_prior=0.25).fit(X, Y).report_["beta"] == [2, 6]
