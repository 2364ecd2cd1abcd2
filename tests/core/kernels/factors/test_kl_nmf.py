"""Specification A1, the factorisation; the toy numbers are those of its example."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from threadpoolctl import threadpool_info, threadpool_limits

from core.kernels.factors.kl_nmf import (
    FLOOR,
    divergences,
    first_topic_probabilities,
    fold_in,
    normalize_topics,
    reseed_dead_topics,
    row_divergences,
    update,
)
from core.kernels.hardware.lanes import LANES

TOY = sp.csr_array([[2.0, 0, 1], [1, 1, 0], [0, 2, 1]])


def toy_factors():
    W = np.array([[1.0, 1], [1, 2], [2, 1]])
    return W, np.array([[1.0, 1, 1], [1, 2, 1]]).T.copy()


def random_problem(seed=0, *, n_rows=40, n_columns=30, n_topics=5, dtype=np.float64):
    """Return a sparse V with an empty row and an empty column, and positive factors."""
    rng = np.random.default_rng(seed)
    V = rng.random((n_rows, n_columns)) * (rng.random((n_rows, n_columns)) < 0.2)
    V[3], V[:, 5] = 0, 0
    W, Ht = 0.1 + rng.random((n_rows, n_topics)), 0.1 + rng.random((n_columns, n_topics))
    return sp.csr_array(V.astype(dtype)), W.astype(dtype), Ht.astype(dtype)


def side_by_side(**problem):
    """Return V and the factors of eight runs: those of each, and on a third axis."""
    V, _, _ = random_problem(**problem)
    runs = [random_problem(seed, **problem)[1:] for seed in range(LANES)]
    W, Ht = (np.ascontiguousarray(np.stack(factor, axis=-1)) for factor in zip(*runs, strict=True))
    return V, runs, W, Ht


def slow_update(V, A, B):
    ratio = V / (A @ B.T + 1e-10)
    return np.maximum(A * (ratio @ B) / B.sum(axis=0), FLOOR)


def slow_divergence(V, W, Ht):
    WH = W @ Ht.T
    logs = np.log(np.where(V > 0, V, 1) / np.where(V > 0, WH, 1))
    return (V * logs - V + WH).sum(axis=1)


def test_divergence_takes_one_thread_of_linear_algebra():
    """The products are the same by several, and take four times as long."""
    V, W, Ht = random_problem()
    numbers = set()

    class Watched(sp.csr_array):
        def sum(self, *args, **kwargs):
            numbers.update(each["num_threads"] for each in threadpool_info())
            return super().sum(*args, **kwargs)

    with threadpool_limits(2, user_api="blas"), threadpool_limits(1, user_api="openmp"):
        divergences(Watched(V), W[..., None], Ht[..., None])
    assert numbers == {1}


def test_half_steps_of_the_toy_example():
    W, Ht = toy_factors()
    assert_allclose(row_divergences(TOY, W, Ht).sum(), 14.113896, atol=1e-6)
    update(TOY, W, Ht)
    expected = [[0.5, 0.375], [0.177778, 0.366667], [0.555556, 0.333333]]
    assert_allclose(W, expected, atol=1e-6)
    assert_allclose(row_divergences(TOY, W, Ht).sum(), 3.590704, atol=1e-6)
    update(TOY.T.tocsr(), Ht, W)
    expected = [[1.191395, 0.895308, 0.970077], [1.423825, 1.763523, 0.747508]]
    assert_allclose(Ht.T, expected, atol=1e-6)
    assert_allclose(row_divergences(TOY, W, Ht).sum(), 3.396109, atol=1e-6)
    assert_allclose((W @ Ht.T).sum(axis=0), [3, 3, 2])


def test_clamped_and_normalised_toy_example():
    W, Ht = toy_factors()
    update(TOY, W, Ht)
    update(TOY.T.tocsr(), Ht, W)
    clamped = W.copy()
    clamped[0] = W.max(), 0.001
    assert_allclose(clamped[0], [0.555556, 0.001], atol=1e-6)
    assert_allclose(row_divergences(TOY, clamped, Ht).sum(), 3.508466, atol=1e-6)
    assert_allclose(Ht.sum(axis=0), [3.056780, 3.934857], atol=1e-6)
    normalize_topics(W, Ht)
    expected = [[1.528390, 1.475571], [0.543428, 1.442781], [1.698211, 1.311619]]
    assert_allclose(W, expected, atol=1e-6)


def test_fold_in_of_the_toy_example():
    W, Ht = toy_factors()
    update(TOY, W, Ht)
    update(TOY.T.tocsr(), Ht, W)
    normalize_topics(W, Ht)
    v = sp.csr_array([[1.0, 0, 2]])
    # The start of a row with sum 3 is (1.5, 1.5); the step only sees its direction.
    assert_allclose(fold_in(v, Ht, max_iter=1), [[1.769650, 1.230350]], atol=1e-6)
    assert_allclose(fold_in(v, Ht, max_iter=10_000, tol=0), [[3, 0]], atol=1e-6)
    of_one_word = fold_in(sp.csr_array([[3.0, 0, 0]]), Ht, max_iter=1)
    assert_allclose(of_one_word, 3 * Ht[:1] / Ht[0].sum(), atol=1e-6)


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 2e-5), (np.float64, 1e-11)])
@pytest.mark.parametrize("n_topics", [2, 5, 20])
def test_half_steps_equal_dense_arithmetic(dtype, tolerance, n_topics):
    V, W, Ht = random_problem(dtype=dtype, n_topics=n_topics)
    dense, slow_W, slow_Ht = (a.astype(np.float64) for a in (V.toarray(), W, Ht))
    for _ in range(3):
        update(V, W, Ht)
        slow_W = slow_update(dense, slow_W, slow_Ht)
        update(V.T.tocsr(), Ht, W)
        slow_Ht = slow_update(dense.T, slow_Ht, slow_W)
    assert W.dtype == Ht.dtype == dtype
    assert_allclose(W, slow_W, rtol=tolerance)
    assert_allclose(Ht, slow_Ht, rtol=tolerance)
    divergences = row_divergences(V, W, Ht)
    assert divergences.dtype == np.float64
    expected = slow_divergence(dense, slow_W, slow_Ht)
    assert_allclose(divergences, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 2e-5), (np.float64, 1e-11)])
@pytest.mark.parametrize("n_topics", [2, 4, 5, 20])
def test_runs_side_by_side_are_those_of_each_alone(dtype, tolerance, n_topics):
    V, runs, W, Ht = side_by_side(dtype=dtype, n_topics=n_topics)
    for _ in range(3):
        for A, B in [(W, Ht), *runs]:
            update(V, A, B)
            update(V.T.tocsr(), B, A)
            normalize_topics(A, B)
    expected = [row_divergences(V, *run).sum() for run in runs]
    assert_allclose(divergences(V, W, Ht), expected, rtol=tolerance, atol=tolerance)
    for run, (run_W, run_Ht) in enumerate(runs):
        assert_allclose(W[..., run], run_W, rtol=tolerance)
        assert_allclose(Ht[..., run], run_Ht, rtol=tolerance)


def test_divergences_of_one_run_are_the_sum_over_the_rows():
    V, W, Ht = random_problem()
    expected = [row_divergences(V, W, Ht).sum()]
    assert_allclose(divergences(V, W[..., None], Ht[..., None]), expected)


def test_divergences_are_added_up_over_blocks_of_entries(monkeypatch):
    V, _, W, Ht = side_by_side()
    expected = divergences(V, W, Ht)
    monkeypatch.setattr("core.kernels.factors.kl_nmf._LOG_ENTRIES", 7)
    assert_allclose(divergences(V, W, Ht), expected)


@pytest.mark.parametrize("seed", range(5))
def test_half_steps_never_raise_the_divergence(seed):
    V, W, Ht = random_problem(seed)
    divergences = [row_divergences(V, W, Ht).sum()]
    for _ in range(60):
        update(V, W, Ht)
        divergences.append(row_divergences(V, W, Ht).sum())
        update(V.T.tocsr(), Ht, W)
        divergences.append(row_divergences(V, W, Ht).sum())
    assert np.diff(divergences).max() <= 1e-9


def test_half_steps_reproduce_row_sums_and_column_sums():
    V, W, Ht = random_problem()
    update(V, W, Ht)
    assert_allclose((W @ Ht.T).sum(axis=1), V.sum(axis=1), atol=1e-8)
    update(V.T.tocsr(), Ht, W)
    assert_allclose((W @ Ht.T).sum(axis=0), V.sum(axis=0), atol=1e-8)


def test_entries_never_fall_below_the_floor():
    V, W, Ht = random_problem()
    update(V, W, Ht)
    update(V.T.tocsr(), Ht, W)
    assert (W[3] == FLOOR).all()
    assert (Ht[5] == FLOOR).all()
    assert min(W.min(), Ht.min()) >= FLOOR


def test_normalising_leaves_the_product():
    _, W, Ht = random_problem()
    product = W @ Ht.T
    normalize_topics(W, Ht)
    assert_allclose(Ht.sum(axis=0), 1)
    assert_allclose(W @ Ht.T, product)


def test_fold_in_keeps_the_sum_of_a_row_and_reaches_the_optimum():
    V, _, Ht = random_problem(n_topics=3)
    Ht /= Ht.sum(axis=0)
    W = fold_in(V, Ht, max_iter=20_000, tol=0)
    assert_allclose(W.sum(axis=1), V.sum(axis=1), atol=1e-7)
    # Optimality of the convex problem: the gradient is 0 at positive weights, not negative at 0.
    gradient = 1 - (V.toarray() / np.where(V.toarray() > 0, W @ Ht.T, 1)) @ Ht
    rows = V.sum(axis=1) > 0
    assert gradient[rows].min() > -1e-3
    assert abs(gradient * W)[rows].max() < 1e-3


def test_fold_in_ignores_features_that_no_topic_has():
    Ht = np.array([[0.5, 0.1], [0.5, 0.9], [0, 0]])
    known, unknown = fold_in(sp.csr_array([[1.0, 1, 0], [1, 1, 7]]), Ht)
    assert_allclose(unknown / unknown.sum(), known / known.sum(), atol=1e-6)
    assert fold_in(sp.csr_array([[0.0, 0, 7]]), Ht).tolist() == [[0, 0]]


@pytest.mark.parametrize("n_topics", [3, 4])
def test_fold_in_side_by_side_is_that_of_each_run(n_topics):
    V, runs, _, Ht = side_by_side(n_topics=n_topics)
    W = fold_in(V, Ht, tol=0)
    for run, (_, run_Ht) in enumerate(runs):
        assert_allclose(W[..., run], fold_in(V, run_Ht, tol=0))


def test_entries_are_split_over_the_topics_in_proportion():
    V, runs, W, Ht = side_by_side()
    shares = [np.outer(W[:, 0], Ht[:, 0]) / (W @ Ht.T) for W, Ht in runs]
    expected, actual = np.mean(shares, axis=0), first_topic_probabilities(V, W, Ht)
    rows, columns = V.nonzero()
    assert_allclose(actual, expected[rows, columns])


def test_dead_topic_restarts_from_the_row_that_fits_worst():
    V, W, Ht = random_problem()
    is_free = np.arange(len(W)) > 1
    W[is_free, 2] = FLOOR
    W[is_free, 0] = FLOOR
    worst = row_divergences(V, W, Ht).argmax()
    kept, mean = Ht[:, [0, 1, 3, 4]].copy(), Ht.sum(axis=0).mean()
    reseed_dead_topics(V, W, Ht, is_free)
    row = V[[worst]].toarray()[0]
    assert_allclose(Ht[:, 2], mean * row / row.sum(), atol=1e-11)
    assert (W[is_free, 2] > FLOOR).all()
    assert (Ht[:, [0, 1, 3, 4]] == kept).all()
    assert (W[is_free, 0] == FLOOR).all()
