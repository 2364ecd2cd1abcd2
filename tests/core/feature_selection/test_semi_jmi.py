import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.datasets import make_pu_data
from core.feature_selection.semi_jmi import SemiJMI
from tests.core.feature_selection.test_semi_mim import X1, X2, X3, XOR


def test_features_that_tell_only_together_are_found():
    X = np.column_stack([X1, X2, X3])
    selector = SemiJMI(3).fit(X, XOR)
    assert selector.feature_order_.tolist() == [2, 0, 1]
    # I(X1 X3; S), and the mean of I(X2 X3; S) and I(X1 X2; S) = log 2.
    assert_allclose(selector.scores_, [0.3466, (0.2158 + np.log(2)) / 2, 0.1308], atol=5e-5)


def test_second_choice_needs_the_first():
    X = np.column_stack([X1, X2, X3])
    assert SemiJMI(2).fit(X, XOR).get_support().tolist() == [True, False, True]


def test_few_positives_are_flagged():
    X = np.random.default_rng(0).random((40, 3))
    for n_positive, flags in [(9, ["few_positives"]), (10, [])]:
        assert SemiJMI(1).fit(X, np.arange(40) < n_positive).report_["flags"] == flags


def test_of_many_features_the_most_informative_are_looked_at():
    X, y, _ = make_pu_data(300, 80, class_prior=0.6, random_state=0)
    selector = SemiJMI(5, prefilter=20).fit(X, y)
    assert selector.report_["n_candidates"] == 20
    assert np.isfinite(selector.scores_).sum() == 20
    assert np.isfinite(selector.scores_[selector.feature_order_[:20]]).all()
    assert sorted(selector.feature_order_) == list(range(80))


@pytest.mark.parametrize("n_selected", [2, 3, 5])
def test_what_adds_nothing_is_chosen_in_the_order_of_the_columns_and_constants_last(n_selected):
    # The first column tells which rows are positive: each other one tells as much beside it.
    X = [[0, 1, 1, 1, 1], [0, 1, 1, 0, 0], [0, 1, 1, 0, 0]]
    X += [[0, 1, 0, 1, 1], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    selector = SemiJMI(n_selected).fit(X, [1, 1, 1, 1, 0, 0])
    assert selector.feature_order_.tolist() == [0, 2, 3, 4, 1]
