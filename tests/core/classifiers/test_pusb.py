"""Specification D5; the threshold of its toy example is tested with its function."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.preprocessing import normalize

from core.calibration.prior_cut import prior_threshold
from core.classifiers.pusb import ALPHAS, PUSB
from core.datasets import make_pu_data

COUNTS, Y, _ = make_pu_data(120, 40, random_state=0)
X = normalize(COUNTS)
U = Y == 0


@pytest.mark.parametrize("class_prior", [0.1, 0.25, 0.5])
def test_share_predicted_positive_is_the_prior(class_prior):
    classifier = PUSB(class_prior=class_prior, alpha=0.01).fit(X, Y)
    accepted = classifier.predict(X[U]).sum()
    assert abs(accepted - class_prior * U.sum()) < 1


def test_cut_lies_between_samples():
    classifier = PUSB(class_prior=0.25, alpha=0.01).fit(X, Y)
    scores = np.sort(classifier.score_samples(X[U]))
    i = np.searchsorted(scores, classifier.offset_)
    assert_allclose(classifier.offset_, (scores[i - 1] + scores[i]) / 2)
    assert_allclose(scores[i], prior_threshold(scores, 0.25))


def test_gradient_of_the_objective_vanishes():
    classifier = PUSB(class_prior=0.2, alpha=0.01, tol=1e-8).fit(X, Y)
    phi = np.column_stack([X.toarray(), np.ones(120)])
    w = np.append(classifier.coef_, classifier.intercept_)
    u_slopes = 1 / (1 + np.exp(-phi[U] @ w))
    gradient = -0.2 * phi[~U].mean(axis=0) + phi[U].T @ u_slopes / U.sum() + 2 * 0.01 * w
    assert_allclose(gradient, 0, atol=1e-6)


# By 0.2 it is 0.01, as where nothing can be left out; by 0.3 it is another.
@pytest.mark.parametrize("class_prior", [0.2, 0.3])
def test_penalty_is_chosen_by_the_risk_of_samples_left_out(class_prior):
    classifier = PUSB(class_prior=class_prior).fit(X, Y)
    fold = np.empty(120, dtype=int)
    fold[~U], fold[U] = np.arange((~U).sum()) % 3, np.arange(U.sum()) % 3
    risks = np.zeros(len(ALPHAS))
    for k in range(3):
        rows, left_out = fold != k, fold == k
        for i, alpha in enumerate(ALPHAS):
            fitted = PUSB(class_prior=class_prior, alpha=alpha).fit(X[rows], Y[rows])
            g = fitted.score_samples(X[left_out])
            positive, unlabeled = g[~U[left_out]], g[U[left_out]]
            risks[i] += -class_prior * positive.mean() + np.log1p(np.exp(unlabeled)).mean()
    assert classifier.report_["alpha"] == ALPHAS[risks.argmin()]


def test_a_single_positive_takes_a_fixed_penalty():
    only = np.arange(120) == np.flatnonzero(~U)[0]
    assert PUSB(class_prior=0.2).fit(X, only).report_["alpha"] == 0.01


def test_bias_towards_clear_positives_keeps_the_ranking():
    """Labels go to the positives with the most words of the topic; the cut still fits."""
    counts, _, y_true = make_pu_data(600, 60, random_state=1)
    clarity = np.asarray(counts[:, 12:18].sum(axis=1)) * y_true
    y = np.zeros(600, dtype=int)
    y[np.argsort(-clarity)[:60]] = 1
    prior = y_true[y == 0].mean()
    classifier = PUSB(class_prior=prior).fit(normalize(counts), y)
    accepted = classifier.predict(normalize(counts))[y == 0]
    assert (accepted == y_true[y == 0]).mean() > 0.9
