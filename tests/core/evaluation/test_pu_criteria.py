"""Specification D4, F7 and F8; the numbers are those of the toy examples."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import accuracy_score, roc_auc_score

from core.evaluation.pu_criteria import aul_score, proxy_accuracy, pu_risk_score

G_POSITIVE, G_UNLABELED = [2, -1], [1, -2, 0.5]
Y = np.array([1, 1, 0, 0, 0])


@pytest.mark.parametrize(
    ("unlabeled", "loss", "non_negative", "expected"),
    [
        (G_UNLABELED, "sigmoid", False, 0.431012),
        (G_UNLABELED, "sigmoid", True, 0.431012),
        ([-3, -4, -3], "sigmoid", False, -0.022283),
        ([-3, -4, -3], "sigmoid", True, 0.170052),
        (G_UNLABELED, "logistic", False, 0.604756),
        (G_UNLABELED, "double_hinge", False, 0.383333),
        # Half of the positives missed, 2/3 or none of the unlabeled accepted.
        (G_UNLABELED, "zero_one", False, 2 * 0.4 * 0.5 + 2 / 3 - 0.4),
        ([-3, -4, -3], "zero_one", False, 0.0),
        ([-3, -4, -3], "zero_one", True, 0.4 * 0.5),
    ],
)
def test_risks_of_the_toy_example(unlabeled, loss, non_negative, expected):
    risk = pu_risk_score(
        Y, G_POSITIVE + unlabeled, class_prior=0.4, loss=loss, non_negative=non_negative
    )
    assert_allclose(risk, expected, atol=1e-6)


def test_scores_at_the_cut_are_positive():
    assert pu_risk_score([1, 0], [0, -1], class_prior=0.3) == 0.0
    assert_allclose(pu_risk_score([1, 0], [-1, 0], class_prior=0.3), 0.3 + 1)


def test_unknown_loss_is_refused():
    with pytest.raises(ValueError, match="logistic"):
        pu_risk_score(Y, np.zeros(5), class_prior=0.4, loss="logistics")


@pytest.mark.parametrize("criterion", [partial(pu_risk_score, loss="sigmoid"), proxy_accuracy])
def test_class_prior_leaves_both_classes(criterion):
    for class_prior in (0, 1):
        with pytest.raises(ValueError, match="class_prior must be a number in"):
            criterion(Y, np.array([2, -1, 1, -2, 1]), class_prior=class_prior)


# 40 positives of 100, of which 30 are accepted, and 6 of the others: labels at random, exactly.
TRUTH = np.repeat([1, 0], [40, 60])
ACCEPTED = np.repeat([1, 0, 1, 0], [30, 10, 6, 54])


def test_proxy_accuracy_of_two_samples_is_accuracy_and_prior():
    y = np.append([1] * 4, np.zeros(100))
    predicted = np.append([1, 1, 1, 0], ACCEPTED)
    expected = accuracy_score(TRUTH, ACCEPTED) + 0.4
    assert_allclose(proxy_accuracy(y, predicted, class_prior=0.4), expected)


def test_proxy_accuracy_of_one_sample_is_that_of_all():
    # 20 of the 40 are labeled, 15 of these accepted; 20 of the 80 others are positive.
    is_labeled = np.zeros(100, dtype=int)
    is_labeled[np.r_[:15, 30:35]] = 1
    expected = accuracy_score(TRUTH, ACCEPTED) + 0.4
    actual = proxy_accuracy(is_labeled, ACCEPTED, class_prior=20 / 80, single_set=True)
    assert_allclose(actual, expected)


def test_area_under_the_lift_follows_from_that_under_the_roc_curve():
    rng = np.random.default_rng(0)
    truth = np.repeat([1, 0], [300, 700])
    scores = np.round(rng.normal(size=1000) + truth, 1)  # with ties
    auc = roc_auc_score(truth, scores)
    # Labels at random, exactly: each positive twice, hidden and labeled.
    y = np.append(np.ones(300), np.zeros(1000))
    assert_allclose(aul_score(y, np.append(scores[:300], scores)), 0.3 / 2 + 0.7 * auc)

    # As one sample: against all, slowly.
    y = (np.arange(1000) < 50).astype(int)
    above = scores[:50, None] > scores
    pairs = above + 0.5 * (scores[:50, None] == scores)
    assert_allclose(aul_score(y, scores, single_set=True), pairs.mean())


@pytest.mark.parametrize("loss", ["zero_one", "sigmoid"])
def test_decisions_that_are_not_finite_are_refused(loss):
    with pytest.raises(ValueError, match="decisions contains NaN"):
        pu_risk_score([1, 1, 0, 0], [1, np.nan, 0, 1], class_prior=0.3, loss=loss)


@pytest.mark.parametrize("loss", ["zero_one", "sigmoid"])
def test_risks_of_words_are_those_of_numbers(loss):
    decisions = [2, -1, 1, -2, 0.5]
    words = pu_risk_score(
        ["rain", "rain", "?", "?", "?"], decisions, class_prior=0.4, loss=loss, pos_label="rain"
    )
    assert words == pu_risk_score([1, 1, 0, 0, 0], decisions, class_prior=0.4, loss=loss)


def test_labels_in_place_of_decisions_warn():
    with pytest.warns(UserWarning, match=r"labels: give what decision_function .* response_method"):
        risk = pu_risk_score(Y, np.array([1, 0, 1, 0, 0]), class_prior=0.4)
    # No label is below zero, so all are accepted, and the negatives, 1 - 0.4, are wrong.
    assert_allclose(risk, 0.6)
