import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from core.feature_selection.jsfs import JSFS, seen_laplacian
from core.kernels.graphs.gaussian_graph import gaussian_graph

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
Y = (X[:, 0] > 0.5).astype(int)


def test_the_feature_that_decides_is_first():
    assert JSFS(1).fit(X, Y).feature_order_[0] == 0


def test_laplacian_written_out():
    rows, is_positive = X[:30], Y[:30] == 1
    weights = (gaussian_graph(rows, 3).toarray() > 0).astype(float)
    weights[np.ix_(is_positive, is_positive)] = 10
    np.fill_diagonal(weights, 0)
    expected = rows.T @ (np.diag(weights.sum(axis=1)) - weights) @ rows
    assert_allclose(seen_laplacian(rows, is_positive, 3), expected)


def sigmoid(t):
    return 1 / (1 + np.exp(-t))


def slow_weights(X, is_positive, n_rounds, gamma=1e-3, mu=0.9, beta=5.0):
    """Follow the updates of the specification, section 14, with whole matrices."""
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    weights = (gaussian_graph(X, 5).toarray() > 0).astype(float)
    weights[np.ix_(is_positive, is_positive)] = 10
    np.fill_diagonal(weights, 0)
    L = np.diag(weights.sum(axis=1)) - weights
    w, alpha, lam, c = np.full(X.shape[1], 0.5), np.full(X.shape[1], 1e-3), 0.5, 1e-3
    lam, c = np.where(is_positive, 1, lam), np.full(len(X), c)
    y, trust = is_positive.astype(float), np.where(is_positive, 1, mu)
    for _ in range(n_rounds):
        on = w != 0
        A, B = np.diag(alpha[on]), gamma * X[:, on].T @ L @ X[:, on]
        sig = sigmoid(lam * (X @ w))
        slope = X[:, on].T @ (trust * lam * (y - sig)) - (A + B) @ w[on]
        e = trust * lam**2 * sig * (1 - sig)
        covariance = np.linalg.inv(X[:, on].T @ (e[:, None] * X[:, on]) + A + B)
        w[on] += covariance @ slope
        t, soft = X @ w, sigmoid(beta * lam)
        sig = sigmoid(lam * t)
        slope = -mu * t * sig - c * lam + beta * (1 - soft)
        h = mu * t**2 * sig * (1 - sig) + c + beta**2 * soft * (1 - soft)
        is_out = ~is_positive & ((lam == 0) | (lam + np.clip(slope / h, -1, 1) < 1e-3))
        lam = np.where(is_positive, 1, np.where(is_out, 0, lam + np.clip(slope / h, -1, 1)))
        gain = np.diag(np.linalg.inv(A) - np.linalg.inv(A + B))
        alpha[on] = np.minimum(1e8, 1 / (w[on] ** 2 + np.diag(covariance) + gain))
        c = 1 / (lam**2 + 1 / h)
        w[np.abs(w) < 1e-3] = 0
    return w


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_rounds", [1, 2, 20])
def test_weights_are_those_of_whole_matrices(n_rounds):
    selector = JSFS(1, max_iter=n_rounds).fit(X, Y)
    assert_allclose(selector.scores_, np.abs(slow_weights(X, Y == 1, n_rounds)), rtol=1e-6)


def test_dropped_features_that_are_selected_are_flagged():
    selector = JSFS(4, max_iter=200).fit(X, Y)
    n_nonzero = np.count_nonzero(selector.scores_)
    assert selector.report_["n_nonzero"] == n_nonzero
    assert ("few_nonzero_weights" in selector.report_["flags"]) == (n_nonzero < 4)


def test_few_rounds_are_reported():
    with pytest.warns(ConvergenceWarning, match="did not converge in 2 iterations"):
        selector = JSFS(1, max_iter=2).fit(X, Y)
    assert selector.report_["stop_reason"] == "max_iter"
    assert "not_converged" in selector.report_["flags"]
    assert selector.n_iter_ == len(selector.objective_) == 2


def test_too_much_smoothness_is_refused_by_name():
    copies = np.repeat(X[:, :1], 3, axis=1)
    with pytest.raises(ValueError, match=r"smoothness=1e\+300 .* take a smaller one"):
        JSFS(1, smoothness=1e300).fit(copies, Y)


@pytest.mark.parametrize("seed", range(3))
def test_equal_features_are_in_the_order_of_the_columns(seed):
    columns = (np.random.default_rng(seed).random((60, 6)) < 0.4) * 1.0
    columns[:12, 0] = 1
    ranking = JSFS(4).fit(np.c_[columns, columns], np.arange(60) < 12).feature_order_.tolist()
    assert all(ranking.index(first) < ranking.index(first + 6) for first in range(6))


def test_of_dropped_features_the_last_one_comes_first():
    wide = np.random.default_rng(0).normal(size=(200, 20))

    def dropped(max_iter):
        selector = JSFS(1, max_iter=max_iter).fit(wide, wide[:, 0] > 0.5)
        return set(np.flatnonzero(selector.scores_ == 0).tolist()), selector.feature_order_.tolist()

    is_out, ranking = dropped(50)
    first = next(out for out, _ in map(dropped, range(1, 50)) if out)
    assert len(first) < len(is_out)
    assert set(ranking[-len(is_out) :]) == is_out
    assert set(ranking[-len(first) :]) == first
