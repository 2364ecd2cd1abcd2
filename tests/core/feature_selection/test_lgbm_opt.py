"""Specification of feature selection, section 11."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.errors import MissingPackage, TooFewPositives
from core.feature_selection.lgbm_opt import LGBMOPT
from core.kernels.features import boosted_trees
from core.progress import listening

X = np.random.default_rng(0).random((400, 10))
Y = (X[:, 2] + X[:, 5] > 1.4).astype(int)


def test_features_that_make_the_labels_are_found():
    selector = LGBMOPT(2, n_estimators=20, max_iter=150, random_state=0).fit(X, Y)
    assert selector.get_support(indices=True).tolist() == [2, 5]
    assert len(selector.objective_) == selector.n_iter_ == selector.report_["n_iter"]
    assert max(selector.objective_) > 0.9


def test_no_mask_is_judged_twice():
    selector = LGBMOPT(2, n_estimators=5, max_iter=100, random_state=0).fit(X[:, :4], Y)
    # There are six pairs among four features.
    assert selector.report_["n_masks"] <= 6
    assert selector.n_iter_ > 3


def test_seed_decides():
    first, second, other = (
        LGBMOPT(3, n_estimators=5, max_iter=20, random_state=seed).fit(X, Y) for seed in (0, 0, 1)
    )
    assert_array_equal(first.scores_, second.scores_)
    assert first.objective_ == second.objective_
    assert first.objective_ != other.objective_


@pytest.mark.parametrize("seed", range(3))
def test_equally_probable_features_are_in_the_order_of_the_columns(seed):
    wide = np.c_[X, np.random.default_rng(seed).random((400, 6))]
    selector = LGBMOPT(5, n_estimators=2, max_iter=40, random_state=seed).fit(wide, Y)
    expected = np.argsort(-selector.scores_.round(9), kind="stable")
    assert selector.feature_order_.tolist() == expected.tolist()


def test_search_that_is_cut_short_is_told():
    selector = LGBMOPT(3, n_estimators=5, max_seconds=0, random_state=0).fit(X, Y)
    assert selector.n_iter_ == 1
    assert selector.report_["stop_reason"] == "max_seconds"
    assert "out_of_time" in selector.report_["flags"]


def test_with_all_features_asked_for_there_is_nothing_to_search():
    selector = LGBMOPT(10).fit(X, Y)
    assert selector.support_.all()
    assert selector.report_["stop_reason"] == "nothing_to_choose"
    assert selector.objective_ == []


def test_listener_can_end_the_search():
    class Cancelled(Exception):
        pass

    def cancel(stage, share, **facts):
        raise Cancelled(stage)

    with listening(cancel), pytest.raises(Cancelled, match="search"):
        LGBMOPT(3, n_estimators=5, random_state=0).fit(X, Y)


@pytest.mark.parametrize(("n_positive", "flags"), [(97, ["few_held_out"]), (98, [])])
def test_few_positives_to_judge_by_are_told(n_positive, flags):
    # A fifth of them, rounded, is held out.
    y = np.arange(400) < n_positive
    selector = LGBMOPT(5, n_estimators=1, max_iter=1, random_state=0).fit(X, y)
    assert [flag for flag in selector.report_["flags"] if flag == "few_held_out"] == flags


def test_few_positives_are_refused():
    with pytest.raises(TooFewPositives, match="at least 10 positives, got 9"):
        LGBMOPT(3).fit(X, np.arange(400) < 9)


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(boosted_trees, "lightgbm", None)
    with pytest.raises(MissingPackage, match="pip install 'lightgbm") as error:
        LGBMOPT(3).fit(X, Y)
    assert isinstance(error.value, ValueError)
    assert error.value.code == "missing_package"
