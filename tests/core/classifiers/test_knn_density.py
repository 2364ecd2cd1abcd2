"""Specification A2; cosines of its toy data by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.classifiers.knn_density import KNNDensity

POSITIVES = np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 1]])
QUERIES = np.array([[1.0, 1, 1], [0, 0, 1]])


def fitted(X, **parameters):
    return KNNDensity(pos_label=1, **parameters).fit(X, np.ones(len(X)))


@pytest.mark.parametrize(
    ("n_neighbors", "expected"),
    [
        # Cosines with the positives: 1/sqrt(3), 2/sqrt(6), 2/sqrt(6); 0, 0, 1/sqrt(2).
        (1, [2 / 6**0.5, 1 / 2**0.5]),
        (2, [2 / 6**0.5, 1 / 8**0.5]),
        (3, [(1 / 3**0.5 + 4 / 6**0.5) / 3, 1 / 18**0.5]),
        (9, [(1 / 3**0.5 + 4 / 6**0.5) / 3, 1 / 18**0.5]),
    ],
)
def test_score_is_the_mean_cosine_to_the_nearest_positives(n_neighbors, expected):
    classifier = fitted(POSITIVES, n_neighbors=n_neighbors)
    assert_allclose(classifier.score_samples(QUERIES), expected)


@pytest.mark.parametrize("n_neighbors", [1, 3, 20])
def test_cut_compares_each_positive_with_the_others(n_neighbors):
    X = np.random.default_rng(0).random((9, 6))
    left_out = [
        fitted(np.delete(X, i, axis=0), n_neighbors=n_neighbors).score_samples(X[[i]])[0]
        for i in range(9)
    ]
    for threshold, expected in [
        ("min", min(left_out)),
        ("mean", np.mean(left_out)),
        ("auto", np.quantile(left_out, 0.05)),
    ]:
        classifier = fitted(X, n_neighbors=n_neighbors, threshold=threshold)
        assert_allclose(classifier.offset_, expected)


def test_one_seed_takes_the_fixed_threshold():
    assert fitted(POSITIVES[:1], threshold="quantile").offset_ == 0.05


def test_explanations_add_up_to_the_score():
    X = np.random.default_rng(0).random((9, 6))
    classifier = fitted(X)
    assert_allclose(classifier.explain(X).sum(axis=1), classifier.score_samples(X))
