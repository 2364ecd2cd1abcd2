"""Specification of feature selection, sections 3 and 21."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.errors import TooFewPositives
from core.feature_selection.fscpu import FSCPU
from core.progress import listening, stopping


def blobs(seed=0):
    """Return section 3.8's rows: columns 0 and 1 hold a cluster, 20 of its 60 rows labeled."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 6, size=(360, 6))
    X[:, :2] = rng.normal(size=(360, 2))
    X[300:, :2] += 3
    y = np.zeros(360, dtype=int)
    y[300 + rng.permutation(60)[:20]] = 1
    return X, y


X, Y = blobs()


def fscpu(n_features_to_select=2, **settings):
    settings = {"n_clusters": 4, "max_iter": 300, "random_state": 0, **settings}
    return FSCPU(n_features_to_select, **settings)


@pytest.mark.parametrize("seed", range(10))
def test_columns_of_the_cluster_are_selected(seed):
    selector = fscpu(random_state=seed).fit(*blobs(seed))
    assert selector.get_support(indices=True).tolist() == [0, 1]


def test_paper_mode_selects_the_same():
    selector = fscpu(mode="paper", max_iter=30).fit(X, Y)
    assert selector.get_support(indices=True).tolist() == [0, 1]
    assert selector.report_["n_rows"] == 360


def test_objective_lies_between_the_share_of_positives_and_one():
    objective = np.array(fscpu().fit(X, Y).objective_)
    assert (objective >= 20 / 360 - 1e-6).all()
    assert (objective <= 1 + 1e-6).all()


def test_report_tells_how_the_search_ended():
    selector = fscpu().fit(X, Y)
    assert selector.report_["stop_reason"] == "converged"
    assert selector.report_["converged_share"] == 1
    assert selector.report_["n_iter"] == selector.n_iter_ == len(selector.objective_) < 300
    assert selector.report_["flags"] == []
    # Rows for covariances of two features in 45 clusters, four each, but not of three.
    short = fscpu(n_clusters=45, max_iter=3).fit(X, Y).report_
    assert (short["stop_reason"], short["covariance"]) == ("max_iter", "full")


@pytest.mark.parametrize(
    ("settings", "n_positive", "flag"),
    [
        ({}, 9, "few_positives"),
        ({"n_clusters": 100}, 20, "fewer_clusters"),
        ({"n_clusters": 60}, 20, "diagonal_covariance"),
        ({"max_iter": 2}, 20, "not_converged"),
        ({"max_seconds": 0.0}, 20, "out_of_time"),
    ],
)
def test_doubts_are_flagged(settings, n_positive, flag):
    y = np.where(np.cumsum(Y) <= n_positive, Y, 0)
    assert flag in fscpu(**settings).fit(X, y).report_["flags"]


def test_labels_without_clusters_are_flagged():
    X = np.random.default_rng(0).random((400, 6))
    y = np.arange(400) % 4 == 0
    selector = fscpu(n_clusters=3, max_iter=50).fit(X, y)
    assert "clusters_doubtful" in selector.report_["flags"]
    assert "clusters_doubtful" not in fscpu(max_iter=50).fit(*blobs()).report_["flags"]


def test_out_of_time_returns_the_best_so_far():
    selector = fscpu(max_seconds=0.0).fit(X, Y)
    assert selector.n_iter_ == 1
    assert selector.report_["stop_reason"] == "max_seconds"
    assert selector.support_.sum() == 2


def test_a_stop_returns_the_best_so_far():
    with stopping(lambda: True):
        selector = fscpu().fit(X, Y)
    assert selector.n_iter_ == 1
    assert selector.report_["stop_reason"] == "cancelled"
    assert selector.report_["converged_share"] < 0.5
    # What ended it is told, not that it did not settle.
    assert selector.report_["flags"] == ["cancelled"]
    assert selector.support_.sum() == 2


def test_listener_can_cancel():
    def cancel(stage, share, **facts):
        raise InterruptedError(stage)

    with listening(cancel), pytest.raises(InterruptedError, match="search"):
        fscpu().fit(X, Y)


@pytest.mark.parametrize("seed", [2, 5, 10])
def test_equally_probable_features_are_in_the_order_of_the_columns(seed):
    # Steps up and down add up to the same in any order, but for rounding.
    X, y = blobs(seed)
    X = np.c_[X, np.random.default_rng(seed).random((360, 6))]
    selector = fscpu(4, max_iter=30, random_state=seed).fit(X, y)
    expected = np.argsort(-selector.scores_.round(9), kind="stable")
    assert selector.feature_order_.tolist() == expected.tolist()


def test_same_seed_gives_the_same_scores():
    assert_array_equal(fscpu(max_iter=20).fit(X, Y).scores_, fscpu(max_iter=20).fit(X, Y).scores_)


def test_scale_of_features_is_irrelevant():
    scaled = X * [1, 4, 0.5, 8, 1, 2]
    assert_array_equal(
        fscpu(max_iter=20).fit(X, Y).scores_, fscpu(max_iter=20).fit(scaled, Y).scores_
    )


def test_all_features_are_nothing_to_choose():
    selector = fscpu(6).fit(X, Y)
    assert selector.support_.all()
    assert selector.report_["stop_reason"] == "nothing_to_choose"


def test_few_of_many_are_not_settled_at_the_start():
    rng = np.random.default_rng(0)
    wide = np.column_stack([X, rng.random((360, 194))])
    selector = fscpu(max_iter=5).fit(wide, Y)
    # 200 candidates: twice the root of 50.
    assert selector.n_iter_ == 10
    assert "not_converged" in selector.report_["flags"]


def test_costs_keep_the_selection_within_the_budget():
    costs = np.array([1, 1, 0.4, 0.4, 0.4, 3])
    selector = fscpu(costs=costs, budget=2.4).fit(X, Y)
    assert selector.support_[:2].all()
    assert costs[selector.support_].sum() <= 2.4
    assert fscpu(costs=costs).fit(X, Y).support_ @ costs <= 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"clip_rate": 0.4}, "clip_rate=0.4 is too large: the probabilities start at 0.333"),
        ({"costs": [1, 2]}, "6 finite numbers"),
        ({"costs": [3] * 6}, "no feature is affordable"),
        ({"costs": [1] * 6, "prefilter": 3}, "raise prefilter"),
        ({"budget": 2.0}, "without them"),
        ({"n_clusters": 0}, "n_clusters"),
        ({"learning_rate": 0.5}, "learning_rate"),
        ({"max_iter": 0}, "max_iter"),
        ({"mode": "slow"}, "mode"),
    ],
)
def test_unusable_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        fscpu(**settings).fit(X, Y)


def test_one_positive_is_refused():
    with pytest.raises(TooFewPositives, match="at least 2 positives, got 1"):
        fscpu().fit(X, np.arange(360) == 0)
