import numpy as np
import pytest

from core.doctor.better_than_chance import check_hidden_ranks


@pytest.mark.parametrize("n_hidden", [5, 20])
def test_one_in_twenty_draws_from_the_pile_looks_better_than_chance(n_hidden):
    draws = np.random.default_rng(0).random((2000, n_hidden))
    is_fine = [check_hidden_ranks(ranks).level == "fine" for ranks in draws]
    assert np.mean(is_fine) == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize(
    ("n_hidden", "mean", "level"),
    [
        # 1/2 + 1.64 / sqrt(12 n) is 0.7117, 0.6497 and 0.5335.
        (5, 0.71, "caution"),
        (5, 0.72, "fine"),
        (10, 0.64, "warning"),
        (10, 0.66, "fine"),
        (200, 0.53, "warning"),
        (200, 0.54, "fine"),
        (20, 0.1, "warning"),
    ],
)
def test_the_mean_rank_decides(n_hidden, mean, level):
    ranks = mean + np.linspace(-0.05, 0.05, n_hidden)
    finding = check_hidden_ranks(ranks)
    assert finding.level == level
    assert finding.numbers["mean_rank"] == pytest.approx(mean)


def test_equal_scores_are_no_better_than_chance():
    assert check_hidden_ranks(np.full(12, 0.5)).level == "warning"


@pytest.mark.parametrize(
    ("ranks", "reason"), [(None, "nothing_hidden"), (np.full(4, 0.9), "too_few_positives")]
)
def test_without_enough_hidden_positives_nothing_is_said(ranks, reason):
    finding = check_hidden_ranks(ranks)
    assert (finding.level, finding.reason) == (None, reason)
