"""What is left to find, against algebra and brute force."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma, norm, poisson

from core.review import remaining
from core.review.expected import Expected
from core.review.falling_rates import DECAYS, POWERS, SCALES, WIDTHS, Rates, falling_rates
from core.review.reading import checked_reading, depths
from core.review.remaining import remaining_positives
from core.review.stopping import progress, recall_test


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


def slow_rates(found, sizes, n_read):
    """Log prior and likelihood of each rate, and integrals over the read one, by numbers.

    Those of what is unread as far down as is read on average, and further down. ``found`` has the
    arrival and the place in it of each finding.
    """
    kinds = [
        [(lambda x, d=d: np.exp(-d * x)) for d in DECAYS],
        [(lambda x, s=s, p=p: (1 + x / s) ** -p) for p in POWERS for s in SCALES],
        [(lambda x, w=w: np.exp(-((x / w) ** 2))) for w in WIDTHS],
    ]
    # The share that is read of the arrival of a judgement, on average.
    unit = sum(n**2 / size for n, size in zip(n_read, sizes, strict=True)) / sum(n_read)
    depths = np.array([place / sizes[arrival] / unit for arrival, place in found])
    prior, likelihood, shallow, deep = [], [], [], []
    for rates in kinds:
        for rate in rates:
            read = to_one = beyond = 0
            for size, n in zip(sizes, n_read, strict=True):
                end = n / size / unit
                read += size * quad(rate, 0, end, limit=200)[0]
                if end < 1 - 1e-9:
                    to_one += size * quad(rate, end, 1, limit=200)[0]
                beyond += size * quad(rate, max(end, 1), 1 / unit, limit=200)[0]
            with np.errstate(divide="ignore"):  # a narrow bell ends before the last places
                logs = np.log(rate(depths) / (read / sum(sizes)))
            prior.append(-np.log(len(rates)))
            likelihood.append(logs.sum())
            shallow.append(to_one / read)
            deep.append(beyond / read)
    return tuple(map(np.array, (prior, likelihood, shallow, deep)))


def slow_reading(is_positive, n_unread, arrival=None):
    """Arrival and place of each finding, documents of each arrival, and how many were read."""
    n_left = [n_unread] if arrival is None else n_unread
    n_read, found = [0] * len(n_left), []
    for i, is_found in enumerate(is_positive):
        of = 0 if arrival is None else arrival[i]
        if is_found:
            # A document is read from its place to the next one's: found in the middle of that.
            found.append((of, n_read[of] + 0.5))
        n_read[of] += 1
    return found, [n + left for n, left in zip(n_read, n_left, strict=True)], n_read


READ = [i in {0, 3, 10} for i in range(40)]


@pytest.mark.parametrize(
    ("n_unread", "arrival"),
    [
        (60, None),
        ([60], [0] * 40),
        ([60, 30], [0] * 40),
        ([60, 8, 5], [0] * 9 + [1, 2, 2] * 10 + [0]),
    ],
)
def test_rates_are_integrated_and_weighed_as_by_numbers(n_unread, arrival):
    actual = falling_rates(*depths(*checked_reading(READ, n_unread, arrival)))
    expected = slow_rates(*slow_reading(READ, n_unread, arrival))
    for found, slow in zip(actual, expected, strict=True):
        np.testing.assert_allclose(found, slow, rtol=1e-6, atol=1e-12)


def slow_likelihood(total, expected):
    """Density of Student's t at the distance of the logarithms."""
    value, low, high = expected
    end = value / low if total < value else high / value
    scale = max(np.log(end), 0.1) / norm.ppf(0.95)
    distance = np.log(total / value) / scale
    return (1 + distance**2 / 3) ** -2


