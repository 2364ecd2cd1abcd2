import numpy as np
import pytest
from joblib import parallel_config

from core.calibration.hidden_ranks import hidden_ranks
from core.class_prior.bbe import best_bin_prior
from core.class_prior.largest_admissible import largest_admissible_prior
from core.evaluation.hide_positives import HiddenPositives
from tests.core.conftest import peak_bytes


def test_ranks_count_what_is_below_and_half_of_what_is_equal():
    first, second = np.array([2.0, 5, 4, 3, 2, 2, 1]), np.array([0.3, 0.1, 0.2, 0.3, 0.4, 0.5])
    outcome = HiddenPositives([first, second], [first > 3, second > 0.2], [2, 1])
    ranks = hidden_ranks(outcome)
    # Among 4 3 2 2 1: 5 is above all, 2 has one below and two equal; among .1 ... .5: two, one.
    assert ranks.positive == pytest.approx([2 / 5, 4.5 / 5, 2.5 / 5])
    # Of .1 .4 .4 .7 .9 every second one, of .1 .3 .5 .7 .9 the others.
    assert ranks.unlabeled == pytest.approx([0.1, 0.3, 0.4, 0.7, 0.9])


@pytest.mark.parametrize("n_trainings", [1, 5])
def test_without_equal_scores_the_ranks_of_the_unlabeled_are_evenly_spread(n_trainings):
    scores = [np.random.default_rng(seed).normal(size=32) for seed in range(n_trainings)]
    outcome = HiddenPositives(scores, [each > 0 for each in scores], [2] * n_trainings)
    assert hidden_ranks(outcome).unlabeled.tolist() == ((np.arange(30) + 0.5) / 30).tolist()


def test_many_trainings_take_no_more_than_the_scores_of_a_few():
    # On one thread: those of one training sorted, and what is returned, sorted as well.
    scores = np.random.default_rng(0).normal(size=(5, 100_000))
    outcome = HiddenPositives([*scores], [each > 0 for each in scores], [2] * 5)
    with parallel_config("threading", n_jobs=1):
        assert peak_bytes(lambda: hidden_ranks(outcome)) < 4 * scores[0].nbytes


def test_equal_scores_do_not_make_positives_seem_rare():
    # All 400 positives of 1,000 score 1, as the hidden ones do, and no other does.
    unlabeled = np.repeat([0.0, 1.0], [600, 400])
    scores = [np.append(np.ones(20), unlabeled)] * 5
    ranks = hidden_ranks(HiddenPositives(scores, [each > 0.5 for each in scores], [20] * 5))
    assert best_bin_prior(ranks.positive, ranks.unlabeled) == pytest.approx(0.4)
    assert largest_admissible_prior(ranks.positive, ranks.unlabeled) > 0.4


def test_monotone_maps_of_the_scores_change_nothing():
    scores = np.random.default_rng(0).normal(size=30)
    plain = HiddenPositives([scores], [scores > 0], [5])
    mapped = HiddenPositives([np.exp(scores)], [scores > 0], [5])
    assert hidden_ranks(plain).positive.tolist() == hidden_ranks(mapped).positive.tolist()
