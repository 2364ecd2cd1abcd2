"""Specification K1."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.naive_bayes import MultinomialNB

from core.kernels.bayes.naive_bayes import (
    expectation_maximization,
    fit_soft_labels,
    log_odds_weights,
    scale_rows,
    word_probabilities,
)

X = sp.csr_array(np.random.default_rng(0).poisson(0.7, size=(20, 9)), dtype=np.float64)


def test_probabilities_are_those_of_the_toy_example():
    expected = [0.307692, 0.153846, 0.538462]
    assert_allclose(word_probabilities(np.array([3.0, 1, 6]), 1.0, 3), expected, atol=1e-6)


def test_hard_labels_give_the_naive_bayes_of_scikit_learn():
    y = np.arange(20) % 3 == 0
    reference = MultinomialNB(alpha=0.1).fit(X, y)
    coef, intercept = fit_soft_labels(X, y, 0.1)
    assert_allclose(X @ coef + intercept, np.diff(reference.predict_joint_log_proba(X))[:, 0])


def test_a_soft_label_is_a_row_in_both_classes_weighted():
    posterior = np.random.default_rng(1).random(20)
    both = sp.vstack([X, X])
    labels = np.repeat([True, False], 20)
    weights = np.concatenate([posterior, 1 - posterior])
    reference = MultinomialNB(alpha=0.5).fit(both, labels, sample_weight=weights)
    coef, intercept = fit_soft_labels(X, posterior, 0.5)
    assert_allclose(X @ coef + intercept, np.diff(reference.predict_joint_log_proba(X))[:, 0])


def test_weights_of_equal_classes_are_zero():
    counts = np.array([3.0, 0, 2])
    assert log_odds_weights(counts, counts, 0.01, counts > 0).tolist() == [0, 0, 0]


def test_terms_that_no_row_has_are_no_part_of_the_vocabulary():
    posterior = np.random.default_rng(1).random(20)
    expected, intercept = fit_soft_labels(X, posterior, 0.5)
    wider = sp.hstack([X, sp.csr_array((20, 1000))], format="csr")
    coef, wider_intercept = fit_soft_labels(wider, posterior, 0.5)
    assert_allclose(coef, np.pad(expected, (0, 1000)))
    assert wider_intercept == intercept


def test_rows_are_scaled_to_a_sum_of_one_on_demand():
    rows = sp.csr_array([[3.0, 1], [0, 0]])
    assert scale_rows(rows, length_normalize=False) is rows
    assert scale_rows(rows, length_normalize=True).toarray().tolist() == [[0.75, 0.25], [0, 0]]


def slow_expectation_maximization(posterior, is_free, n_steps):
    """Every row in both classes, weighted, for the naive Bayes of scikit-learn."""
    both, labels = sp.vstack([X, X]), np.repeat([True, False], 20)
    for _ in range(n_steps):
        weights = np.concatenate([posterior, 1 - posterior])
        model = MultinomialNB(alpha=0.5).fit(both, labels, sample_weight=weights)
        scores = np.diff(model.predict_joint_log_proba(X))[:, 0]
        posterior = np.where(is_free, 1 / (1 + np.exp(-scores)), posterior)
    return scores


def test_iterations_equal_those_of_the_slow_twin():
    start = (np.arange(20) < 6).astype(float)
    is_free = np.arange(20) >= 8
    steps = expectation_maximization(X, start, is_free, smoothing=0.5, max_iter=4, tol=0)
    for number, (coef, intercept, scores, is_settled) in enumerate(steps, 1):
        expected = slow_expectation_maximization(start, is_free, number)
        assert_allclose(scores, expected, rtol=1e-6)
        assert_allclose(X @ coef + intercept, scores)
        assert not is_settled
    assert number == 4
    assert start.tolist() == [1] * 6 + [0] * 14


def test_first_step_may_learn_from_some_rows_alone():
    start, is_first = (np.arange(20) < 6).astype(float), np.arange(20) < 12
    steps = expectation_maximization(
        X, start, ~is_first, smoothing=0.5, is_first=is_first, max_iter=2, tol=10
    )
    (coef, intercept, _, is_settled), (_, _, _, is_settled_then) = steps
    expected = fit_soft_labels(X[is_first], start[is_first], 0.5)
    assert_allclose(coef, expected[0])
    assert_allclose(intercept, expected[1])
    # The other rows have not been learned from yet, whatever their labels do.
    assert (is_settled, is_settled_then) == (False, True)


def test_iterations_end_when_no_label_changes():
    rows = sp.csr_array([[9.0, 0], [0, 9], [0, 9]])
    steps = list(
        expectation_maximization(
            rows, np.array([1.0, 0, 0]), np.array([False, False, True]),
            smoothing=0.01, max_iter=50, tol=1e-3,
        )
    )  # fmt: skip
    assert len(steps) < 5
    assert [step[3] for step in steps] == [False] * (len(steps) - 1) + [True]
