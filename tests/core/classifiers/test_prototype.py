"""Specification B4; the numbers are those of its toy example (A2)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.classifiers.prototype import Prototype

POSITIVES = np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 1]])
QUERIES = np.array([[1.0, 1, 1], [0, 0, 1]])


def fitted(**parameters):
    return Prototype(pos_label=1, **parameters).fit(POSITIVES, [1, 1, 1])


def test_scores_are_cosines_to_the_mean_of_unit_rows():
    assert_allclose(fitted().score_samples(QUERIES), [0.949931, 0.303891], atol=1e-6)
    assert_allclose(fitted().score_samples(POSITIVES), [0.733657, 0.948540, 0.644649], atol=1e-6)


@pytest.mark.parametrize("n_positive", [2, 5, 9])
def test_leave_one_out_threshold_equals_refitting_without_each_positive(n_positive):
    X = np.random.default_rng(0).random((n_positive, 6))
    left_out = [
        Prototype(pos_label=1)
        .fit(np.delete(X, i, axis=0), np.ones(n_positive - 1))
        .score_samples(X[[i]])[0]
        for i in range(n_positive)
    ]
    classifier = Prototype(pos_label=1, threshold="min").fit(X, np.ones(n_positive))
    assert_allclose(classifier.offset_, min(left_out))


def test_few_positives_take_the_fixed_threshold():
    assert fitted().offset_ == 0.05


def test_one_seed_is_its_own_prototype():
    classifier = Prototype(threshold="quantile").fit([[3.0, 4], [1, 0]], [1, 0])
    assert_allclose(classifier.score_samples([[3.0, 4], [1, 0]]), [1, 0.6])
    assert classifier.offset_ == 0.05


@pytest.mark.parametrize("unit", [1e-30, 1e30])
def test_squares_beyond_single_precision(unit):
    X = np.array([[3, 4], [1, 0]]) * np.float32(unit)
    assert_allclose(Prototype().fit(X.astype(np.float32), [1, 0]).score_samples(X), [1, 0.6])
