"""Specification B1 and B2; the numbers are those of their toy examples."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit

from core.kernels.bayes.positive_naive_bayes import (
    candidate_labels,
    candidate_log_odds,
    document_counts,
    largest_prior,
    negative_presence_probabilities,
    negative_word_counts,
    presence,
    presence_probabilities,
    presence_weights,
    prior_grid,
)

X = sp.csr_array([[1.0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]])
IS_POSITIVE = np.array([True, True, False, False, False, False])
NONE = np.zeros(6, dtype=bool)
COUNTS = document_counts(X, IS_POSITIVE, NONE)


def test_positive_probabilities_are_those_of_the_toy_example():
    assert presence_probabilities(COUNTS).tolist() == [0.75, 0.5, 0.25]


@pytest.mark.parametrize(
    ("class_prior", "probabilities", "log_odds", "posteriors"),
    [
        (0.25, [0.25, 0.5, 0.75], [1.098612, -3.295837], [0.75, 0.035714]),
        (0.50, [0.222222, 0.5, 0.777778], [2.432791, -2.269960], [0.919294, 0.093642]),
        (0.75, [0.235294, 0.5, 0.764706], [3.417086, -1.137448], [0.968234, 0.242789]),
    ],
)
def test_negative_table_is_that_of_the_toy_example(
    class_prior, probabilities, log_odds, posteriors
):
    actual = negative_presence_probabilities(COUNTS, class_prior)
    assert_allclose(actual, probabilities, atol=1e-6)
    scores = candidate_log_odds(X[2:], COUNTS, np.array([class_prior]))[:, 0]
    # The last three rows differ in a term of which both probabilities are 0.5.
    assert_allclose(scores, [log_odds[0]] + [log_odds[1]] * 3, atol=1e-6)
    assert_allclose(expit(scores), [posteriors[0]] + [posteriors[1]] * 3, atol=1e-6)


def test_largest_prior_is_the_least_bound_of_the_toy_example():
    assert_allclose(largest_prior(COUNTS), 0.444444, atol=1e-6)


@pytest.mark.parametrize("presence_only", [False, True])
def test_terms_that_no_document_has_are_no_part_of_the_vocabulary(presence_only):
    wider = sp.hstack([X, sp.csr_array((6, 1000))], format="csr")
    counts = document_counts(wider, IS_POSITIVE, NONE)
    expected, constant = presence_weights(COUNTS, 0.25, presence_only=presence_only)
    weights, wider_constant = presence_weights(counts, 0.25, presence_only=presence_only)
    assert_array_equal(weights, np.pad(expected, (0, 1000)))
    assert_allclose(wider_constant, constant, atol=1e-12)
    assert largest_prior(counts) == largest_prior(COUNTS)


def test_expected_negative_words_are_those_of_the_toy_example():
    positive, unlabeled = np.array([8.0, 1, 0]), np.array([3.0, 1, 6])
    negative = negative_word_counts(positive, unlabeled, 0.25, 1.0, 3)
    assert_allclose(negative, [1.125, 0.583333, 5.791667], atol=1e-6)


def test_log_odds_equal_the_product_over_all_terms():
    random = np.random.default_rng(0)
    rows = (random.random((30, 8)) < 0.4).astype(float)
    counts = document_counts(sp.csr_array(rows), np.arange(30) < 6, np.arange(30) > 26)
    priors = np.array([0.1, 0.6])
    actual = candidate_log_odds(sp.csr_array(rows), counts, priors, 0.3)
    for column, prior in enumerate(priors):
        given_positive = presence_probabilities(counts, 0.3)
        given_negative = negative_presence_probabilities(counts, prior, 0.3)
        likelihoods = [
            np.prod(np.where(rows > 0, table, 1 - table), axis=1)
            for table in (given_positive, given_negative)
        ]
        expected = np.log(prior * likelihoods[0]) - np.log((1 - prior) * likelihoods[1])
        assert_allclose(actual[:, column], expected)
    labels = candidate_labels(sp.csr_array(rows), counts, priors, 0.3)
    assert_array_equal(labels, actual > 0)


def test_absent_terms_say_nothing_where_presence_alone_counts():
    weights, constant = presence_weights(COUNTS, 0.25, presence_only=True)
    assert_allclose(weights, np.log([0.75 / 0.25, 1, 0.25 / 0.75]))
    assert constant == 0


def test_judged_negatives_are_added_to_the_expected_ones():
    is_judged = np.arange(6) == 5
    wider = sp.hstack([X, is_judged[:, None].astype(float)], format="csr")
    counts = document_counts(wider, IS_POSITIVE, is_judged)
    # Of 3 unlabeled documents (1, 1, 2, 0) have the terms; half of them are spread like positives.
    n_with = [max(0, 1 - 1.5 * 0.75) + 0, 1 - 1.5 * 0.5 + 1, 2 - 1.5 * 0.25 + 1, 1]
    n_without = [2 - 1.5 * 0.25 + 1, 2 - 1.5 * 0.5 + 0, max(0, 1 - 1.5 * 0.75) + 0, 3 - 1.5 * 0.75]
    expected = [(1 + a) / (2 + a + b) for a, b in zip(n_with, n_without, strict=True)]
    assert_allclose(negative_presence_probabilities(counts, 0.5), expected)


def test_counts_of_row_blocks_add_up():
    first = document_counts(X[:3], IS_POSITIVE[:3], NONE[:3])
    second = document_counts(X[3:], IS_POSITIVE[3:], NONE[3:])
    for whole, *parts in zip(COUNTS, first, second, strict=True):
        assert_allclose(whole, parts[0] + parts[1])


def test_empty_documents_are_not_counted():
    longer = sp.vstack([X, sp.csr_array((2, 3))], format="csr")
    counts = document_counts(longer, np.append(IS_POSITIVE, [True, False]), np.zeros(8, dtype=bool))
    assert counts[3:] == COUNTS[3:] == (2, 4, 0)


def test_presence_does_not_touch_the_counts():
    rows = sp.csr_array([[3.0, 0], [0, 2]])
    assert presence(rows).toarray().tolist() == [[1, 0], [0, 1]]
    assert rows.toarray().tolist() == [[3, 0], [0, 2]]


def test_grid_of_priors_leaves_out_both_ends():
    assert prior_grid(0.25).tolist() == [0.25, 0.5, 0.75]
    assert prior_grid(0.3).tolist() == [0.3, 0.6, 0.9]
    assert len(prior_grid(0.05)) == 19
