import numpy as np
import pytest

from core.doctor.odd_positives import MIN_POSITIVES, find_odd_positives

ROWS = np.arange(100, 120)


@pytest.mark.parametrize(("n_odd", "level"), [(0, "fine"), (2, "caution"), (5, "warning")])
def test_the_level_follows_the_number_of_odd_ones(n_odd, level):
    shares = np.linspace(0.9, 0.99, 20)
    shares[:n_odd] = np.linspace(0.1, 0.4, n_odd)[::-1]
    finding = find_odd_positives(ROWS, shares)
    assert finding.level == level
    assert finding.rows == ROWS[:n_odd][::-1].tolist()
    assert finding.numbers["shares"] == sorted(shares[:n_odd])


def test_few_positives_tell_nothing_of_each_other():
    finding = find_odd_positives(ROWS[: MIN_POSITIVES - 1], np.zeros(MIN_POSITIVES - 1))
    assert (finding.level, finding.reason) == (None, "too_few_positives")


def test_without_a_pile_there_is_no_rank():
    finding = find_odd_positives(ROWS, None)
    assert (finding.level, finding.reason) == (None, "too_few_unlabeled")
