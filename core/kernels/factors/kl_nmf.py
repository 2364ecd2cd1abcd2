"""Factorisation of a sparse matrix under the Kullback-Leibler divergence.

``V ~ W H`` with V of shape (n_samples, n_features). H is held transposed, ``Ht`` of shape
(n_features, n_topics), so that the topics of a sample and those of a feature are contiguous and
both half-steps are one function. W and Ht have the dtype of V. Everything costs O(nnz n_topics);
the product W H is formed at the stored entries only, one number at a time.

``LANES`` runs from different starts can be done side by side, in the time of two or three: W and
Ht then have a third axis, the runs. A third axis of length 1 is one run.

The step of H reads the transpose of V, so that both are maps over rows. Adding up the numerators
of H along the rows of V instead spares the transpose and takes three times as long.

References
----------
D. D. Lee and H. S. Seung, "Algorithms for non-negative matrix factorization", NIPS 2000, theorem 2.
"""

import itertools
import math

import numpy as np

from core.kernels.factors.kl_nmf_rows import (
    GUARD,
    dots,
    jit,
    prefetch_ahead,
    sum_ratios,
    sum_ratios_side_by_side,
)
from core.kernels.hardware.blas import one_thread
from core.kernels.hardware.lanes import LANES, fill, store
from core.kernels.rows.row_blocks import has_entries

#: Smallest entry of a factor: a multiplicative update never leaves zero.
FLOOR = 1e-12

#: Stored entries whose logarithms are taken at a time.
_LOG_ENTRIES = 2**14


def update(V, A, B):
    """Do one half-step: multiply A by ``(V / (A B')) B / sum(B)``, in place.

    ``update(V, W, Ht)`` is the step of W and ``update(V.T.tocsr(), Ht, W)`` that of H. Neither
    raises the divergence; the first makes the row sums of W H those of V, the second its column
    sums.

    Parameters
    ----------
    V : sparse array of shape (n_rows, n_columns)
        Non-negative, canonical CSR.
    A : ndarray of shape (n_rows, n_topics) or (n_rows, n_topics, n_runs)
        The factor to update, positive, contiguous.
    B : ndarray of shape (n_columns, n_topics) or (n_columns, n_topics, n_runs)
        The other factor, positive, contiguous.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.factors.kl_nmf import update
    >>> V = sp.csr_array([[2.0, 0, 1]])
    >>> W = np.ones((1, 2))
    >>> update(V, W, np.array([[1.0, 1], [1, 2], [1, 1]]))
    >>> W
    array([[0.5  , 0.375]])
    """
    _update(V.indptr, V.indices, V.data, _flat(A), _flat(B), _is_side_by_side(A))


def normalize_topics(W, Ht):
    """Scale the topics so that each row of H sums to 1; W takes the scale, W H stays."""
    totals = np.maximum(_column_sums(_flat(Ht)), FLOOR).reshape(Ht.shape[1:]).astype(Ht.dtype)
    Ht /= totals
    W *= totals


def divergences(V, W, Ht):
    """Return the divergence of V from W H in each run, of shape (n_runs,), float64.

    W and Ht have three axes.
    """
    # Vectors are too short for several threads.
    with one_thread():
        return _divergences(V, W, Ht)


def _divergences(V, W, Ht):
    if not _is_side_by_side(W):
        return row_divergences(V, W[..., 0], Ht[..., 0]).sum(keepdims=True)
    fit = np.zeros(LANES)
    entries = np.arange(0, V.nnz + 1, _LOG_ENTRIES)
    bounds = np.unique([0, *np.searchsorted(V.indptr, entries), V.shape[0]])
    for first, stop in itertools.pairwise(bounds):
        products = _products(V.indptr[first : stop + 1], V.indices, _flat(W[first:stop]), _flat(Ht))
        data = V.data[V.indptr[first] : V.indptr[stop]]
        fit += data @ np.log(data, dtype=np.float64) - data @ np.log(products, dtype=np.float64)
    masses = W.sum(axis=0, dtype=np.float64) * _column_sums(_flat(Ht)).reshape(Ht.shape[1:])
    return fit + masses.sum(axis=0) - V.data.sum(dtype=np.float64)


def row_divergences(V, W, Ht):
    """Return the divergence of each row of V from that of W H, of shape (n_rows,), float64."""
    fit = _row_log_fits(V.indptr, V.indices, V.data, W, Ht)
    return fit + W @ Ht.sum(axis=0, dtype=np.float64) - V.sum(axis=1, dtype=np.float64)


def reseed_dead_topics(V, W, Ht, is_free):
    """Restart, in place, each topic but the first that no free row has left.

    It becomes the words of the row that is reconstructed worst, at the mean weight of the topics.
    ``is_free`` is a mask of shape (n_rows,): the weights of other rows were set by hand.
    """
    is_dead = W[is_free].max(axis=0, initial=0) <= FLOOR
    for topic in np.flatnonzero(is_dead[1:]) + 1:
        # Copies, since a run beside others is not contiguous.
        misfit = row_divergences(V, W.copy(), Ht.copy())
        worst = int(np.argmax(np.where(has_entries(V), misfit, -np.inf)))
        words = slice(V.indptr[worst], V.indptr[worst + 1])
        scale = Ht.sum(axis=0).mean() / V.data[words].sum()
        Ht[:, topic] = FLOOR
        Ht[V.indices[words], topic] = V.data[words] * scale
        W[is_free, topic] = W[is_free].mean(axis=1)


