import numpy as np
import pytest

from core.auto.entries import Candidate, Entry
from core.auto.winner import winner


def entry(ranks, *, is_baseline=False):
    """An entry whose hidden positives rank above these numbers of a hundred others."""
    places = np.log(1 - np.asarray(ranks) / 100)
    place = np.exp(places.mean())
    return Entry(Candidate("a", is_baseline=is_baseline), place=place, log_places=places)


LOW, HIGH = np.arange(60, 80), np.arange(75, 95)


def test_a_clearly_better_one_beats_the_favourite():
    assert winner([entry(LOW), entry(HIGH)]) == 1
    assert winner([entry(HIGH), entry(LOW)]) == 0


@pytest.mark.parametrize(("n_positive", "expected"), [(3, 0), (9, 0), (10, 1)])
def test_few_positives_keep_the_favourite(n_positive, expected):
    assert winner([entry([60] * n_positive), entry([80] * n_positive)]) == expected


@pytest.mark.parametrize(("n_better", "expected"), [(2, 0), (3, 0), (4, 1), (5, 1)])
def test_another_wins_from_two_standard_errors_on(n_better, expected):
    # Of k equal gains among n the mean is sqrt(k (n - 1) / (n - k)) standard errors:
    # for n = 20 and k = 2 to 5 these are 1.45, 1.83, 2.18 and 2.52.
    some = [80] * n_better + [60] * (20 - n_better)
    assert winner([entry([60] * 20), entry(some)]) == expected


def test_chance_keeps_the_favourite():
    mixed = np.random.default_rng(0).permutation(LOW)
    mixed[0] += 5
    assert winner([entry(LOW), entry(mixed)]) == 0


def test_baselines_never_win():
    assert winner([entry(LOW), entry(HIGH, is_baseline=True)]) == 0


def test_of_several_better_ones_the_best_wins():
    assert winner([entry(LOW), entry(HIGH), entry(HIGH + 3)]) == 2
