import numpy as np
import pytest

from core.calibration.expected_figures import expected_figures

RANDOM = np.random.default_rng(0)
SURE = np.array([1.0, 1, 1, 0, 0, 0, 0, 0])
ACCEPTED = np.array([True, True, False, True, False, False, False, False])


def test_sure_probabilities_give_the_figures_of_the_truth():
    figures = expected_figures([SURE] * 3, ACCEPTED)
    assert figures.n_accepted == 3
    assert figures.n_found == (2, 2, 2)
    assert figures.n_hidden == (3, 3, 3)
    assert figures.precision == pytest.approx((2 / 3,) * 3)
    assert figures.recall == pytest.approx((2 / 3,) * 3)
    assert figures.f1 == pytest.approx((2 / 3,) * 3)


def test_nothing_accepted_has_no_precision():
    figures = expected_figures([SURE] * 3, np.zeros(8, dtype=bool))
    assert (figures.precision, figures.f1, figures.recall) == (None, None, (0, 0, 0))


def test_ends_hold_the_value_and_stay_in_bounds():
    low, middle, high = (np.clip(RANDOM.random(50) * scale, 0, 1) for scale in (0.3, 0.6, 1.2))
    figures = expected_figures([middle, low, high], RANDOM.random(50) < 0.4)
    for value, least, most in figures[1:]:
        assert 0 <= least <= value <= most
    for *_, most in (figures.precision, figures.recall, figures.f1):
        assert most <= 1


def test_one_of_found_and_missed_may_be_at_its_best_end():
    # Sure numbers: 2 found and 2 missed; at a smaller class prior 1 and 1, at a larger 3 and 4.
    middle, low, high = (np.arange(4) < np.array([[n], [m]]) for n, m in ((2, 2), (1, 1), (3, 4)))
    is_accepted = np.arange(8) < 4
    figures = expected_figures([p.ravel().astype(float) for p in (middle, low, high)], is_accepted)
    assert figures.recall == pytest.approx((2 / 4, 3 / 7, 2 / 3))  # 2 and 1: found as expected
    assert figures.f1 == pytest.approx((4 / 8, 2 / 6, 6 / 9))  # 3 and 2: missed as expected
    assert figures.precision == pytest.approx((2 / 4, 1 / 4, 3 / 4))


def test_fewer_than_none_are_never_expected():
    # Chance is wider than what is expected: 1.64 sqrt(0.9) of one positive, 1.64 sqrt(0.27) of 0.3.
    figures = expected_figures([np.full(10, 0.1)] * 3, np.arange(10) < 3)
    assert figures.n_found == pytest.approx((0.3, 0, 0.3 + 1.64 * 0.27**0.5))
    assert figures.n_hidden == pytest.approx((1, 0, 1 + 1.64 * 0.9**0.5))
    assert [low for _, low, _ in figures[1:]] == [0] * 5


def test_true_numbers_fall_in_the_interval_as_often_as_it_says():
    # 1.64 standard deviations of a sum of independent events: nine in ten.
    probabilities = RANDOM.random(400)
    is_accepted = probabilities > 0.5
    figures = expected_figures([probabilities] * 3, is_accepted)
    truths = RANDOM.random((2000, 400)) < probabilities
    found = truths[:, is_accepted].sum(axis=1)
    _, low, high = figures.n_found
    assert ((found >= low) & (found <= high)).mean() == pytest.approx(0.9, abs=0.03)
    recalls = found / truths.sum(axis=1)
    assert recalls.mean() == pytest.approx(figures.recall[0], abs=0.01)
    assert ((recalls >= figures.recall[1]) & (recalls <= figures.recall[2])).mean() > 0.85


def test_sums_of_short_numbers_are_exact():
    short = np.full(2**20, 0.1, dtype=np.float32)
    figures = expected_figures([short], np.arange(2**20) < 2**19)
    expected = 2**20 * float(np.float32(0.1))
    assert figures.n_hidden[0] == pytest.approx(expected, rel=1e-12)
    assert figures.n_found[0] == pytest.approx(expected / 2, rel=1e-12)
