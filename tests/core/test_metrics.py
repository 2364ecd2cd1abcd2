"""Specification part F; the numbers are those of its toy examples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import precision_recall_fscore_support, roc_auc_score

from core.metrics import contingency_bounds, lee_liu_score, pu_auc, pu_scores, recall_interval

# Recall 0.8 on five held-out positives, 0.4 of ten unlabeled samples predicted positive.
Y = np.repeat([1, 0], [5, 10])
PREDICTED = np.concatenate([[1, 1, 1, 1, 0], np.repeat([1, 0], [4, 6])])


def test_recall_interval_leaves_half_the_error_on_each_side():
    recall, low, high = recall_interval(Y, PREDICTED, confidence=0.9)
    assert recall == 0.8
    assert_allclose(binom.sf(3, 5, low), 0.05, atol=1e-6)  # four or more of five
    assert_allclose(binom.cdf(4, 5, high), 0.05, atol=1e-6)  # four or fewer


def test_lee_liu_score_needs_no_prior():
    assert_allclose(lee_liu_score(Y, PREDICTED), 1.6)
    assert_allclose(lee_liu_score(Y, PREDICTED, single_set=True), 0.64 / (8 / 15))
    assert lee_liu_score(Y, np.zeros(15)) == 0


def test_scores_follow_from_recall_and_prior():
    scores = pu_scores(Y, PREDICTED, class_prior=0.3)
    assert_allclose(scores["recall"], 0.8)
    assert_allclose(scores["precision"], 0.6)
    assert_allclose(scores["f1"], 0.685714, atol=1e-6)
    assert_allclose(scores["false_positive_rate"], 0.228571, atol=1e-6)
    assert_allclose(scores["accuracy"], 0.3 * 0.8 + 0.7 * (1 - 0.228571), atol=1e-6)


def test_scores_equal_the_true_ones_where_labels_are_missing_at_random():
    # Held-out positives with the recall of the hidden ones exactly: 3 of 4 and 30 of 40.
    truth = np.repeat([1, 0], [40, 60])
    accepted = np.concatenate([np.repeat([1, 0], [30, 10]), np.repeat([1, 0], [6, 54])])
    y = np.concatenate([[1] * 4, [0] * 100])
    scores = pu_scores(y, np.concatenate([[1, 1, 1, 0], accepted]), class_prior=0.4)
    precision, recall, f1, _ = precision_recall_fscore_support(truth, accepted, average="binary")
    actual = [scores[name] for name in ("precision", "recall", "f1", "accuracy")]
    assert_allclose(actual, [precision, recall, f1, (30 + 54) / 100])


def test_nothing_predicted_scores_zero():
    scores = pu_scores(Y, np.zeros(15), class_prior=0.3)
    assert (scores["precision"], scores["recall"], scores["f1"]) == (0, 0, 0)


def test_prior_at_odds_with_the_predictions_warns():
    with pytest.warns(UndefinedMetricWarning, match="account for more"):
        scores = pu_scores(Y, PREDICTED, class_prior=0.6)
    assert (scores["precision"], scores["false_positive_rate"]) == (1, 0)


def test_prior_that_leaves_fewer_negatives_than_are_accepted_warns():
    # One of four positives and eight of ten unlabeled samples: at most 0.4 + 0.6 / 4 may be.
    y, y_pred = np.repeat([1, 0], [4, 10]), np.repeat([1, 0, 1, 0], [1, 3, 8, 2])
    with pytest.warns(UndefinedMetricWarning, match="leave room for less"):
        assert pu_scores(y, y_pred, class_prior=0.6)["false_positive_rate"] == 1


def test_bounds_hold_for_every_possible_truth():
    bounds = contingency_bounds(400, 1000, class_prior=0.3)
    assert_allclose(bounds["precision"], [0, 0.75])
    assert_allclose(bounds["recall"], [0, 1])
    # 900 predicted and 300 positive of 1,000: at least 200 of them are among the predicted.
    assert_allclose(contingency_bounds(900, 1000, class_prior=0.3)["recall"], [2 / 3, 1])
    assert contingency_bounds(0, 10, class_prior=0.3)["precision"] == (0, 0)
    # All are predicted: both bounds are known, whatever 0.3 and 2 round to.
    assert contingency_bounds(2, 2, class_prior=0.3) == {"precision": (0.3, 0.3), "recall": (1, 1)}


def test_area_is_corrected_for_hidden_positives():
    # One positive above four unlabeled samples of five: AUC_PU = 0.8.
    y, scores = [1, 0, 0, 0, 0, 0], [5, 6, 4, 3, 2, 1]
    assert_allclose(pu_auc(y, scores), 0.8)
    assert_allclose(pu_auc(y, scores, class_prior=0.3), 0.928571, atol=1e-6)


def test_corrected_area_is_that_against_the_negatives():
    # The hidden positives have exactly the scores of the held-out ones.
    rng = np.random.default_rng(0)
    positive, negative = rng.normal(1, size=30), rng.normal(size=70)
    y = np.repeat([1, 0], [30, 100])
    area = pu_auc(y, np.concatenate([positive, positive, negative]), class_prior=0.3)
    truth = roc_auc_score(np.repeat([1, 0], [30, 70]), np.concatenate([positive, negative]))
    assert_allclose(area, truth)


def test_area_above_one_is_clipped_with_a_warning():
    with pytest.warns(UndefinedMetricWarning, match="too large"):
        assert pu_auc([1, 0], [2, 1], class_prior=0.3) == 1


@pytest.mark.parametrize("class_prior", [0, 1, -0.5, float("nan")])
def test_prior_out_of_range_is_refused(class_prior):
    with pytest.raises(ValueError, match="class_prior"):
        pu_scores(Y, PREDICTED, class_prior=class_prior)
    with pytest.raises(ValueError, match="class_prior"):
        pu_auc(Y, PREDICTED / 1, class_prior=class_prior)
    with pytest.raises(ValueError, match="class_prior"):
        contingency_bounds(1, 2, class_prior=class_prior)


@pytest.mark.parametrize("metric", [recall_interval, lee_liu_score, pu_auc])
def test_missing_positives_are_refused(metric):
    with pytest.raises(ValueError, match="no sample of the positive class"):
        metric([0, 0], [1, 0])


@pytest.mark.parametrize("metric", [lee_liu_score, pu_auc])
def test_missing_unlabeled_samples_are_refused(metric):
    with pytest.raises(ValueError, match="unlabeled samples are needed"):
        metric([1, 1], [1, 0])


def test_weights_count_as_so_many_samples():
    weights = np.random.default_rng(0).integers(1, 5, 15)
    repeated = np.repeat(Y, weights), np.repeat(PREDICTED, weights)
    for single_set in (False, True):
        expected = lee_liu_score(*repeated, single_set=single_set)
        weighted = lee_liu_score(Y, PREDICTED, single_set=single_set, sample_weight=weights)
        assert_allclose(weighted, expected)


def test_labels_in_place_of_scores_are_told():
    for y, labels in [(Y, PREDICTED), (Y == 1, PREDICTED == 1), (Y, np.zeros_like(Y))]:
        with pytest.warns(UserWarning, match='response_method="decision_function"'):
            pu_auc(y, labels, pos_label=y[0])
    # Scores may well have two values, of a type of their own.
    assert pu_auc(Y, PREDICTED.astype(float)) == pu_auc(Y, PREDICTED - 0.5)


def test_more_predictions_than_samples_are_refused():
    with pytest.raises(ValueError, match="n_predicted"):
        contingency_bounds(11, 10, class_prior=0.3)


def test_labels_may_be_words():
    y = ["yes", "yes", "?", "?"]
    assert lee_liu_score(y, ["yes", "yes", "yes", "?"], pos_label="yes") == 2


@pytest.mark.parametrize("confidence", [0, 1, 95, np.nan])
def test_confidence_out_of_range_is_refused(confidence):
    with pytest.raises(ValueError, match="'confidence' parameter of recall_interval must be"):
        recall_interval([1, 1, 0], [1, 0, 0], confidence=confidence)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 1], "inconsistent numbers"),
        ([1, -1, 1], "not negative"),
        ([1, np.nan, 1], "finite"),
        ([1, None, 1], "finite"),
        (["1", "a", "1"], "could not convert"),
        ([0, 0, 1], "0 for all positives"),
        ([1, 1, 0], "0 for all positives, or for all unlabeled"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, words):
    with pytest.raises(ValueError, match=words):
        lee_liu_score([1, 1, 0], [1, 0, 0], sample_weight=weights)


@pytest.mark.parametrize("metric", [lee_liu_score, recall_interval, pu_auc])
def test_missing_labels_are_refused(metric):
    with pytest.raises(ValueError, match="y contains NaN or None"):
        metric([1, 1, np.nan, 0], [1, 0, 1, 0])


@pytest.mark.parametrize("metric", [lee_liu_score, recall_interval])
def test_missing_predictions_are_not_taken_for_missing_labels(metric):
    with pytest.raises(ValueError, match=r"^y_pred contains NaN or None, in row 2\. Pass what pre"):
        metric([1, 1, 0, 0], [1, 0, np.nan, 0])


def test_scores_in_place_of_labels_are_refused():
    for y_pred in ([0.9, 0.1, 0.3, 0.2], np.array([1, 1, 0, 0.5]), [1.0, 0.0, -np.inf, 0.0]):
        with pytest.raises(ValueError, match="the predicted labels are scores"):
            pu_scores([1, 1, 0, 0], y_pred, class_prior=0.2)
    assert lee_liu_score([1, 1, 0, 0], [1.0, 0.0, 1.0, 0.0]) == 0.5
    halves = [1.5, 1.5, 0.5, 0.5]
    assert lee_liu_score(halves, [1.5, 0.5, 1.5, 0.5], pos_label=1.5) == 0.5


@pytest.mark.parametrize("numbers", [(400.5, 1000), (-1, 10), (0, 0)])
def test_bounds_are_those_of_whole_numbers(numbers):
    with pytest.raises(ValueError, match="must be an int"):
        contingency_bounds(*numbers, class_prior=0.3)


@pytest.mark.parametrize(
    ("y", "y_pred"), [([1, 0], ["1", "0"]), ([1, 0], np.array(["a", "b"], dtype=object))]
)
def test_predicted_labels_of_another_kind_are_refused(y, y_pred):
    with pytest.raises(ValueError, match="both must be words, or both numbers"):
        lee_liu_score(y, y_pred)
    with pytest.raises(ValueError, match="both must be words, or both numbers"):
        lee_liu_score(y_pred, y, pos_label=y_pred[0])
