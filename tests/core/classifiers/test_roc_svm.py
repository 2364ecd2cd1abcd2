"""Specification B8 (and A4); the toy example is its own."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from core.classifiers.roc_svm import RocSVM
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.iterative_svm import iterative_svm

TOY = [[1.0, 0], [0, 1], [0.8, 0.6], [0.6, 0.8]]


def corpus(seed=0, n_samples=100, n_labeled=12):
    """Return counts of two topics that share words, and labels."""
    random = np.random.default_rng(seed)
    truth = np.arange(n_samples) % 3 == 0
    rates = np.where(
        truth[:, None], [0.9] * 6 + [0.1] * 6 + [0.4] * 4, [0.1] * 6 + [0.9] * 6 + [0.4] * 4
    )
    counts = random.poisson(rates)
    counts[:, -1] += 1
    return sp.csr_array(counts), np.where(np.cumsum(truth) <= n_labeled, truth, 0), truth


def slow_negatives(X, y, alpha, beta, *, purify):
    """Follow the specification with dense matrices and loops, for one cluster."""
    Z = X.toarray() / np.linalg.norm(X.toarray(), axis=1, keepdims=True)

    def nearer_to_negatives(rows, negatives):
        p, u = Z[y == 1].mean(axis=0), Z[negatives].mean(axis=0)
        positive, negative = alpha * p - beta * u, alpha * u - beta * p
        positive, negative = (
            positive / np.linalg.norm(positive),
            negative / np.linalg.norm(negative),
        )
        return [i for i in rows if Z[i] @ negative > Z[i] @ positive]

    unlabeled = np.flatnonzero(y == 0)
    chosen = nearer_to_negatives(unlabeled, unlabeled)
    return nearer_to_negatives(chosen, chosen) if purify else chosen


@pytest.mark.parametrize(("alpha", "beta"), [(16, 4), (4, 16), (0.8, 0.2)])
def test_all_unlabeled_samples_of_the_worked_example_are_negative(alpha, beta):
    classifier = RocSVM(alpha=alpha, beta=beta, random_state=0).fit(TOY, [1, 0, 0, 0])
    assert classifier.report_["n_rocchio_negatives"] == 3
    assert "rn_all" in classifier.report_["flags"]


@pytest.mark.parametrize("purify", [False, True])
def test_both_steps_equal_a_slow_implementation(purify):
    X, y, _ = corpus()
    expected = slow_negatives(X, y, 16, 4, purify=purify)
    classifier = RocSVM(n_clusters=1 if purify else None, random_state=0).fit(X, y)
    assert classifier.report_["n_reliable_negatives"] == len(expected)
    is_negative = np.isin(np.arange(len(y)), expected)
    coef, intercept, _ = iterative_svm(unit_rows(X), y == 1, is_negative)
    assert_allclose(classifier.coef_, coef, atol=1e-4)
    assert_allclose(classifier.intercept_, intercept, atol=1e-4)


def test_purified_negatives_are_fewer():
    X, y, _ = corpus()
    report = RocSVM(random_state=0).fit(X, y).report_
    assert 0 < report["n_reliable_negatives"] <= report["n_rocchio_negatives"]
    assert report["n_rocchio_negatives"] < (y == 0).sum()
    assert "rn_all" not in report["flags"]


def test_samples_like_the_positives_are_relaxed_negatives():
    # Equal directions: no sample is nearer to either prototype, the first ones are taken.
    classifier = RocSVM(random_state=0).fit(np.ones((60, 2)), [1] * 2 + [0] * 58)
    assert "rn_relaxed" in classifier.report_["flags"]
    # A twentieth of 58, rounded up, is more than the two positives.
    assert classifier.report_["n_rocchio_negatives"] == 3


def test_judged_negatives_are_reliable_from_the_start():
    X, y, truth = corpus()
    judged = (y == 0) & truth
    judged[np.flatnonzero(judged)[5:]] = False
    plain = RocSVM(random_state=0).fit(X, y)
    told = RocSVM(random_state=0).fit(X, y, is_negative=judged)
    assert told.report_["n_reliable_negatives"] > plain.report_["n_reliable_negatives"]
    before, after = (model.score_samples(X[judged]).mean() for model in (plain, told))
    assert after < before


def test_pile_that_was_all_judged_is_the_negatives():
    X, y, _ = corpus()
    classifier = RocSVM(n_clusters=None, random_state=0).fit(X, y, is_negative=y == 0)
    assert classifier.report_["n_reliable_negatives"] == (y == 0).sum()
    assert classifier.report_["n_iter"] == classifier.n_iter_ == 1


def test_few_positives_without_balance_are_flagged():
    X, y, _ = corpus()
    report = RocSVM(balanced=False, random_state=0).fit(X, y).report_
    assert "unbalanced" in report["flags"]


def test_rounds_that_end_at_the_limit_are_flagged():
    X, y, _ = corpus()
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        report = RocSVM(max_iter=1, random_state=0).fit(X, y).report_
    assert "not_converged" in report["flags"]
    assert not report["converged"]
    report = RocSVM(random_state=0).fit(X, y).report_
    assert "not_converged" not in report["flags"]
    assert report["converged"]
