"""Specification B5; the numbers are those of its toy example."""

import numpy as np
from numpy.testing import assert_allclose

from core.classifiers.nearest_neighbor import NearestNeighbor

POSITIVES = np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 1]])
QUERIES = np.array([[1.0, 1, 1], [0, 0, 1]])


def fitted(X=POSITIVES, **parameters):
    return NearestNeighbor(pos_label=1, **parameters).fit(X, np.ones(len(X)))


def test_scores_are_those_of_the_worked_example():
    assert_allclose(fitted().score_samples(QUERIES), [0.816497, 0.707107], atol=1e-6)


def test_left_out_similarities_are_those_of_the_worked_example():
    assert_allclose(fitted(relative=True).similarity_, [0.707107, 0.707107, 0.5], atol=1e-6)
    assert_allclose(fitted(threshold="min").offset_, 0.5)
    assert_allclose(fitted(threshold="mean").offset_, (2 * 0.5**0.5 + 0.5) / 3)


def test_few_seeds_take_the_fixed_threshold():
    assert fitted().offset_ == 0.1
    assert fitted(POSITIVES[:1], threshold="quantile").offset_ == 0.1


def test_relative_scores_subtract_how_near_the_neighbor_has_its_own():
    classifier = fitted(relative=True)
    queries = [[1, 0, 0], [0, 0, 1], [0, 1, 1]]
    # The neighbors are the first, the third and the third positive.
    expected = [1 - 0.5**0.5, 0.5**0.5 - 0.5, 1 - 0.5]
    assert_allclose(classifier.score_samples(queries), expected)
    assert classifier.offset_ == 0


def test_without_a_shared_term_nothing_is_near():
    X = np.array([[1.0, 0, 0], [1, 1, 0]])
    assert fitted(X, relative=True).score_samples([[0, 0, 1]]).tolist() == [-1]
    assert fitted(X).score_samples([[0, 0, 1]]).tolist() == [0]


def test_relative_to_positives_that_share_no_term_only_what_is_near_one_is_accepted():
    classifier = fitted([[1, 0, 0, 0], [0, 1, 0, 0]], relative=True)
    X = [[0, 0, 1, 0], [0, 0, 0, 0], [4, 3, 0, 0]]
    assert_allclose(classifier.score_samples(X), [-1, -1, 0.8])
    assert classifier.predict(X).tolist() == [0, 0, 1]


def test_one_seed_has_no_neighbor_to_be_relative_to():
    classifier = fitted(POSITIVES[1:2], relative=True)
    assert classifier.report_["flags"] == ["one_seed"]
    assert classifier.offset_ == 0.1
    assert_allclose(classifier.score_samples([[1, 0, 0], [0, 0, 1]]), [0.5**0.5, 0])


def test_explanations_add_up_to_the_score():
    classifier = fitted()
    assert_allclose(classifier.explain(QUERIES).sum(axis=1), classifier.score_samples(QUERIES))