def slow_remaining(is_positive, n_unread, arrival=None, expected=None):
    """Median and ends of all numbers left, each with its probability, added one by one."""
    n_found, n_left = sum(is_positive), int(np.sum(n_unread))
    trust = 50 / n_found if n_found > 50 else 1.0
    prior, likelihood, shallow, odds = slow_rates(*slow_reading(is_positive, n_unread, arrival))
    before, after = np.exp(prior), np.exp(trust * (prior + likelihood - likelihood.max()))
    # Poisson numbers of a gamma mean: from none left on, each from the one before.
    size = trust * n_found + 0.5
    p, near = ((trust / (trust + ratio)) ** size for ratio in (odds, shallow))
    deeper, nearer, tail = [], [], 1.0
    for number in range(n_left + 1):
        evidence = (after @ p / after.sum()) / (before @ p / before.sum())
        evidence *= tail >= 1e-6
        tail -= before @ p / before.sum()
        # Flat in the logarithm of the number plus one, each number half a step to either side.
        deeper.append(evidence * np.log((number + 1.5) / (number + 0.5)))
        nearer.append(after @ near / after.sum())
        p = p * (number + size) / (number + 1) * odds / (trust + odds)
        near = near * (number + size) / (number + 1) * shallow / (trust + shallow)
    probabilities = np.convolve(deeper, nearer)[: n_left + 1]
    if expected is not None:
        probabilities *= [slow_likelihood(n_found + n, expected) for n in range(n_left + 1)]
    cumulated = np.cumsum(probabilities) / np.sum(probabilities)
    return tuple(int((cumulated < end).sum()) for end in (0.5, 0.05, 0.95))


@pytest.mark.parametrize(
    ("is_positive", "n_unread", "arrival"),
    [
        # Few are unread, so that all numbers left are not near one together.
        ([True] * 5, 20, None),
        ([True, False, True], 8, None),
        ([True] * 10 + [False] * 20, 100, None),
        ([True, True, False] * 40, 300, None),
        ([True] * 10 + [False] * 20, [20, 80], [0] * 30),
        ([True] * 10 + [False] * 30, [20, 70], [0] * 30 + [1, 0] * 5),
    ],
)
@pytest.mark.parametrize("expected", [None, (20, 10, 60), (4, 3.9, 4.1), (400, 300, 900)])
def test_what_is_left_is_that_of_rates_and_numbers_tried_one_by_one(
    is_positive, n_unread, arrival, expected
):
    found = remaining_positives(is_positive, n_unread, arrival, expected=expected)
    slow = slow_remaining(is_positive, n_unread, arrival, expected)
    # Numbers above 200 are looked at in steps of a hundredth.
    assert found == pytest.approx(slow, rel=0.011)
    assert all(number > 200 or number == other for number, other in zip(found, slow, strict=True))


def test_unsure_ones_may_be_those_that_are_expected():
    judged, expected = [True] * 30 + [False] * 30, (60, 50, 72)
    sure = remaining_positives(judged, 300, expected=expected)
    found = remaining_positives(judged, 300, expected=expected, n_unsure=15)
    assert found[:2] == sure[:2]
    assert sure.high <= found.high < sure.high + 15
    # Without an estimate nothing is expected of them.
    high = remaining_positives(judged, 300).high
    assert remaining_positives(judged, 300, n_unsure=15).high == high + 15


def test_what_no_rate_would_leave_is_not_left():
    # Of 10 in 100 the constant rate leaves 1,000 of 10,000, and never 9,000.
    assert remaining_positives([True] + [False] * 9, 10_000).high < 9_000
    assert remaining_positives(([True] + [False] * 9) * 10, 10_000).high < 2_500


def test_what_is_expected_counts_at_the_start_and_less_the_more_was_read():
    expected = Expected(100, 80, 125)
    start = [True] * 10
    alone, joined = (remaining_positives(start, 9990, expected=e) for e in (None, expected))
    # Of the 100 ten are found.
    assert 60 < joined.low < joined.value < 100 < joined.high < 130
    assert alone.low < 10
    assert alone.high > 5000
    late = start + [False] * 5000
    alone, joined = (remaining_positives(late, 4990, expected=e) for e in (None, expected))
    assert alone.high <= joined.high < 10


def test_more_found_than_expected_leaves_the_order():
    found = [True, False] * 500
    alone, joined = (
        remaining_positives(found, 9000, expected=e) for e in (None, Expected(5, 4, 6))
    )
    # Far in the tail the estimate hardly tells 500 from thousands.
    assert joined.low < alone.value < 2 * joined.high


