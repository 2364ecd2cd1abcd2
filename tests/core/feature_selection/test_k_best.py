"""Specification of feature selection, section 6; its toy columns are those of section 5.6."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.datasets import make_pu_data
from core.feature_selection.k_best import KBest

Y = np.array([1, 1, 0, 0, 0, 0, 0, 0])
A = Y
B = np.array([1, 1, 1, 1, 0, 0, 0, 0])
C = np.array([1, 0, 1, 0, 1, 0, 1, 0])


def test_scores_are_those_of_the_toy_example():
    selector = KBest(1).fit(np.column_stack([C, B, A]), Y)
    assert_allclose(selector.scores_, [0, 4 / 3, 6], atol=1e-9)
    assert selector.feature_order_.tolist() == [2, 1, 0]
    assert selector.get_support().tolist() == [False, False, True]


def test_scores_equal_the_closed_form():
    X, y, _ = make_pu_data(60, 30, random_state=0)
    total, labeled, share = X.sum(axis=0), X[y == 1].sum(axis=0), y.mean()
    with np.errstate(invalid="ignore"):
        expected = (labeled - share * total) ** 2 / (total * share * (1 - share))
    scores = KBest(5).fit(X, y).scores_
    assert_allclose(scores, np.where(total > 0, expected, 0), atol=1e-9)


def test_feature_without_a_value_scores_zero():
    X = sp.csr_array(np.column_stack([np.zeros(8), A]))
    assert KBest(1).fit(X, Y).scores_[0] == 0


def test_ties_go_to_the_earlier_feature():
    selector = KBest(2).fit(np.column_stack([C, A, A, A]), Y)
    assert selector.get_support(indices=True).tolist() == [1, 2]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("unit", [1, 1e-9, 1e9])
def test_ties_are_in_the_order_of_the_columns_however_sums_are_rounded(seed, unit):
    # The second column has the values of the first within each class, in other rows.
    random = np.random.default_rng(seed)
    tenths, s = random.integers(0, 11, size=60) / 10, np.arange(60) < 15
    moved = np.concatenate([random.permutation(tenths[s]), random.permutation(tenths[~s])])
    X = unit * np.column_stack([tenths, moved])
    assert KBest(1).fit(X, s).feature_order_.tolist() == [0, 1]
    assert KBest(1).fit(X[:, ::-1], s).feature_order_.tolist() == [0, 1]


def test_transform_keeps_the_selected_columns_sparse():
    X = sp.csr_array(np.column_stack([C, B, A]))
    kept = KBest(2).fit(X, Y).transform(X)
    assert sp.issparse(kept)
    assert_allclose(kept.toarray(), np.column_stack([B, A]))


def test_number_of_labels_scales_all_scores_alike():
    # Each positive stands for a labeled and an unlabeled copy of itself.
    X, _, y_true = make_pu_data(80, 30, random_state=0)
    twice = sp.vstack([X, X])
    labeled_half = np.concatenate([y_true, np.zeros_like(y_true)])
    full = KBest(5).fit(twice, np.concatenate([y_true, y_true])).scores_
    half = KBest(5).fit(twice, labeled_half).scores_
    scale = half.sum() / full.sum()
    assert_allclose(half, scale * full, atol=1e-9)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0], [-1]], [1, 0], "Negative values"),
        ([[1.0], [2]], [0, 0], "one class"),
        ([[1.0], [np.nan]], [1, 0], "NaN"),
        ([[1.0], [2]], [1, 0], "more than the 1 features"),
    ],
)
def test_unusable_input_is_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        KBest(2).fit(X, y)


def test_no_labeled_positive_is_refused():
    with pytest.raises(ValueError, match="no sample of the positive class"):
        KBest(1, pos_label=1).fit([[1.0], [2]], [0, 0])


def test_no_unlabeled_sample_is_refused():
    with pytest.raises(ValueError, match="unlabeled samples are needed"):
        KBest(1, pos_label=1).fit([[1.0], [2]], [1, 1])


@pytest.mark.parametrize("scale", [1e-305, 1e-200, 1e160, 1e300])
def test_the_unit_does_not_matter_however_small_or_large(scale):
    X, y, _ = make_pu_data(200, 10, random_state=0)
    X = np.round(X - X.min()) / 64
    usual, found = KBest().fit(X, y), KBest().fit(X * scale, y)
    assert found.feature_order_.tolist() == usual.feature_order_.tolist()
    assert_allclose(found.scores_, usual.scores_ * scale)
