"""Small, empty and broken input: one protocol for all classifiers (specification 1.5)."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.metrics import average_precision_score

from core.classifiers.pn_svm import PNSVM
from core.errors import TooFewPositives


def test_no_positive_is_refused(classifier):
    with pytest.raises(ValueError, match="no sample of the positive class"):
        classifier.set_params(pos_label=1).fit([[1.0, 0], [0, 1]], [0, 0])


def test_one_positive_is_enough_or_another_method_is_named(learner, pu_data):
    X, y, y_true = pu_data
    seed = np.flatnonzero(y)[0]
    only = np.arange(len(y)) == seed
    if learner.min_positives > 1:
        with pytest.raises(TooFewPositives, match="take prototype"):
            learner.fit(X, only)
        return
    learner.fit(X, only)
    scores = learner.score_samples(X)
    assert np.isfinite(scores).all()
    if isinstance(learner, PNSVM):
        pytest.skip("takes rare words of a single text for typical; here the topic is frequent")
    # One text says little about its kind, but more than chance, 0.6.
    assert average_precision_score(y_true[~only], scores[~only]) > 0.7


def test_only_one_class_methods_do_without_unlabeled_samples(classifier):
    X, y = [[1.0, 0], [2, 1]], [1, 1]
    classifier.set_params(pos_label=1)
    if classifier.requires_unlabeled:
        with pytest.raises(ValueError, match="one class"):
            classifier.fit(X, y)
    else:
        assert np.isfinite(classifier.fit(X, y).score_samples(X)).all()


def test_empty_texts_are_negative_and_counted(classifier, pu_data):
    X, y, _ = pu_data
    empty = sp.csr_array((3, X.shape[1]))
    classifier.fit(sp.vstack([empty, X], format="csr"), np.concatenate([[1, 0, 0], y]))
    assert classifier.report_["empty_rows"] == 3
    assert classifier.predict(empty).tolist() == [0, 0, 0]
    assert np.isfinite(classifier.score_samples(empty)).all()
    if classifier.is_transductive:
        assert classifier.transduction_[:3].tolist() == [1, 0, 0]


def test_positives_without_a_word_are_refused(classifier):
    with pytest.raises(ValueError, match="every positive sample is empty"):
        classifier.fit([[0.0, 0], [1, 0], [0, 1]], [1, 0, 0])


def test_identical_texts_have_one_score(classifier):
    X = np.tile([[1.0, 2, 0]], (12, 1))
    scores = classifier.fit(X, [1] * 4 + [0] * 8).score_samples(X)
    assert np.isfinite(scores).all()
    assert_allclose(scores, scores[0])


def test_unlabeled_copies_of_positives_are_allowed(classifier, pu_data):
    X, y, _ = pu_data
    copies = X[y == 1]
    stacked = sp.vstack([X, copies], format="csr")
    classifier.fit(stacked, np.concatenate([y, np.zeros(copies.shape[0], dtype=int)]))
    assert_allclose(classifier.score_samples(copies), classifier.score_samples(X)[y == 1])


def test_term_without_training_texts_does_not_break_a_score(classifier, pu_data):
    X, y, _ = pu_data
    wider = sp.hstack([X, sp.csr_array((X.shape[0], 1))], format="csr")
    new = wider[:1].tolil()
    new[0, X.shape[1]] = 1
    assert np.isfinite(classifier.fit(wider, y).score_samples(new.tocsr())).all()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_no_numbers_are_refused(classifier, pu_data, value):
    X, y, _ = pu_data
    broken = X.copy()
    broken.data[0] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        clone(classifier).fit(broken, y)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        classifier.fit(X, y).score_samples(broken)
