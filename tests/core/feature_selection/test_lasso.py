"""Specification of feature selection, section 7."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from core.datasets import make_pu_data
from core.feature_selection.lasso import LassoSelector

IDENTITY = np.tile(np.eye(4), (3, 1))
FIRST = IDENTITY[:, 0]


def coordinate_descent(X, y, alpha, n_passes=2000):
    """Minimise |y - Xw|² / 2n + alpha |w|_1, both centred, one weight after the other."""
    X, y = X - X.mean(axis=0), y - y.mean()
    w, n = np.zeros(X.shape[1]), len(y)
    for _ in range(n_passes):
        for j in np.flatnonzero(X.any(axis=0)):
            slope = X[:, j] @ (y - X @ w + X[:, j] * w[j]) / n
            shrunk = max(abs(slope) - alpha, 0) * np.sign(slope)
            w[j] = shrunk / (X[:, j] @ X[:, j] / n)
    return w


def test_feature_that_equals_the_label_has_the_largest_weight():
    selector = LassoSelector(1).fit(IDENTITY, FIRST)
    assert selector.feature_order_.tolist() == [0, 1, 2, 3]
    # Of an orthogonal feature with variance 3/16 the weight is 1 - alpha / variance.
    assert_allclose(selector.scores_, [1 - 1e-4 * 16 / 3, 0, 0, 0], atol=1e-6)
    assert selector.report_["n_nonzero"] == 1
    assert selector.report_["flags"] == []


def test_penalty_that_leaves_no_weight_falls_back_on_the_residual():
    reversed_identity = IDENTITY[:, ::-1]
    selector = LassoSelector(2, alpha=3 / 16).fit(reversed_identity, FIRST)
    assert_allclose(selector.report_["alpha_max"], 3 / 16)
    assert selector.scores_.tolist() == [0, 0, 0, 0]
    # The product with the centred label is 9/4 of itself and -3/4 of each of the others.
    assert selector.feature_order_.tolist() == [3, 0, 1, 2]
    assert selector.report_["flags"] == ["few_nonzero_weights"]


def test_features_without_a_weight_are_marked_where_they_are_selected():
    assert LassoSelector(2).fit(IDENTITY, FIRST).report_["flags"] == ["few_nonzero_weights"]


def test_relative_penalty_is_a_share_of_the_largest_useful_one():
    relative = LassoSelector(1, alpha=0.5, relative=True).fit(IDENTITY, FIRST)
    absolute = LassoSelector(1, alpha=3 / 32).fit(IDENTITY, FIRST)
    assert_allclose(relative.scores_, [0.5, 0, 0, 0], atol=1e-9)
    assert_allclose(relative.scores_, absolute.scores_)
    turned = LassoSelector(1, alpha=0.5, relative=True).fit(1 - IDENTITY, FIRST)
    assert_allclose(turned.scores_, relative.scores_, atol=1e-9)
    assert LassoSelector(1, alpha=1, relative=True).fit(IDENTITY, FIRST).scores_.max() == 0


def test_weights_are_those_of_coordinate_descent():
    X, y, _ = make_pu_data(80, 30, random_state=0)
    X = X[:, :20].toarray()
    scaled = X / np.maximum(X.max(axis=0) - X.min(axis=0), 1)
    expected = coordinate_descent(scaled, y, 0.01)
    selector = LassoSelector(5, alpha=0.01, tol=1e-10).fit(X, y)
    assert 0 < np.count_nonzero(expected) < 20
    assert_allclose(selector.scores_, np.abs(expected), atol=1e-6)


def test_unit_and_origin_of_a_feature_do_not_matter():
    X, y, _ = make_pu_data(80, 20, random_state=0)
    X = X.toarray()
    expected = LassoSelector(5, tol=1e-8).fit(X, y).scores_
    moved = LassoSelector(5, tol=1e-8).fit(X * np.linspace(1, 50, 20) - 3, y).scores_
    assert_allclose(moved, expected, atol=1e-5)


def test_label_drop_with_a_penalty_that_shrinks_alike_keeps_the_order():
    # Each positive stands for a labeled and an unlabeled copy of itself: weights are halved.
    X, _, y_true = make_pu_data(80, 30, random_state=0)
    twice = sp.vstack([X, X])
    labels = np.concatenate([y_true, y_true]), np.concatenate([y_true, np.zeros_like(y_true)])
    full = LassoSelector(5, alpha=0.01, tol=1e-8).fit(twice, labels[0])
    half = LassoSelector(5, alpha=0.005, tol=1e-8).fit(twice, labels[1])
    assert_allclose(half.scores_, full.scores_ / 2, atol=1e-6)
    assert half.feature_order_[:5].tolist() == full.feature_order_[:5].tolist()


def test_too_few_passes_are_told():
    X, y, _ = make_pu_data(80, 30, random_state=0)
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        selector = LassoSelector(5, max_iter=1).fit(X, y)
    assert selector.report_["flags"] == ["not_converged"]
    assert selector.report_["converged"] is False
    assert LassoSelector(5).fit(X, y).report_["converged"] is True


@pytest.mark.parametrize("relative", [False, True])
def test_features_that_say_nothing_are_kept_in_order(relative):
    X = np.tile([[1.0, 0], [0, 1]], (4, 1))
    selector = LassoSelector(1, relative=relative).fit(X, np.repeat([0, 1], 4))
    assert selector.feature_order_.tolist() == [0, 1]
    assert selector.report_["flags"] == ["few_nonzero_weights"]
