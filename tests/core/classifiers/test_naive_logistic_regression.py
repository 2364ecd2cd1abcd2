import numpy as np
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression

from core.classifiers.naive_logistic_regression import NaiveLogisticRegression
from core.datasets import make_pu_data
from core.kernels.rows.row_hash import drawn_rows


def test_it_is_the_regression_of_scikit_learn_at_its_minimum():
    X, y, _ = make_pu_data(200, 40, random_state=0)
    classifier = NaiveLogisticRegression(C=0.3).fit(X, y)
    expected = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000).fit(X, y)
    assert_allclose(classifier.coef_, expected.coef_[0], atol=1e-5)
    assert_allclose(classifier.predict_proba(X), expected.predict_proba(X), atol=1e-5)


def test_judged_negatives_are_negatives_like_all_others():
    X, y, _ = make_pu_data(100, 40, random_state=0)
    expected = NaiveLogisticRegression().fit(X, y).score_samples(X)
    judged = (y == 0) & (np.arange(100) % 2 == 0)
    actual = NaiveLogisticRegression().fit(X, y, is_negative=judged).score_samples(X)
    assert_allclose(actual, expected)


def test_a_draw_has_the_weight_of_those_that_it_stands_for():
    X, y, _ = make_pu_data(200, 40, random_state=0)
    judged = (y == 0) & (np.arange(200) % 5 == 0)
    options = {"C": 0.3, "max_unlabeled": 50, "random_state": 0}
    classifier = NaiveLogisticRegression(**options).fit(X, y, is_negative=judged)
    unlabeled = np.flatnonzero((y == 0) & ~judged)
    drawn = drawn_rows(X, unlabeled, 50, np.random.RandomState(0))
    rows = np.append(np.flatnonzero((y == 1) | judged), drawn)
    weights = np.append(np.ones(len(rows) - 50), np.full(50, len(unlabeled) / 50))
    expected = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000)
    expected.fit(X[rows], y[rows], weights)
    assert_allclose(classifier.coef_, expected.coef_[0], atol=1e-5)
    assert_allclose(classifier.intercept_, expected.intercept_[0], atol=1e-5)


def test_a_draw_of_all_is_all():
    X, y, _ = make_pu_data(200, 40, random_state=0)
    expected = NaiveLogisticRegression().fit(X, y).coef_
    n_unlabeled = int((y == 0).sum())
    actual = NaiveLogisticRegression(max_unlabeled=n_unlabeled, random_state=0).fit(X, y).coef_
    assert_allclose(actual, expected)
