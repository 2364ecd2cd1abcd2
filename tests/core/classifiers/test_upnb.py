"""Specification B3: positive naive Bayes with a chosen prior."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.classifiers.pnb import PNB
from core.classifiers.upnb import UPNB
from core.datasets import make_pu_data
from core.kernels.bayes.positive_naive_bayes import presence
from core.kernels.rows.row_hash import content_order
from core.validation import canonical_csr


@pytest.mark.parametrize("selection", ["lee_liu", "scar"])
def test_result_is_positive_naive_bayes_at_the_chosen_prior(selection, pu_data):
    X, y, _ = pu_data
    classifier = UPNB(selection=selection, random_state=0).fit(X, y)
    expected = PNB(class_prior=classifier.class_prior_).fit(X, y)
    assert_allclose(classifier.score_samples(X), expected.score_samples(X))
    assert classifier.report_["class_prior"] == classifier.class_prior_


def test_smallest_of_the_best_candidates_is_taken(pu_data):
    X, y, _ = pu_data
    classifier = UPNB(random_state=0).fit(X, y)
    curve = classifier.report_["curve"]
    assert_allclose(curve["class_prior"], np.arange(1, 20) / 20)
    best = max(curve["lee_liu"])
    first = next(i for i, quality in enumerate(curve["lee_liu"]) if quality >= best - 1e-12)
    assert classifier.class_prior_ == curve["class_prior"][first]


def lee_liu(X, y, folds):
    """Return recall squared over share accepted, of labels by fits without each fold."""
    accepted = np.zeros(len(y))
    for held_out in folds:
        rest = np.setdiff1d(np.arange(len(y)), held_out)
        model = PNB(class_prior=0.5).fit(X[rest], y[rest])
        accepted[held_out] = model.predict(X[held_out])
    share = accepted[y == 0].mean()
    return accepted[y == 1].mean() ** 2 / share if share else 0


def test_candidates_are_judged_on_texts_that_were_left_out():
    X = np.array([[1.0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]])
    y = np.array([1, 1, 0, 0, 0, 0])
    # One of two positives and half of the others are left out each time: six ways to do so.
    halves = [(2, 3), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)]
    possible = [lee_liu(X, y, [[0, *half], [1, *({2, 3, 4, 5} - set(half))]]) for half in halves]
    for seed in range(5):
        actual = UPNB(grid_step=0.5, random_state=seed).fit(X, y).report_["curve"]["lee_liu"]
        assert np.isclose(actual, possible).any()


@pytest.mark.parametrize("n_positive", [3, 12])
def test_curve_equals_that_of_fits_without_each_part(n_positive, pu_data):
    X, y, y_true = (part[:120] for part in pu_data)
    # In the order of their contents, which is that of the draws.
    order = content_order(presence(canonical_csr(X)), y == 1)
    X, y, y_true = X[order], y[order] * (np.cumsum(y[order]) <= n_positive), y_true[order]
    is_negative = (y_true == 0) & (np.arange(120) % 7 == 0)
    random, folds = np.random.RandomState(3), np.full(120, -1)
    n_folds = min(5, n_positive)
    for members in (np.flatnonzero(y == 1), np.flatnonzero((y == 0) & ~is_negative)):
        folds[members] = random.permutation(len(members)) % n_folds
    expected = []
    for prior in np.arange(1, 10) / 10:
        accepted = np.zeros(120)
        for fold in range(n_folds):
            rest = folds != fold
            model = PNB(class_prior=prior).fit(X[rest], y[rest], is_negative=is_negative[rest])
            accepted[~rest] = model.predict(X[~rest])
        share = accepted[(y == 0) & ~is_negative].mean()
        expected.append(accepted[y == 1].mean() ** 2 / share if share else 0)
    classifier = UPNB(grid_step=0.1, random_state=3).fit(X, y, is_negative=is_negative)
    assert_allclose(classifier.report_["curve"]["lee_liu"], expected)
    assert len(set(expected)) > 2


def test_label_frequency_is_near_the_true_one():
    X, y, y_true = make_pu_data(2000, 200, class_prior=0.4, random_state=0)
    classifier = UPNB(selection="scar", random_state=0).fit(X, y)
    assert abs(classifier.report_["label_frequency"] - 0.5) < 0.1
    assert abs(classifier.class_prior_ - y_true[y == 0].mean()) < 0.1


def test_impossible_estimate_is_cut_and_flagged():
    # Labeled and unlabeled texts are alike: few labels mean that all unlabeled are positive.
    X = np.tile([[1.0, 1], [1, 0]], (30, 1))
    classifier = UPNB(selection="scar", random_state=0).fit(X, np.arange(60) < 4)
    assert "prior_at_bound" in classifier.report_["flags"]
    assert_allclose(classifier.class_prior_, 1 - 1 / 56)


def test_one_unlabeled_text_leaves_nothing_to_choose_by():
    X, y = np.array([[1.0, 0], [1, 1], [0, 1]]), [1, 1, 0]
    classifier = UPNB().fit(X, y)
    assert "selection_failed" in classifier.report_["flags"]
    assert classifier.class_prior_ == 0.5


def test_judged_negatives_are_learned_from(pu_data):
    X, y, y_true = pu_data
    is_negative = (y_true == 0) & (np.arange(len(y)) % 2 == 0)
    classifier = UPNB(random_state=0).fit(X, y, is_negative=is_negative)
    expected = PNB(class_prior=classifier.class_prior_).fit(X, y, is_negative=is_negative)
    assert_allclose(classifier.coef_, expected.coef_)