@pytest.mark.parametrize("expected", [(0, 0, 1), (3, 4, 5), (3, 1, 2)])
def test_expectations_out_of_order_are_refused(expected):
    with pytest.raises(ValueError, match="0 < low <= value <= high"):
        remaining_positives([True], 5, expected=expected)


def test_findings_that_tell_nothing_leave_all_open(monkeypatch):
    # There is one rate before and after, which may leave any number up to 150.
    one = Rates(np.zeros(1), np.ones(1), np.zeros(1), np.array([20.0]))
    monkeypatch.setattr(remaining, "falling_rates", lambda *_: one)
    for end, p in zip(remaining_positives([True] * 9, 150), (0.5, 0.05, 0.95), strict=True):
        # log(2 number + 3) of a flat logarithm reaches p of it.
        assert end == int(np.ceil((303**p - 3) / 2))


@pytest.mark.parametrize("n_found", [6, 200])
def test_a_number_is_likelier_as_rates_are_that_make_it_likely(n_found):
    odds, likelihood = np.array([0.5, 0.1]), np.array([0.0, 1.0])
    rates = Rates(np.zeros(2), likelihood, np.zeros(2), odds)
    evidence = remaining._evidence(rates, n_found, np.arange(60))

    trust = min(1, 50 / n_found)
    # Of what is found; spread as of 50 findings where there are more.
    means = gamma(min(n_found, 50) + 0.5, scale=1 / trust)

    def probability(number, share):
        def of_rate(rate):
            return means.pdf(rate) * poisson.pmf(number, share * rate)

        return quad(of_rate, 0, 5 * n_found, points=[n_found])[0]

    weights = np.exp(trust * likelihood) / np.exp(trust * likelihood).sum()
    for number in (0, 3, 12):
        p = np.array([probability(number, share) for share in odds])
        assert evidence[number] == pytest.approx(weights @ p / p.mean(), rel=1e-4)


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


def test_what_came_in_later_holds_what_the_rest_had():
    judged = [True] * 40 + [False] * 360
    alone = remaining_positives(judged, 600)
    assert alone.high < 5
    # As many again, nothing of them read: about as many as were found; a tenth: a tenth of them.
    twice, more = (remaining_positives(judged, [600, n], [0] * 400) for n in (1000, 100))
    # By chance as of a Poisson number whose mean 40 findings tell.
    assert twice.value == pytest.approx(40, abs=3)
    assert twice.high - twice.low == pytest.approx(2 * 1.645 * np.sqrt(2 * 40), rel=0.15)
    assert more.value == pytest.approx(4, abs=1)
    assert more.high < 12
    # Read as far as the rest, they are as if they had been there.
    both = judged + [True] * 40 + [False] * 360
    read = remaining_positives(both, [600, 600], [0] * 400 + [1] * 400)
    interleaved = [found for pair in zip(judged, judged, strict=True) for found in pair]
    assert read == pytest.approx(remaining_positives(interleaved, 1200), abs=1)


def test_an_arrival_of_nothing_changes_nothing():
    judged = [True, True, False, True] + [False] * 20
    expected = remaining_positives(judged, 300)
    assert remaining_positives(judged, [0, 300, 0], [1] * 24) == expected


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


@pytest.mark.parametrize(
    ("n_unread", "arrival", "told"),
    [
        ([5, 5], [0], "1 arrivals are given for 2 judgements"),
        ([5, 5], [0, 2], "out of range: n_unread has 2,"),
        ([5, 5], [-1, 0], "out of range"),
        (5, [0, 1], "out of range: n_unread has 1,"),
        ([5, -1], [0, 0], "n_unread has a negative number"),
    ],
)
def test_arrivals_that_cannot_be_are_refused(n_unread, arrival, told):
    with pytest.raises(ValueError, match=told):
        remaining_positives([True, False], n_unread, arrival)


@pytest.mark.parametrize("judgements", [[1, -1], [1.0, 0.0], ["yes", "no"]])
@pytest.mark.parametrize("function", [progress, recall_test, remaining_positives])
def test_judgements_are_a_mask(function, judgements):
    with pytest.raises(ValueError, match="is_positive must be a mask"):
        function(judgements, 5)


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
