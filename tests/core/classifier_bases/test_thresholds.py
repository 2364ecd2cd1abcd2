"""Specification K8."""

import numpy as np
import pytest

from core.classifier_bases.thresholds import one_class_threshold
from core.registry import ALGORITHMS

SCORES = np.array([0.1, 0.2, 0.3, 0.4, 0.5])


def threshold(rule, scores=SCORES, **parameters):
    return one_class_threshold(rule, scores, fixed=0.05, **parameters)


def test_number_is_the_cut_itself():
    assert threshold(0.7) == 0.7
    assert threshold(-1) == -1.0


def test_rules_follow_the_left_out_scores():
    assert threshold("min") == pytest.approx(0.1)
    assert threshold("mean") == pytest.approx(0.3)
    assert threshold("mean", n_deviations=-2) == pytest.approx(0.3 - 2 * np.sqrt(0.02))
    assert threshold("quantile", quantile=0.25) == pytest.approx(0.2)


def test_automatic_rule_is_the_quantile_from_five_scores_on():
    assert threshold("auto", quantile=0.25) == threshold("quantile", quantile=0.25)
    assert threshold("auto", SCORES[:4]) == 0.05


@pytest.mark.parametrize("rule", ["auto", "quantile", "min", "mean"])
def test_one_score_says_nothing(rule):
    assert threshold(rule, SCORES[:1]) == 0.05
    assert threshold(rule, SCORES[:0]) == 0.05


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "name",
    [
        *("knn_density", "nearest_neighbor", "one_class_kmeans", "one_class_nb", "one_class_svm"),
        "prototype",
    ],
)
def test_copies_of_the_positives_are_accepted(name, dtype):
    random = np.random.default_rng(0)
    for _ in range(20):
        X = random.random((14, 40)) * (random.random((14, 40)) < 0.2)
        X[:, 0] = 1
        X[:8] = X[0]
        X = X.astype(dtype)
        model = ALGORITHMS[name]().fit(X, [1] * 6 + [0] * 8)
        assert model.predict(X)[:8].all()
