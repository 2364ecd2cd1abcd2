import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.svm import LinearSVC

from core.classifiers.judged_svm import JudgedSVM
from core.datasets import make_pu_data
from core.kernels.rows.unit_rows import unit_rows


@pytest.fixture
def data():
    X, y, truth = make_pu_data(200, 40, random_state=0)
    is_negative = (truth == 0) & (np.arange(200) % 3 == 0)
    return sp.csr_array(X), y, is_negative


def test_it_is_the_weighted_machine_of_scikit_learn_on_what_was_judged(data):
    X, y, is_negative = data
    classifier = JudgedSVM(C=2.0, negative_weight=0.5, n_components=0).fit(
        X, y, is_negative=is_negative
    )
    is_known = (y == 1) | is_negative
    weights = np.where(y == 1, 1.0, 0.5 * (y == 1).sum() / is_negative.sum())[is_known]
    Z = unit_rows(X).toarray()
    expected = LinearSVC(C=2.0, dual=False, tol=1e-10, max_iter=10_000)
    expected.fit(Z[is_known], y[is_known], sample_weight=weights)
    assert_allclose(classifier.coef_, expected.coef_[0], atol=1e-4)
    assert_allclose(classifier.score_samples(X), expected.decision_function(Z), atol=1e-4)
    assert classifier.report_["negatives"] == "judged"


def test_latent_directions_are_features_like_terms(data):
    X, y, is_negative = data
    classifier = JudgedSVM(n_components=3, random_state=0).fit(X, y, is_negative=is_negative)
    Z = unit_rows(X)
    latent = classifier._latent_space().rows(Z)
    both = np.hstack([Z.toarray(), latent])
    is_known = (y == 1) | is_negative
    weights = np.where(y == 1, 1.0, 0.1 * (y == 1).sum() / is_negative.sum())[is_known]
    expected = LinearSVC(dual=False, tol=1e-10, max_iter=10_000)
    expected.fit(both[is_known], y[is_known], sample_weight=weights)
    assert_allclose(classifier.score_samples(X), expected.decision_function(both), atol=1e-5)


def test_the_cut_lies_half_way_between_the_means_of_both_classes(data):
    X, y, is_negative = data
    classifier = JudgedSVM(random_state=0).fit(X, y, is_negative=is_negative)
    scores = classifier.score_samples(X)
    assert_allclose(classifier.offset_, (scores[y == 1].mean() + scores[is_negative].mean()) / 2)


def test_few_judged_negatives_are_filled_up_from_the_pile_in_any_order(data):
    X, y, is_negative = data
    is_few = is_negative & (np.cumsum(is_negative) <= 5)
    classifier = JudgedSVM(n_components=0, random_state=0).fit(X, y, is_negative=is_few)
    assert classifier.report_["negatives"] == "judged_and_drawn"
    order = np.random.default_rng(0).permutation(len(y))
    other = JudgedSVM(n_components=0, random_state=0)
    other.fit(X[order], y[order], is_negative=is_few[order])
    assert_allclose(other.score_samples(X), classifier.score_samples(X), atol=1e-5)


def test_labels_of_what_nobody_judged_are_not_learned_from(data):
    X, y, is_negative = data
    is_known = (y == 1) | is_negative
    expected = JudgedSVM(n_components=0).fit(X, y, is_negative=is_negative)
    alone = JudgedSVM(n_components=0)
    alone.fit(X[is_known], y[is_known], is_negative=is_negative[is_known])
    assert_allclose(alone.coef_, expected.coef_, atol=1e-6)


def test_without_judgements_all_unlabeled_are_negative(data):
    X, y, _ = data
    expected = JudgedSVM(random_state=0).fit(X, y, is_negative=y == 0)
    actual = JudgedSVM(random_state=0).fit(X, y)
    assert_allclose(actual.coef_, expected.coef_)
    assert actual.report_["negatives"] == "unlabeled"