def fold_in(V, Ht, *, max_iter=50, tol=1e-6):
    """Return the weights of new rows over fixed topics.

    A convex problem, solved row by row from equal weights.

    Parameters
    ----------
    V : sparse array of shape (n_rows, n_features)
        Non-negative, canonical CSR.
    Ht : ndarray of shape (n_features, n_topics) or (n_features, n_topics, n_runs)
        Topics, each summing to 1 over the features. A feature that is zero in all is ignored.
    max_iter : int, default=50
        Most iterations of a row.
    tol : float, default=1e-6
        A row is done when no weight, in any run, changes by more than this share of its sum.

    Returns
    -------
    ndarray of shape (n_rows, n_topics) or (n_rows, n_topics, n_runs)
        Weights; a row sums to the sum of V over the features that the topics know.
    """
    is_side_by_side, n_topics = _is_side_by_side(Ht), Ht.shape[1]
    W = _fold_in(V.indptr, V.indices, V.data, _flat(Ht), n_topics, max_iter, tol, is_side_by_side)
    return W.reshape(-1, *Ht.shape[1:])


def first_topic_probabilities(V, W, Ht):
    """Return the probability that each stored entry comes from topic 0, of shape (nnz,).

    The mean of ``W_i0 H_0j / (W H)_ij`` over the runs: W and Ht have three axes. Zero for features
    that are zero in all topics.
    """
    return _first_topic_probabilities(V.indptr, V.indices, W, Ht)


def _flat(factor):
    return factor.reshape(len(factor), math.prod(factor.shape[1:]))


def _is_side_by_side(factor):
    return factor.ndim == 3 and factor.shape[2] == LANES


@jit
def _products(indptr, indices, W, Ht):
    """Return the products W H at the stored entries, of shape (nnz, LANES)."""
    products = np.empty((indptr[-1] - indptr[0], LANES), dtype=W.dtype)
    out, flat = products.ravel(), Ht.ravel()
    for i in range(W.shape[0]):
        for e in range(indptr[i], indptr[i + 1]):
            prefetch_ahead(indices, e, flat, W.shape[1])
            sums = dots(W[i], flat, np.int64(indices[e]), fill(W.dtype.type(0)))
            store(out, (e - indptr[0]) * LANES, sums)
    return products


@jit
def _column_sums(factor):
    sums = np.zeros(factor.shape[1], dtype=np.float64)
    for i in range(factor.shape[0]):
        for t in range(factor.shape[1]):
            sums[t] += factor[i, t]
    return sums


@jit
def _update(indptr, indices, data, A, B, is_side_by_side):
    floor = A.dtype.type(FLOOR)
    inverse = (1.0 / np.maximum(_column_sums(B), FLOOR)).astype(A.dtype)
    flat = B.ravel()
    # Local copies: the compiler cannot know that a row of A does not overlap with B.
    a = np.empty(A.shape[1], dtype=A.dtype)
    total = np.empty_like(a)
    for i in range(A.shape[0]):
        for t in range(len(a)):
            a[t] = A[i, t]
        if is_side_by_side:
            sum_ratios_side_by_side(indices, data, indptr[i], indptr[i + 1], a, flat, total)
        else:
            sum_ratios(indices, data, indptr[i], indptr[i + 1], a, B, total)
        for t in range(len(a)):
            A[i, t] = max(a[t] * total[t] * inverse[t], floor)


@jit
def _row_log_fits(indptr, indices, data, W, Ht):
    """Return the sum over each row of ``v log(v / wh)``, in float64."""
    fits = np.zeros(W.shape[0], dtype=np.float64)
    for i in range(W.shape[0]):
        for e in range(indptr[i], indptr[i + 1]):
            dot = W.dtype.type(0)
            for t in range(W.shape[1]):
                dot += W[i, t] * Ht[indices[e], t]
            fits[i] += data[e] * np.log(np.float64(data[e]) / np.float64(dot))
    return fits


@jit
def _fold_in(indptr, indices, data, Ht, n_topics, max_iter, tol, is_side_by_side):
    W = np.zeros((len(indptr) - 1, Ht.shape[1]), dtype=Ht.dtype)
    total = np.empty(Ht.shape[1], dtype=Ht.dtype)
    flat = Ht.ravel()
    for i in range(W.shape[0]):
        start, stop = indptr[i], indptr[i + 1]
        mass = data[start:stop].sum()
        w = W[i]
        w[:] = mass / n_topics
        for _ in range(max_iter):
            if is_side_by_side:
                sum_ratios_side_by_side(indices, data, start, stop, w, flat, total)
            else:
                sum_ratios(indices, data, start, stop, w, Ht, total)
            change = 0.0
            for t in range(len(w)):
                new = w[t] * total[t]
                change = max(change, abs(new - w[t]))
                w[t] = new
            if change <= tol * mass:
                break
    return W


@jit
def _first_topic_probabilities(indptr, indices, W, Ht):
    n_runs = W.shape[2]
    probabilities = np.zeros(len(indices), dtype=W.dtype)
    for i in range(W.shape[0]):
        for e in range(indptr[i], indptr[i + 1]):
            for run in range(n_runs):
                dot = W.dtype.type(GUARD)
                for t in range(W.shape[1]):
                    dot += W[i, t, run] * Ht[indices[e], t, run]
                probabilities[e] += W[i, 0, run] * Ht[indices[e], 0, run] / dot / n_runs
    return probabilities
