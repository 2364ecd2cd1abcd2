"""Tests of how much there is to read in vain until a review may stop."""

import numpy as np
import pytest

from core.review.expected import Expected
from core.review.stopping import documents_until_stop, progress


def tried_one_by_one(is_positive, n_unread, **options):
    for n_more in range(n_unread + 1):
        if progress(is_positive + [False] * n_more, n_unread - n_more, **options).is_enough:
            return n_more
    return None


@pytest.mark.parametrize("target", [0.8, 0.95])
@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_first_number_that_is_enough(seed, target):
    random = np.random.default_rng(seed)
    n_read, n_unread = random.integers(10, 80), int(random.integers(0, 80))
    rates = np.exp(-np.arange(n_read) * random.uniform(0, 0.1))
    judged = [True, *(random.random(n_read) < rates).tolist()]
    value = float(random.integers(1, 60))
    expected = Expected(value, value / 2, 3 * value) if seed % 2 else None
    options = {"target": target, "n_unsure": int(random.integers(0, 3)), "expected": expected}
    found = documents_until_stop(judged, n_unread, **options)
    assert found == tried_one_by_one(judged, n_unread, **options)


def test_of_several_arrivals_the_ones_read_less_come_next():
    judged, arrival = [True] * 12 + [False] * 48, [0] * 60
    n_left = [60, 30]  # read as deep, so that one of each three comes of the second
    n_more = documents_until_stop(judged, n_left, arrival, target=0.8)
    # Half of the second first, as half of the first is read, then two of the first to one.
    following = [1] * 15 + [0, 1, 0] * 15 + [0] * 30
    stops = []
    for n in (n_more - 1, n_more):
        next_ones = following[:n]
        left = [n_left[i] - next_ones.count(i) for i in (0, 1)]
        read = judged + [False] * n
        stops.append(progress(read, left, arrival + next_ones, target=0.8).is_enough)
    assert stops == [False, True]
    assert n_more > documents_until_stop(judged, 60, target=0.8)


def test_what_is_expected_has_more_read():
    judged = [True] * 10 + [False] * 40
    alone, joined = (
        documents_until_stop(judged, 500, expected=expected, target=0.5)
        for expected in (None, Expected(60, 50, 70))
    )
    assert alone < joined


def test_where_much_was_just_found_there_is_more_to_read_than_after_a_long_vain_reading():
    just_found = documents_until_stop([True] * 10, 2000)
    assert 0 < just_found < 2000
    assert documents_until_stop([True] * 10 + [False] * just_found, 2000 - just_found) == 0
    assert documents_until_stop([True] * 10 + [False] * (just_found - 1), 2001 - just_found) == 1


def test_unsure_documents_that_hold_the_stop_back_whatever_is_read_leave_none():
    assert documents_until_stop([True] * 10, 50, n_unsure=1) is None


def test_nothing_found_is_refused():
    with pytest.raises(ValueError, match="nothing was found yet"):
        documents_until_stop([False], 10)
