"""What seeds tell of a pile that is read: a number, and where hidden positives rank."""

from math import comb, lgamma

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from core.review import Expected, remaining_positives
from core.review.expected import kept_ranks

RANDOM = np.random.default_rng(0)


def beta_binomial(k, n, a, b):
    """Return the probability by factorials of Gamma, and none by SciPy."""
    log_beta = lgamma(k + a) + lgamma(n - k + b) - lgamma(n + a + b)
    return comb(n, k) * np.exp(log_beta - lgamma(a) - lgamma(b) + lgamma(a + b))


def by_numbers(expected, n_found, n_unread, n_reached):
    """Return median and ends of the same posterior, one number after the other."""
    n_seeds, weights = len(expected.ranks), []
    for left in range(n_unread + 1):
        number = n_found + left
        distance = np.log(max(number, 0.5) / expected.value)
        half = expected.value / expected.low if distance < 0 else expected.high / expected.value
        scale = np.log(half) / stats.norm.ppf(0.95)
        flat = np.log((number + 1.5) / (number + 0.5))
        found = beta_binomial(n_found, number, n_reached + 0.5, n_seeds - n_reached + 0.5)
        weights.append(flat * stats.t.pdf(distance / scale, 3) * found)
    reached = np.cumsum(weights) / np.sum(weights)
    return [n_found + int(np.argmax(reached >= p)) for p in (0.5, 0.05, 0.95)]


@pytest.mark.parametrize("n_found", [0, 3, 20])
@pytest.mark.parametrize("n_reached", [1, 8])
def test_it_is_that_of_numbers_tried_one_by_one(n_found, n_reached):
    # Forty of two hundred are read: what ranks above four fifths.
    ranks = (0.9,) * n_reached + (0.5,) * (10 - n_reached)
    expected = Expected(60, 30, 90, ranks)
    found = expected.after(np.arange(40) < n_found, 160)
    told = np.maximum(by_numbers(expected, n_found, 160, n_reached), 0.5)
    assert_allclose(found[:3], told)
    assert found.ranks == ()


def test_intervals_hold_where_the_estimate_is_ten_times_too_large():
    n_pile, held = 3000, []
    for _ in range(200):
        n_hidden, n_read = int(np.exp(RANDOM.uniform(2, 5))), 100
        # Seeds and hidden positives rank alike, the more sharply the larger the power.
        draw = RANDOM.random(20 + n_hidden) ** (1 / RANDOM.uniform(5, 80))
        is_found = draw[20:] > 1 - n_read / n_pile
        expected = Expected(10 * n_hidden, 3 * n_hidden, 20 * n_hidden, kept_ranks(draw[:20]))
        seen = expected.after(np.arange(n_read) < is_found.sum(), n_pile - n_read)
        held.append(seen.low <= n_hidden <= seen.high)
    assert np.mean(held) > 0.8


def test_deeper_readings_that_find_no_more_leave_fewer():
    expected = Expected(75, 25, 140, (0.995,) * 5 + (0.98,) * 5 + (0.9,) * 10)
    values = [
        expected.after(np.arange(n_read) < 4, 4000 - n_read).value for n_read in (10, 40, 100, 500)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > 3 * values[-1]


def test_what_is_left_goes_by_it():
    judged = np.isin(np.arange(60), [0, 9, 30, 55])
    alone, ranked = Expected(75, 25, 140), Expected(75, 25, 140, (0.99,) * 15 + (0.9,) * 5)
    before, after = (remaining_positives(judged, 3940, expected=e) for e in (alone, ranked))
    seen = ranked.after(judged, 3940)
    assert after == remaining_positives(judged, 3940, expected=seen)
    assert after.high < before.value
    # An unsure one may be positive: then as much more was found.
    unsure = remaining_positives(judged, 3940, expected=ranked, n_unsure=3)
    assert after.high < unsure.high <= after.high + 15


def test_each_arrival_is_a_ranking_of_its_own():
    expected = Expected(40, 20, 80, (0.95,) * 6 + (0.5,) * 4)
    judged = np.arange(50) < 10
    alone = expected.after(judged, 450)
    # As many came in, of which nothing is read: half of the positives are among them, and of the
    # seeds half as many are reached.
    half = expected.after(judged, [450, 500], np.zeros(50, dtype=int))
    told = by_numbers(expected, 10, 950, 3)
    assert_allclose(half[:3], told, rtol=0.02)
    assert half.value > alone.value


def test_without_ranks_or_a_reading_it_stays():
    expected = Expected(40, 20, 80)
    assert expected.after([True, False], 98) is expected
    ranked = expected._replace(ranks=(0.5, 0.9))
    assert ranked.after([], 100) is ranked


def test_of_a_pile_that_is_read_all_is_known():
    ranked = Expected(40, 20, 80, (0.5, 0.9))
    assert ranked.after([True, False, True], 0)[:3] == (2, 2, 2)
    assert ranked.after([False] * 3, 0)[:3] == (0.5, 0.5, 0.5)


def test_numbers_of_millions_are_told():
    seen = Expected(1e6, 5e5, 2e6, kept_ranks(RANDOM.random(1000))).after([True] * 500, 10**7)
    assert 1e5 < seen.low < seen.value < seen.high < 1e7


def test_ranks_that_nothing_agrees_with_leave_a_number():
    # None of the seeds ranks among the ten thousand that are read, all of which are positive.
    of_seeds = Expected(30, 10, 90, (0.1,) * 200)
    seen = of_seeds.after([True] * 10_000, 10_000)
    assert 10_000 < seen.low <= seen.value <= seen.high <= 20_000
