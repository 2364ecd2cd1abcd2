"""The contract on selectors made for it, with scores that a test can choose."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from core.errors import NoUnlabeled, TooFewPositives
from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.score_order import best_first

X = np.array([[2.0, 1, 1], [4, 0, 2], [3, 0, 3], [1, 0, 4], [0, 0, 5]])
Y = np.array([1, 1, 0, 0, 0])


class LastFirst(BaseFeatureSelector):
    """Prefers later features, in pairs of equal score."""

    def __init__(self, n_features_to_select=1, *, pos_label=None):
        self.n_features_to_select = n_features_to_select
        self.pos_label = pos_label

    def _rank_features(self, X, is_positive):
        scores = np.arange(X.shape[1]) // 2
        return best_first(scores), scores


class Splitting(LastFirst):
    min_positives = 3


def test_equal_scores_rank_in_the_order_of_the_features():
    selector = LastFirst(3).fit(np.random.default_rng(0).random((5, 5)), Y)
    assert selector.feature_order_.tolist() == [4, 2, 3, 0, 1]
    assert selector.get_support(indices=True).tolist() == [2, 3, 4]
    assert selector.report_["flags"] == []


def test_constant_features_come_last_and_are_marked():
    constant = np.column_stack([X, np.full(5, 7.0)])
    selector = LastFirst(3).fit(constant, Y)
    assert selector.feature_order_.tolist() == [2, 0, 1, 3]
    assert selector.report_["n_constant"] == 1
    assert selector.report_["flags"] == []
    assert LastFirst(4).fit(constant, Y).report_["flags"] == ["constant_features_selected"]


def test_copies_of_features_are_counted():
    doubled = np.column_stack([X, X[:, :2], np.zeros((5, 2))])
    assert LastFirst().fit(doubled, Y).report_["n_duplicates"] == 2
    assert LastFirst().fit(X, Y).report_["n_duplicates"] == 0


def test_selector_names_the_kept_features():
    selector = LastFirst(2).fit(X, Y)
    assert selector.get_feature_names_out(["a", "b", "c"]).tolist() == ["a", "c"]


def test_more_features_than_there_are_is_refused():
    with pytest.raises(ValueError, match="more than the 3 features"):
        LastFirst(4).fit(X, Y)


def test_missing_samples_are_refused():
    with pytest.raises(NoUnlabeled, match="one class only"):
        LastFirst(pos_label=1).fit(X, np.ones(5))
    with pytest.raises(TooFewPositives, match=r"Splitting needs at least 3 .* got 2.*semi_jmi"):
        Splitting().fit(X, Y)


def test_what_fails_to_learn_anew_does_not_select_as_before():
    selector = LastFirst(3).fit(X, Y)
    with pytest.raises(ValueError, match="more than the 2 features"):
        selector.fit(X[:, :2], Y)
    with pytest.raises(NotFittedError):
        selector.transform(X[:, :2])
