import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.classifier_bases.held_out import best_held_out_cut, held_out_splits, mean_lee_liu
from core.metrics import lee_liu_score


@pytest.mark.parametrize(("n_positive", "n_splits"), [(2, 5), (4, 5), (5, 1), (50, 1)])
def test_few_positives_are_split_repeatedly(n_positive, n_splits):
    is_positive = np.arange(100) < n_positive
    splits = held_out_splits(is_positive, random_state=0)
    assert len(splits) == n_splits
    for training, held_out in splits:
        assert_array_equal(np.sort(np.append(training, held_out)), np.arange(100))
        assert is_positive[held_out].sum() == max(1, round(0.3 * n_positive))
        assert is_positive[training].any()


def test_a_single_unlabeled_sample_is_on_both_sides():
    [(training, held_out)] = held_out_splits(np.arange(11) < 10, random_state=0)
    assert 10 in training
    assert 10 in held_out


def test_the_score_is_the_mean_over_the_splits():
    is_positive = np.array([True, True, False, False])
    splits = [(np.array([0, 2]), np.array([1, 3])), (np.array([1, 3]), np.array([0, 2]))]
    scores = np.array([1.0, 0, -1, 1])
    # The first split accepts both of its rows, 1 / 1; the second its positive alone, 1 / (1 / 2).
    assert mean_lee_liu(lambda _, held_out: scores[held_out], is_positive, splits) == 1.5


@pytest.mark.parametrize("seed", range(5))
def test_no_cut_is_better_than_the_one_found(seed):
    random = np.random.default_rng(seed)
    is_positive = np.arange(30) < 6
    scores = np.round(random.normal(size=30) + is_positive, 1)

    def value(cut):
        return lee_liu_score(is_positive, scores >= cut, single_set=True, pos_label=True)

    found = best_held_out_cut(scores, is_positive)
    assert value(found) == pytest.approx(max(value(cut) for cut in scores))


def test_of_equally_good_cuts_the_lowest_is_taken():
    # All three positives among nine of 14 samples are as good as one at the top: N / 9.
    is_positive = np.isin(np.arange(14), [0, 7, 8])
    assert best_held_out_cut(np.arange(14.0, 0, -1), is_positive) == 6
