"""Specification B9; it has no toy example: numbers are derived here."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.classifiers.one_class_nb import OneClassNB

X = np.array([[2.0, 1, 0], [1, 0, 0], [0, 1, 2], [0, 0, 1]])
Y = [1, 1, 0, 0]


def test_score_is_the_mean_log_ratio_of_the_occurrences():
    classifier = OneClassNB(smoothing=1).fit(X, Y)
    # Totals (3, 1, 0) of the positives, (0, 1, 3) of the others.
    ratios = np.log(np.array([4, 2, 1]) / 7) - np.log(np.array([1, 2, 4]) / 7)
    assert_allclose(classifier.coef_, ratios)
    expected = [(2 * ratios[0] + ratios[1]) / 3, ratios[0]]
    assert_allclose(classifier.score_samples(X[:2]), expected)
    assert_allclose(classifier.explain(X[:2]).sum(axis=1), expected)


def test_presence_counts_texts_with_a_term():
    classifier = OneClassNB(smoothing=1, event_model="bernoulli").fit(X, Y)
    ratios = np.log(np.array([3, 2, 1]) / 4) - np.log(np.array([1, 2, 3]) / 4)
    assert_allclose(classifier.coef_, ratios)
    assert_allclose(classifier.score_samples(X[:1]), ratios[:2].mean())


def test_published_background_is_uniform():
    classifier = OneClassNB(smoothing=1, background="uniform").fit(X, Y)
    assert_allclose(classifier.coef_, np.log(np.array([4, 2, 1]) / 7 * 3))
    alone = OneClassNB(smoothing=1, pos_label=1).fit(X[:2], [1, 1])
    # The third term is no part of their vocabulary.
    assert_allclose(alone.coef_, [np.log(4 / 6 * 2), np.log(2 / 6 * 2), 0])
    assert alone.report_["background"] == "uniform"


@pytest.mark.parametrize("event_model", ["multinomial", "bernoulli"])
@pytest.mark.parametrize("background", ["unlabeled", "uniform"])
@pytest.mark.parametrize("n_rows", [20, 60])
def test_left_out_scores_equal_refitting_without_each_positive(
    event_model, background, n_rows, pu_data
):
    counts, y, _ = pu_data
    rows = counts[:n_rows].toarray()
    is_own = rows[:7].any(axis=0) & (np.count_nonzero(rows, axis=0) == 1)
    assert is_own.any() == (n_rows == 20)
    y = np.arange(n_rows) < 7
    parameters = {"event_model": event_model, "background": background}
    left_out = [
        OneClassNB(**parameters)
        .fit(np.delete(rows, i, axis=0), np.delete(y, i))
        .score_samples(rows[[i]])[0]
        for i in range(7)
    ]
    classifier = OneClassNB(threshold="min", **parameters).fit(rows, y)
    assert_allclose(classifier.offset_, min(left_out))


def test_few_positives_are_cut_where_the_background_is_as_likely():
    assert OneClassNB().fit(X, Y).offset_ == 0
    assert OneClassNB(threshold=0.5).fit(X, Y).offset_ == 0.5


@pytest.mark.parametrize("others", [[], [[0.0, 0]]])
def test_a_positive_that_has_all_terms_alone_leaves_nothing_to_warn_of(others):
    classifier = OneClassNB(pos_label=1).fit([[2.0, 1], *others], [1] + [0] * len(others))
    assert classifier.offset_ == 0
    assert classifier.predict([[2, 1]]) == [1]
