import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.base import clone

from core.datasets import make_pu_data
from core.feature_selection.base_dense import BaseDenseSelector
from core.feature_selection.es_mcrfs import ESMCRFS
from core.feature_selection.lgbm_opt import LGBMOPT
from core.feature_selection.score_order import best_first
from tests.core.conftest import short

RNG = np.random.default_rng(0)
Y = np.r_[np.ones(20), np.zeros(80)]


class ByMean(BaseDenseSelector):
    """Prefers features with a large mean; keeps what it was given, in ascending order."""

    def __init__(self, n_features_to_select=1, *, prefilter=3, pos_label=None):
        self.n_features_to_select = n_features_to_select
        self.prefilter = prefilter
        self.pos_label = pos_label

    def _rank_dense(self, X, is_positive):
        self.X_ = X[np.lexsort(X.T)]
        return best_first(X.mean(axis=0)), X.mean(axis=0)


def presence(n_with_positive, n_with_unlabeled):
    column = np.zeros(100)
    column[:n_with_positive] = 1
    column[20 : 20 + n_with_unlabeled] = 1
    return column


def test_features_are_scaled():
    X = RNG.normal(5, 3, size=(100, 2))
    selector = ByMean().fit(X, Y)
    scaled = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    assert_allclose(selector.X_, scaled[np.lexsort(scaled.T)])
    assert selector.report_["n_candidates"] == 2


@pytest.mark.parametrize("unit", [1e-6, 1e-30, 1e30])
def test_small_ranges_are_scaled_too(unit):
    X = RNG.random((100, 2)).astype(np.float32)
    scaled = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    expected = scaled[np.lexsort(scaled.T)]
    assert_allclose(ByMean().fit(X * np.float32(unit), Y).X_, expected, rtol=1e-5, atol=1e-6)


def test_of_many_features_the_most_dependent_are_looked_at():
    X = np.column_stack([presence(5, 20), presence(10, 5), presence(4, 0), presence(15, 60)])
    X = np.column_stack([X, presence(2, 40)])
    selector = ByMean(prefilter=2).fit(sp.csr_array(X), Y)
    # Of 4 positives and nothing else, the third is too rare; the first and fourth are spread
    # alike; the second and the fifth are left.
    assert np.flatnonzero(np.isfinite(selector.scores_)).tolist() == [1, 4]
    assert selector.feature_order_[:2].tolist() == [4, 1]
    assert sorted(selector.feature_order_) == list(range(5))
    assert selector.report_["n_candidates"] == 2


@pytest.mark.parametrize("seed", range(5))
def test_of_equally_dependent_features_the_first_are_looked_at(seed):
    random = np.random.default_rng(seed)
    tenths = random.integers(1, 11, size=100) / 10
    moved = np.concatenate([random.permutation(tenths[:20]), random.permutation(tenths[20:])])
    for X in ([tenths, moved], [moved, tenths]):
        assert np.isfinite(ByMean(prefilter=1).fit(np.column_stack(X), Y).scores_[0])


def test_as_many_are_looked_at_as_are_to_be_selected():
    selector = ByMean(4, prefilter=1).fit(RNG.random((100, 5)), Y)
    assert selector.report_["n_candidates"] == 4
    assert np.isfinite(selector.scores_[selector.support_]).all()


def test_the_type_of_the_values_does_not_matter(selector):
    # Small whole numbers are the same in both.
    X, y, _ = make_pu_data(120, 20, random_state=0)
    X = np.round(X - X.min())
    if isinstance(selector, ESMCRFS | LGBMOPT):  # whose search goes on for seconds
        selector = short(selector)
    selector.set_params(n_features_to_select=5)
    single, double = (clone(selector).fit(X.astype(dtype), y) for dtype in (np.float32, float))
    assert single.feature_order_.tolist() == double.feature_order_.tolist()
