import numpy as np
import pytest

from core.calibration.hidden_ranks import hidden_ranks
from core.evaluation.hide_positives import HiddenPositives


def test_ranks_count_what_is_below_and_half_of_what_is_equal():
    first, second = np.array([2.0, 5, 4, 3, 2, 2, 1]), np.array([0.3, 0.1, 0.2, 0.3, 0.4, 0.5])
    outcome = HiddenPositives([first, second], [first > 3, second > 0.2], [2, 1])
    ranks = hidden_ranks(outcome)
    # Among 4 3 2 2 1: 5 is above all, 2 has one below and two equal; among .1 ... .5: two, one.
    assert ranks.positive == pytest.approx([2 / 5, 4.5 / 5, 2.5 / 5])
    assert ranks.unlabeled == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])


def test_monotone_maps_of_the_scores_change_nothing():
    scores = np.random.default_rng(0).normal(size=30)
    plain = HiddenPositives([scores], [scores > 0], [5])
    mapped = HiddenPositives([np.exp(scores)], [scores > 0], [5])
    assert hidden_ranks(plain).positive.tolist() == hidden_ranks(mapped).positive.tolist()
