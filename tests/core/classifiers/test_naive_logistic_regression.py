import numpy as np
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression

from core.classifiers.naive_logistic_regression import NaiveLogisticRegression
from core.datasets import make_pu_data


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
