import numpy as np
from numpy.testing import assert_allclose
from sklearn.naive_bayes import MultinomialNB

from core.classifiers.naive_nb import NaiveNB


def test_scores_are_those_of_scikit_learn(pu_data):
    X, y, _ = pu_data
    reference = MultinomialNB(alpha=0.1).fit(X, y)
    classifier = NaiveNB().fit(X, y)
    expected = np.diff(reference.predict_joint_log_proba(X))[:, 0]
    assert_allclose(classifier.score_samples(X), expected, atol=1e-9)
    assert_allclose(classifier.predict_proba(X), reference.predict_proba(X), atol=1e-9)


def test_judged_negatives_are_negatives_like_all_others(pu_data):
    X, y, y_true = pu_data
    expected = NaiveNB().fit(X, y)
    classifier = NaiveNB().fit(X, y, is_negative=y_true == 0)
    assert_allclose(classifier.coef_, expected.coef_)


def test_length_normalized_scores_do_not_grow_with_the_text(pu_data):
    X, y, _ = pu_data
    classifier = NaiveNB(length_normalize=True).fit(X, y)
    assert_allclose(classifier.score_samples(3 * X), classifier.score_samples(X))
