"""Specification of feature selection, section 9."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE
from sklearn.preprocessing import minmax_scale

from core.feature_selection.dt_rfe import DTRFE
from core.kernels.rows.row_hash import content_order
from core.progress import listening

X = minmax_scale(np.random.default_rng(0).random((200, 6)))
Y = (X[:, 0] > 0.5).astype(int)


def test_feature_that_makes_the_labels_is_left():
    assert DTRFE(1, random_state=0).fit(X, Y).get_support(indices=True).tolist() == [0]


@pytest.mark.parametrize("class_weight", [None, "balanced", "balanced_subsample"])
def test_dropping_one_at_a_time_is_elimination_by_scikit_learn(class_weight):
    noisy = np.where(np.random.default_rng(1).random(200) < 0.2, 1 - Y, X[:, 1] > 0.6)
    forest = RandomForestClassifier(20, class_weight=class_weight, random_state=3)
    rows = content_order(sp.csr_array(X), noisy == 1)
    expected = RFE(forest, n_features_to_select=2, step=1).fit(X[rows], noisy[rows])
    selector = DTRFE(
        2,
        step=1,
        n_estimators=20,
        min_samples_leaf=1,
        max_samples=1,
        class_weight=class_weight,
        random_state=3,
    ).fit(X, noisy)
    assert_array_equal(selector.support_, expected.support_)
    # Its ranking is 1 for what is left, 2 for what the last of four forests dropped, and so on.
    assert_array_equal(np.floor(selector.scores_), 6 - np.maximum(expected.ranking_, 2))
    assert selector.report_["n_forests"] == 4


@pytest.mark.parametrize("step", [0.3, 2])
def test_a_share_of_the_features_is_dropped_by_a_forest_of_scikit_learn(step):
    noisy = np.where(np.random.default_rng(1).random(200) < 0.2, 1 - Y, X[:, 1] > 0.6)
    rows = content_order(sp.csr_array(X), noisy == 1)
    left, expected = list(range(6)), np.zeros(6)
    for n_forests in range(1, 9):
        forest = RandomForestClassifier(15, min_samples_leaf=5, max_samples=60, random_state=3)
        importances = forest.fit(X[rows][:, left], noisy[rows]).feature_importances_
        expected[left] = n_forests + importances
        n_dropped = step if step > 1 else int(np.ceil(step * len(left)))
        n_dropped = min(n_dropped, len(left) - 1)
        ascending = sorted(zip(importances, left, strict=True))
        left = sorted(feature for _, feature in ascending[n_dropped:])
        if len(left) == 1:
            break
    selector = DTRFE(1, step=step, n_estimators=15, random_state=3).fit(X, noisy)
    np.testing.assert_allclose(selector.scores_, expected)
    assert selector.get_support(indices=True).tolist() == left


def test_a_share_is_of_the_features_that_remain():
    told = []
    X = np.random.default_rng(0).random((40, 30))
    with listening(lambda stage, share: told.append(round(30 * (1 - share)))):
        selector = DTRFE(20, n_estimators=2, random_state=0).fit(X, np.arange(40) < 20)
    # Of 30, 27 and 24 features a tenth is dropped, rounded up; then one is too many.
    assert told == [7, 4, 1, 0]
    counts = np.unique_counts(np.floor(selector.scores_)).counts
    assert counts.tolist() == [3, 3, 3, 21]


def test_of_equally_unimportant_features_the_last_is_dropped():
    X = np.zeros((40, 4))
    X[:20, 2] = 1
    X[0] = [1, 1, 1, 1]
    # Only the third feature leaves ten samples on each side: the others are of no importance.
    selector = DTRFE(2, step=1, min_samples_leaf=10, max_samples=1, random_state=0)
    selector.fit(X, np.arange(40) < 20)
    assert selector.scores_.tolist() == [2, 2, 2 + 1, 1]
    assert selector.feature_order_.tolist() == [2, 0, 1, 3]


def test_ranking_follows_the_scores():
    selector = DTRFE(3, n_estimators=10, random_state=0).fit(X, Y)
    assert (np.diff(selector.scores_[selector.feature_order_]) <= 0).all()
    assert selector.support_[selector.feature_order_[:3]].all()


def test_more_features_to_drop_than_there_are_leaves_those_asked_for():
    selector = DTRFE(2, step=100, n_estimators=10, random_state=0).fit(X, Y)
    assert selector.support_.sum() == 2
    assert selector.report_["n_forests"] == 1


def test_importances_rank_where_nothing_is_to_be_dropped():
    selector = DTRFE(6, n_estimators=10, random_state=0).fit(X, Y)
    assert selector.support_.all()
    assert selector.feature_order_[0] == 0
    np.testing.assert_allclose((selector.scores_ - 1).sum(), 1)
