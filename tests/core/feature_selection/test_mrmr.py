import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.feature_selection.mrmr import MRMR

S = np.array([1, 1, 0, 0, 0, 0, 0, 0])
X = np.column_stack([S, np.arange(8) < 4, np.arange(8) % 2 == 0]).astype(float)


def test_choices_of_the_worked_example():
    selector = MRMR(2).fit(X, S)
    assert selector.feature_order_.tolist() == [0, 1, 2]
    # I(A; B) is I(B; S), for A is S: 0.311278 bits.
    assert_allclose(selector.scores_[1], 0.311278 / (0.311278 + 0.0001), atol=1e-6)
    assert_allclose(selector.scores_[0], 0.562335 / np.log(2), atol=1e-6)


def test_difference_of_the_worked_example():
    selector = MRMR(2, criterion="difference").fit(X, S)
    assert_allclose(selector.scores_[1], 0.311278 - 0.311278, atol=1e-6)


def test_copies_wait_until_nothing_else_tells():
    rng = np.random.default_rng(0)
    s = np.arange(400) < 100
    strong = s ^ (rng.random(400) < 0.1)
    weak = s ^ (rng.random(400) < 0.3)
    features = np.column_stack([strong, strong, weak]).astype(float)
    assert MRMR(2).fit(features, s).get_support().tolist() == [True, False, True]


def test_values_between_zero_and_one_are_binned_and_not_cut_off():
    rng = np.random.default_rng(0)
    s = np.arange(200) < 80
    features = np.column_stack([rng.random(200), 0.3 * rng.random(200) + 0.6 * s])
    assert MRMR(1).fit(features, s).feature_order_.tolist() == [1, 0]


@pytest.mark.parametrize("criterion", ["difference", "quotient"])
@pytest.mark.parametrize("constant", [0, 1, -7.5])
def test_a_constant_feature_is_chosen_last(criterion, constant):
    rng = np.random.default_rng(0)
    s = np.arange(300) < 100
    copies = np.column_stack([s ^ (rng.random(300) < share) for share in (0.1, 0.2, 0.3)])
    features = np.column_stack([np.full(300, constant), copies, copies]).astype(float)
    selector = MRMR(7, criterion=criterion).fit(features, s)
    assert selector.feature_order_[-1] == 0
    assert selector.get_support().all()


def test_ties_are_in_the_order_of_the_columns_however_sums_are_rounded():
    # Columns 0, 2 and 3 have the same counts with the labels and with column 4, in other rows.
    X = [[0, 0, 0, 1, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 0]]
    X += [[0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [1, 1, 0, 0, 0]]
    selector = MRMR(2, criterion="difference").fit(X, [1, 1, 1, 0, 0, 0])
    assert_allclose(selector.scores_[2], selector.scores_[0], rtol=1e-12)
    assert selector.feature_order_.tolist()[:3] == [4, 0, 2]


@pytest.mark.parametrize("seed", [19, 23, 24, 25])
def test_little_redundancy_does_not_part_a_feature_from_its_complement(seed):
    tells = (np.random.default_rng(seed).random((150, 6)) < 0.4) * 1.0
    ranking = MRMR(4).fit(np.c_[1 - tells, tells], np.arange(150) < 30).feature_order_.tolist()
    assert all(ranking.index(first) < ranking.index(first + 6) for first in range(6))
