"""Specification K8."""

import numpy as np
import pytest

from core.classifier_bases.thresholds import one_class_threshold

SCORES = np.array([0.1, 0.2, 0.3, 0.4, 0.5])


def threshold(rule, scores=SCORES, **parameters):
    return one_class_threshold(rule, scores, fixed=0.05, **parameters)


def test_number_is_the_cut_itself():
    assert threshold(0.7) == 0.7
    assert threshold(-1) == -1.0


def test_rules_follow_the_left_out_scores():
    assert threshold("min") == 0.1
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
