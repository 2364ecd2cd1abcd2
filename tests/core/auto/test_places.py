import numpy as np
from numpy.testing import assert_allclose

from core.auto.places import log_places
from core.evaluation.hide_positives import HiddenPositives


def test_near_copies_count_once_in_a_place_and_those_of_a_seed_do_not_count():
    unlabeled = np.arange(10.0)
    outcome = HiddenPositives([np.append(4.5, unlabeled)], [np.arange(11) > 3], [1])
    every, none = np.ones(10, dtype=bool), np.zeros(10, dtype=bool)
    for is_counted in (every, none):
        assert_allclose(np.exp(log_places(outcome, is_counted)), 0.5)
    # Of the five above it four are copies of the fifth.
    assert_allclose(np.exp(log_places(outcome, unlabeled < 6)), 1 / 6)
