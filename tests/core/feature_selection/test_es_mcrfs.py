"""Specification of feature selection, section 10."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import minmax_scale

from core.classifier_bases.held_out import held_out_splits
from core.errors import TooFewPositives
from core.feature_selection.es_mcrfs import ESMCRFS
from core.kernels.rows.row_hash import content_order

X = minmax_scale(np.random.default_rng(0).random((200, 6)))
X = X[content_order(sp.csr_array(X))]  # rows are drawn by their places in this order
Y = (X[:, 3] + 0.5 * X[:, 1] > 1.0).astype(int)


def test_reward_is_the_held_out_area_less_a_tenth_of_the_correlation():
    # With all features asked for there is one mask, and every walk is complete.
    selector = ESMCRFS(6, max_iter=3, random_state=0).fit(X, Y)
    random = np.random.RandomState(0)
    random.randint(2**31 - 1)
    [(training, held_out)] = held_out_splits(Y == 1, random_state=random)
    scores = Ridge(alpha=1.0).fit(X[training], Y[training]).predict(X[held_out])
    correlations = np.abs(np.corrcoef(X.T))[np.triu_indices(6, 1)]
    expected = roc_auc_score(Y[held_out], scores) - 0.1 * correlations.mean()
    assert_allclose(selector.objective_, [expected] * 3)
    assert selector.report_["n_masks"] == 1


def test_features_of_the_last_walk_are_selected_and_lead_the_ranking():
    selector = ESMCRFS(2, max_iter=50, random_state=0).fit(X, Y)
    assert selector.support_.sum() == 2
    assert (selector.scores_[selector.support_] > 1).all()
    assert (selector.scores_[~selector.support_] < 1).all()
    assert (np.diff(selector.scores_[selector.feature_order_]) <= 0).all()


def test_walks_are_counted():
    selector = ESMCRFS(2, max_iter=50, random_state=0).fit(X, Y)
    assert selector.report_["flags"] == ["experimental"]
    assert selector.report_["n_iter"] == selector.n_iter_ == 50
    assert 0 < selector.report_["n_complete"] == len(selector.objective_) < 50
    # There are 15 pairs among six features.
    assert selector.report_["n_masks"] <= 15


def test_seed_decides():
    first, second, other = (
        ESMCRFS(2, max_iter=20, random_state=seed).fit(X, Y) for seed in (0, 0, 1)
    )
    assert_array_equal(first.scores_, second.scores_)
    assert not np.array_equal(first.scores_, other.scores_)


def test_without_a_complete_walk_nothing_is_learned():
    wide = np.random.default_rng(1).random((200, 60))
    selector = ESMCRFS(30, max_iter=1, random_state=0).fit(wide, Y)
    assert selector.objective_ == []
    assert selector.report_["flags"] == ["experimental", "nothing_learned"]
    assert selector.support_.sum() == 30


def test_few_positives_are_refused():
    with pytest.raises(TooFewPositives, match="at least 10 positives, got 9"):
        ESMCRFS(2).fit(X, np.arange(200) < 9)
