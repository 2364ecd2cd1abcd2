"""Specification D1; the numbers are those of its example."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.special import expit, logit

from core.classifiers.elkan_noto import ElkanNoto, hidden_positive_weights
from core.errors import TooFewPositives
from core.kernels.linear.soft_logistic import fit_soft_logistic

PROBABILITIES = np.array([0.25, 0.1, 0.4])


def blobs(seed=0, n_samples=2000, label_frequency=0.4):
    """Return two groups, a share of the first one labeled, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.random(n_samples) < 0.3
    X = random.normal(size=(n_samples, 3)) + np.where(truth[:, None], 2, -2)
    return X, truth & (random.random(n_samples) < label_frequency), truth


def test_weights_of_the_example():
    weights = hidden_positive_weights(PROBABILITIES, 0.5)
    assert_allclose(weights, [1 / 3, 1 / 9, 2 / 3], atol=1e-6)
    assert_allclose(weights.sum(), 1.111111, atol=1e-6)
    assert_allclose((10 + weights.sum()) / 13, 0.854701, atol=1e-6)


def test_weights_stay_in_range():
    weights = hidden_positive_weights(np.array([0, 1e-9, 0.5, 1]), 1e-3)
    assert weights.min() >= 0
    assert weights.max() == 1


def test_probabilities_of_the_example():
    X, y, _ = blobs(n_samples=200)
    classifier = ElkanNoto(variant="divided").fit(X[:, :1], y)
    classifier.coef_, classifier.intercept_ = np.array([1.0]), 0.0
    classifier.log_scale_, classifier.offset_ = -np.log(0.5), logit(0.25)
    new = logit(np.append(PROBABILITIES, 0.7))[:, None]
    assert_allclose(classifier.predict_proba(new)[:, 1], [0.5, 0.2, 0.8, 1], atol=1e-6)
    assert classifier.predict(new).tolist() == [True, False, True, True]


@pytest.mark.parametrize("variant", ["weighted", "divided"])
def test_labels_at_random_are_corrected(variant):
    X, y, truth = blobs()
    classifier = ElkanNoto(variant=variant, random_state=0).fit(X, y)
    report = classifier.report_
    assert report["label_frequency"] == pytest.approx(0.4, abs=0.05)
    assert 0 < report["label_frequency_error"] < 0.03
    hidden = truth[~y].mean()
    assert report["class_prior"] == pytest.approx(hidden, abs=0.05)
    assert np.mean(classifier.predict(X) == truth) > 0.97
    assert classifier.predict_proba(X)[:, 1].mean() == pytest.approx(truth.mean(), abs=0.05)


def test_a_given_prior_takes_the_place_of_the_estimate():
    X, y, _ = blobs()
    n_hidden = 0.25 * (~y).sum()
    report = ElkanNoto(class_prior=0.25, random_state=0).fit(X, y).report_
    assert report["label_frequency"] == pytest.approx(y.sum() / (y.sum() + n_hidden))
    assert report["label_frequency_error"] == 0


def test_judged_negatives_are_no_part_of_what_the_prior_is_a_share_of():
    X, y, truth = blobs(n_samples=300)
    judged = ~truth & (np.arange(300) % 2 == 0)
    n_unlabeled = (~y & ~judged).sum()
    report = ElkanNoto(class_prior=0.25, random_state=0).fit(X, y, is_negative=judged).report_
    expected = y.sum() / (y.sum() + 0.25 * n_unlabeled)
    assert report["label_frequency"] == pytest.approx(expected)
    # All that are left unlabeled are positive and copies of the labeled ones.
    X = np.array([[1.0, 0], [1, 0], [1, 0], [1, 0], [0, 1], [0, 1]])
    judged = np.arange(6) > 3
    classifier = ElkanNoto(C=1e4, random_state=0).fit(X, np.arange(6) < 2, is_negative=judged)
    assert classifier.report_["class_prior"] == pytest.approx(1, abs=0.02)


def test_positives_collected_apart_need_the_prior():
    X, y, truth = blobs()
    alone = np.flatnonzero(~truth)
    rows = np.append(np.flatnonzero(y), alone)
    classifier = ElkanNoto(variant="case_control", class_prior=0.2)
    coef, intercept = fit_soft_logistic(sp.csr_array(X[rows]), y[rows], C=10)
    odds = np.exp(X @ coef + intercept) * 0.2 * len(alone) / y.sum()
    probabilities = classifier.fit(X[rows], y[rows]).predict_proba(X)[:, 1]
    assert_allclose(probabilities, np.minimum(1, odds), atol=1e-5)
    assert ((probabilities >= 0.5) == classifier.predict(X)).all()
    with pytest.raises(ValueError, match="needs class_prior"):
        ElkanNoto(variant="case_control").fit(X, y)
    with pytest.raises(ValueError, match="none is left"):
        classifier.fit(X, y, is_negative=~y)


def test_judged_negatives_are_negative_for_certain():
    X, y, truth = blobs(n_samples=300)
    judged = truth & ~y
    accepted = ElkanNoto(random_state=0).fit(X, y).predict(X)[judged]
    again = ElkanNoto(random_state=0, C=100).fit(
        np.hstack([X, judged[:, None]]), y, is_negative=judged
    )
    assert accepted.mean() > 0.9
    assert again.predict(np.hstack([X, judged[:, None]]))[judged].mean() < 0.1


def test_probabilities_come_from_models_that_did_not_see_the_sample():
    # One term for each sample, so that a model knows those alone that it has seen.
    classifier = ElkanNoto(variant="divided", C=1000, random_state=0)
    X, y = np.eye(40), np.arange(40) < 10
    report = classifier.fit(X, y).report_
    assert report["label_frequency"] < 0.3
    assert expit(classifier.score_samples(X))[y].min() > 0.9


def test_one_positive_cannot_be_left_out():
    with pytest.raises(TooFewPositives, match="prototype"):
        ElkanNoto().fit(np.eye(4), [1, 0, 0, 0])


def test_a_single_unlabeled_sample_is_not_left_out():
    classifier = ElkanNoto(random_state=0).fit(np.eye(4), [1, 1, 1, 0])
    assert np.isfinite(classifier.score_samples(np.eye(4))).all()
