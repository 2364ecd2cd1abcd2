"""What is left to find, against algebra and brute force."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma, poisson

from core.review import remaining
from core.review.remaining import progress, recall_test, remaining_positives


def slow_recall_test(is_positive, n_unread, target):
    """The smallest probability over all starts, by counting draws one by one."""
    n_found, n_read = sum(is_positive), len(is_positive)
    values = []
    for start in range(n_read):
        before = sum(is_positive[:start])
        in_urn = n_read - start + n_unread
        missed = int(n_found / target) + 1 - before
        if missed > in_urn:
            values.append(0.0)
            continue
        # Places of the positives in the urn, of which the first n_read - start are drawn.
        places = list(combinations(range(in_urn), missed))
        few = [p for p in places if sum(i < n_read - start for i in p) <= n_found - before]
        values.append(len(few) / len(places))
    return min(values)


@pytest.mark.parametrize("target", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("n_unread", [0, 1, 4])
def test_the_p_value_is_that_of_counted_draws(n_unread, target):
    random = np.random.default_rng(0)
    for _ in range(5):
        is_positive = (random.random(7) < 0.4).tolist()
        expected = slow_recall_test(is_positive, n_unread, target)
        assert recall_test(is_positive, n_unread, target=target) == pytest.approx(expected)


def test_a_window_without_a_positive_has_the_share_of_the_unread():
    # One positive would be too many: it is among the 30 unread of 100 by chance 0.3.
    assert recall_test([True] * 5 + [False] * 70, 30) == pytest.approx(0.3)
    assert comb(99, 70) / comb(100, 70) == pytest.approx(0.3)


def test_a_tiny_target_is_reached():
    assert recall_test([True, False], 5, target=5e-324) == 0


def integrals(rate, end):
    return [quad(rate, *ends, limit=200)[0] for ends in ((0, 1), (1, end))]


def slow_rates(places, n_read, n_unread):
    """Log weight of each rate and unread over read integral, by numbers."""
    kinds = [
        [(lambda x, d=d: np.exp(-d * x)) for d in remaining.DECAYS],
        [
            (lambda x, s=s, p=p: (1 + x / s) ** -p)
            for p in remaining.POWERS
            for s in remaining.SCALES
        ],
        [(lambda x, w=w: np.exp(-((x / w) ** 2))) for w in remaining.WIDTHS],
    ]
    weights, odds = [], []
    for rates in kinds:
        for rate in rates:
            read, unread = integrals(rate, 1 + n_unread / n_read)
            with np.errstate(divide="ignore"):  # a narrow bell ends before the last places
                logs = np.log(rate(places / n_read) / read)
            weights.append(logs.sum() - np.log(len(rates)))
            odds.append(unread / read)
    return np.array(weights), np.array(odds)


def test_rates_are_integrated_and_weighed_as_by_numbers():
    places, n_read, n_unread = np.array([0.5, 3.5, 10.5]), 40, 60
    weights, odds = slow_rates(places, n_read, n_unread)
    actual_weights, actual_odds = remaining._rates(places, n_read, n_unread)
    np.testing.assert_allclose(actual_weights, weights, rtol=1e-6)
    np.testing.assert_allclose(actual_odds, odds, rtol=1e-6, atol=1e-12)


def slow_remaining(is_positive, n_unread):
    """Median and ends of all numbers left, each with its probability, added one by one."""
    # A document is read from its place to the next one's: found in the middle of that.
    places = np.flatnonzero(is_positive) + 0.5
    n_found = len(places)
    trust = 50 / n_found if n_found > 50 else 1.0
    log_weights, odds = slow_rates(places, len(is_positive), n_unread)
    weights = np.exp(trust * (log_weights - log_weights.max()))
    # Poisson numbers of a gamma mean: from none left on, each from the one before.
    size = trust * n_found + 0.5
    p = weights * (trust / (trust + odds)) ** size
    probabilities = []
    for number in range(n_unread + 1):
        probabilities.append(p.sum())
        p = p * (number + size) / (number + 1) * odds / (trust + odds)
    cumulated = np.cumsum(probabilities) / np.sum(probabilities)
    return tuple(int((cumulated < end).sum()) for end in (0.5, 0.05, 0.95))


@pytest.mark.parametrize(
    ("is_positive", "n_unread"),
    [
        # Few are unread, so that all numbers left are not near one together.
        ([True] * 5, 20),
        ([True, False, True], 8),
        ([True] * 10 + [False] * 20, 100),
        ([True, True, False] * 40, 300),
    ],
)
def test_what_is_left_is_that_of_rates_and_numbers_tried_one_by_one(is_positive, n_unread):
    assert remaining_positives(is_positive, n_unread) == slow_remaining(is_positive, n_unread)


@pytest.mark.parametrize("n_found", [6, 200])
def test_of_a_constant_rate_the_number_left_is_its_poisson_averaged_over_the_rate(
    n_found, monkeypatch
):
    monkeypatch.setattr(remaining, "_rates", lambda *_: (np.zeros(1), np.array([0.5])))
    found, n_unread = [True, False] * n_found, 200
    # Of what is found; half as much is left. Spread as of 50 findings where there are more.
    rates = gamma(min(n_found, 50) + 0.5, scale=max(1, n_found / 50))

    def cumulated(number):
        return quad(lambda rate: rates.pdf(rate) * poisson.cdf(number, rate / 2), 0, 10 * n_found)[
            0
        ]

    for end, probability in zip(
        remaining_positives(found, n_unread), (0.5, 0.05, 0.95), strict=True
    ):
        assert cumulated(end) >= probability
        assert end == 0 or cumulated(end - 1) < probability


def test_intervals_hold_for_rates_that_fall():
    random = np.random.default_rng(0)
    n_held, n_rounds = 0, 200
    for _ in range(n_rounds):
        rate = 0.6 * np.exp(-np.arange(600) / random.uniform(40, 200))
        is_positive = random.random(600) < rate
        if is_positive[:200].any():
            left = remaining_positives(is_positive[:200], 400)
            n_held += left.low <= is_positive[200:].sum() <= left.high
        else:
            n_rounds -= 1
    # 0.9 are promised; three standard deviations of a share of 200 are 0.06.
    assert n_held / n_rounds > 0.84


def test_no_more_are_left_than_unread():
    assert remaining_positives([True] * 20, 3).high <= 3
    assert remaining_positives([False], 0) == (0, 0, 0)


def test_more_readings_without_a_finding_leave_fewer():
    highs = [
        remaining_positives([True] * 10 + [False] * n, 1000 - n).high for n in (0, 20, 100, 500)
    ]
    assert highs == sorted(highs, reverse=True)
    assert highs[0] > highs[-1]


def test_recall_is_what_was_found_over_that_and_what_is_left():
    found = progress([True, True, False, True, False, False], 30)
    assert found.recall == pytest.approx([3 / (3 + found.remaining[i]) for i in (0, 2, 1)])


@pytest.mark.parametrize("n_unread", [0, 30])
def test_unsure_documents_may_all_be_positive(n_unread):
    judged = [True, True, False, True, False, False]
    sure, found = progress(judged, n_unread), progress(judged, n_unread, n_unsure=2)
    assert found.remaining == (sure.remaining.value, sure.remaining.low, sure.remaining.high + 2)
    assert found.recall.low == pytest.approx(3 / (3 + sure.remaining.high + 2))
    assert (found.recall.value, found.recall.high) == (sure.recall.value, sure.recall.high)
    assert found.p_value == sure.p_value


def test_unsure_documents_may_hold_the_stop_back():
    # All are read: 19 found of 20 that may be positive are 0.95, of 21 less.
    assert progress([True] * 19 + [False], 0, n_unsure=1).is_enough
    assert not progress([True] * 19 + [False] * 2, 0, n_unsure=2).is_enough


def test_a_review_is_far_enough_when_interval_and_test_say_so():
    is_positive = [True] * 20 + [False] * 180
    assert progress(is_positive, 20).is_enough
    assert not progress(is_positive[:21], 179).is_enough
    # The test alone speaks against it: one more may stand among the many unread.
    far = progress(is_positive, 2000)
    assert far.p_value > 0.5
    assert not far.is_enough


def test_a_review_is_not_far_enough_by_its_median_alone():
    found = progress([True] * 38 + [False] * 20, 50)
    assert found.recall.low < 0.95 <= found.recall.value
    assert found.p_value < 0.5
    assert not found.is_enough


def test_nothing_read_and_nothing_found_are_refused():
    with pytest.raises(ValueError, match="nothing was read"):
        remaining_positives([], 5)
    with pytest.raises(ValueError, match="nothing was found"):
        progress([False, False], 5)


@pytest.mark.parametrize(
    "options", [{"n_unread": -1}, {"n_unread": 1, "n_unsure": -1}, {"n_unread": 1, "target": 1.0}]
)
def test_counts_and_targets_out_of_range_are_named(options):
    name = list(options)[-1]
    with pytest.raises(ValueError, match=f"The '{name}' parameter"):
        progress([True, False], **options)
