"""Specification B2; the numbers are those of its toy examples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.classifiers.pnb import PNB

BINARY = np.array([[1.0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]])
# Totals (8, 1, 0) of the positives and (3, 1, 6) of the unlabeled texts.
COUNTS = np.array([[5.0, 1, 0], [3, 0, 0], [3, 0, 0], [0, 1, 0], [0, 0, 3], [0, 0, 3]])
Y = [1, 1, 0, 0, 0, 0]
WORDS = np.array([9, 2, 1]) / 12


def negative_probabilities(classifier):
    """Undo the weights log(+/-) of the multinomial toy example."""
    return WORDS / np.exp(classifier.coef_)


def multinomial(**parameters):
    parameters = {"class_prior": 0.25, "length_correction": False, "smoothing": 1} | parameters
    return PNB(event_model="multinomial", **parameters)


def test_presence_gives_the_log_odds_of_the_toy_example():
    classifier = PNB(class_prior=0.25, smoothing=1).fit(BINARY, Y)
    assert_allclose(classifier.score_samples(BINARY[2:]), [1.098612] + [-3.295837] * 3, atol=1e-6)
    assert_allclose(classifier.predict_proba(BINARY[2:4])[:, 1], [0.75, 0.035714], atol=1e-6)
    assert_allclose(classifier.report_["largest_class_prior"], 0.444444, atol=1e-6)


def test_presence_does_not_count_how_often():
    classifier = PNB().fit(BINARY, Y)
    assert_allclose(PNB().fit(5 * BINARY, Y).coef_, classifier.coef_)
    assert_allclose(classifier.score_samples(4 * BINARY), classifier.score_samples(BINARY))


def test_occurrences_give_the_probabilities_of_the_toy_example():
    classifier = multinomial().fit(COUNTS, Y)
    expected = [0.202381, 0.150794, 0.646825]
    assert_allclose(negative_probabilities(classifier), expected, atol=1e-6)
    assert_allclose(classifier.intercept_, np.log(0.25 / 0.75))


def test_longer_positives_hold_more_of_the_occurrences():
    # Mean lengths 4.5 and 2.5: a quarter of the texts holds 0.45 of the occurrences.
    classifier = multinomial(length_correction=True).fit(COUNTS, Y)
    negative = np.maximum(0, np.array([3, 1, 6]) - 0.45 * 10 * WORDS)
    assert_allclose(negative_probabilities(classifier), (1 + negative) / (3 + negative.sum()))
    assert_allclose(classifier.intercept_, np.log(0.25 / 0.75))
    # (N_U + 1) / (T_U + V) over the positive probability, over the ratio of the lengths.
    bound = min(np.array([4, 2, 7]) / 13 / WORDS) / 1.8
    assert_allclose(classifier.report_["largest_class_prior"], bound)


def test_judged_negatives_add_their_occurrences():
    is_negative = np.arange(6) == 5
    classifier = multinomial(class_prior=0.5).fit(COUNTS, Y, is_negative=is_negative)
    negative = np.maximum(0, np.array([3, 1, 3]) - 0.5 * 7 * WORDS) + np.array([0, 0, 3])
    assert_allclose(negative_probabilities(classifier), (1 + negative) / (3 + negative.sum()))


def test_positives_that_would_hold_all_occurrences_are_flagged():
    # Four times as long as the others, half of which they shall be: cut at 0.99 of 10.
    rows = np.vstack([[[8, 2, 0], [8, 2, 0]], COUNTS[2:]])
    classifier = multinomial(class_prior=0.5, length_correction=True).fit(rows, Y)
    assert "prior_too_large" in classifier.report_["flags"]
    words = np.array([17, 5, 1]) / 23
    negative = np.maximum(0, np.array([3, 1, 6]) - 0.99 * 10 * words)
    expected = (1 + negative) / (3 + negative.sum())
    assert_allclose(words / np.exp(classifier.coef_), expected)


def test_prior_stays_one_text_away_from_none_and_all():
    assert PNB(class_prior=0.001).fit(BINARY, Y).report_["class_prior"] == 0.25
    assert PNB(class_prior=0.999).fit(BINARY, Y).report_["class_prior"] == 0.75


def test_larger_prior_accepts_more(pu_data):
    X, y, _ = pu_data
    accepted = [
        PNB(class_prior=prior).fit(X, y).predict(X[y == 0]).sum() for prior in (0.1, 0.5, 0.9)
    ]
    assert accepted == sorted(accepted)
    assert accepted[0] < accepted[2]


def test_length_normalized_scores_do_not_grow_with_the_text():
    classifier = multinomial(length_normalize=True).fit(COUNTS, Y)
    scores = classifier.score_samples([[2.0, 0, 1], [20, 0, 10]])
    expected = (2 * classifier.coef_[0] + classifier.coef_[2]) / 3 + classifier.intercept_
    assert_allclose(scores, expected)


@pytest.mark.parametrize("event_model", ["bernoulli", "multinomial"])
def test_hidden_share_is_found_where_the_prior_is_right(event_model, pu_data):
    X, y, y_true = pu_data
    prior = y_true[y == 0].mean()
    classifier = PNB(class_prior=prior, event_model=event_model).fit(X, y)
    assert abs(classifier.predict(X[y == 0]).mean() - prior) < 0.05


def test_columns_without_occurrences_are_no_part_of_the_vocabulary():
    wider = multinomial().fit(np.pad(COUNTS, ((0, 0), (0, 50))), Y)
    expected = multinomial().fit(COUNTS, Y)
    assert_allclose(wider.coef_, np.pad(expected.coef_, (0, 50)))
    assert wider.report_ == expected.report_
