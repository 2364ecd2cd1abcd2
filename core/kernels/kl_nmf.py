"""Factorisation of a sparse matrix under the Kullback-Leibler divergence.

``V ~ W H`` with V of shape (n_samples, n_features). H is held transposed, ``Ht`` of shape
(n_features, n_topics), so that the topics of a sample and those of a feature are contiguous and
both half-steps are one function. W and Ht have the dtype of V. Everything costs O(nnz n_topics);
the product W H is formed at the stored entries only, one number at a time.

References
----------
D. D. Lee and H. S. Seung, "Algorithms for non-negative matrix factorization", NIPS 2000, theorem 2.
"""

import numba
import numpy as np

#: Smallest entry of a factor: a multiplicative update never leaves zero.
FLOOR = 1e-12

#: Added to W H before dividing by it.
_GUARD = 1e-10

# Sums may be reordered and fused; NaN and infinity keep their meaning. The error model of NumPy
# spares a branch per division: all divisors are at least the guard.
_jit = numba.njit(
    cache=True,
    nogil=True,
    error_model="numpy",
    fastmath={"arcp", "contract", "nsz", "reassoc"},
)


def update(V, A, B):
    """Do one half-step: multiply A by ``(V / (A B')) B / sum(B)``, in place.

    ``update(V, W, Ht)`` is the step of W and ``update(V.T.tocsr(), Ht, W)`` that of H. Neither
    raises the divergence; the first makes the row sums of W H those of V, the second its column
    sums.

    Parameters
    ----------
    V : sparse array of shape (n_rows, n_columns)
        Non-negative, canonical CSR.
    A : ndarray of shape (n_rows, n_topics)
        The factor to update, positive.
    B : ndarray of shape (n_columns, n_topics)
        The other factor, positive.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.kl_nmf import update
    >>> V = sp.csr_array([[2.0, 0, 1]])
    >>> W = np.ones((1, 2))
    >>> update(V, W, np.array([[1.0, 1], [1, 2], [1, 1]]))
    >>> W
    array([[0.5  , 0.375]])
    """
    _update(V.indptr, V.indices, V.data, A, B)


def normalize_topics(W, Ht):
    """Scale the topics so that each row of H sums to 1; W takes the scale, W H stays."""
    totals = np.maximum(Ht.sum(axis=0, dtype=np.float64), FLOOR).astype(Ht.dtype)
    Ht /= totals
    W *= totals


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
        divergences = np.where(np.diff(V.indptr) > 0, row_divergences(V, W, Ht), -np.inf)
        worst = int(np.argmax(divergences))
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
    Ht : ndarray of shape (n_features, n_topics)
        Topics, each summing to 1 over the features. A feature that is zero in all is ignored.
    max_iter : int, default=50
        Most iterations of a row.
    tol : float, default=1e-6
        A row is done when no weight changes by more than this share of the row's sum.

    Returns
    -------
    ndarray of shape (n_rows, n_topics)
        Weights; a row sums to the sum of V over the features that the topics know.
    """
    return _fold_in(V.indptr, V.indices, V.data, Ht, max_iter, tol)


def first_topic_probabilities(V, W, Ht):
    """Return the probability that each stored entry comes from topic 0, of shape (nnz,).

    ``W_i0 H_0j / (W H)_ij``; zero for features that are zero in all topics.
    """
    return _first_topic_probabilities(V.indptr, V.indices, W, Ht)


@_jit
def _sum_ratios(indices, data, start, stop, a, B, total):
    """Set ``total`` to the sum of ``data / (B a)`` times the rows of B.

    Four entries at a time share the loads of ``a`` and the stores of ``total``, and overlap their
    fetches of B: twice as fast as one at a time.
    """
    n_topics = len(a)
    guard = a.dtype.type(_GUARD)
    for t in range(n_topics):
        total[t] = 0
    rest = stop - (stop - start) % 4
    for e in range(start, rest, 4):
        i, j, k, m = indices[e], indices[e + 1], indices[e + 2], indices[e + 3]
        dot_i = dot_j = dot_k = dot_m = guard
        for t in range(n_topics):
            dot_i += a[t] * B[i, t]
            dot_j += a[t] * B[j, t]
            dot_k += a[t] * B[k, t]
            dot_m += a[t] * B[m, t]
        q_i, q_j = data[e] / dot_i, data[e + 1] / dot_j
        q_k, q_m = data[e + 2] / dot_k, data[e + 3] / dot_m
        for t in range(n_topics):
            total[t] += q_i * B[i, t] + q_j * B[j, t] + q_k * B[k, t] + q_m * B[m, t]
    for e in range(rest, stop):
        i = indices[e]
        dot_i = guard
        for t in range(n_topics):
            dot_i += a[t] * B[i, t]
        for t in range(n_topics):
            total[t] += data[e] / dot_i * B[i, t]


@_jit
def _update(indptr, indices, data, A, B):
    floor = A.dtype.type(FLOOR)
    sums = np.zeros(B.shape[1], dtype=np.float64)
    for j in range(B.shape[0]):
        for t in range(B.shape[1]):
            sums[t] += B[j, t]
    inverse = (1.0 / np.maximum(sums, FLOOR)).astype(A.dtype)
    # Local copies: the compiler cannot know that a row of A does not overlap with B.
    a = np.empty(A.shape[1], dtype=A.dtype)
    total = np.empty_like(a)
    for i in range(A.shape[0]):
        for t in range(len(a)):
            a[t] = A[i, t]
        _sum_ratios(indices, data, indptr[i], indptr[i + 1], a, B, total)
        for t in range(len(a)):
            A[i, t] = max(a[t] * total[t] * inverse[t], floor)


@_jit
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


@_jit
def _fold_in(indptr, indices, data, Ht, max_iter, tol):
    n_topics = Ht.shape[1]
    W = np.zeros((len(indptr) - 1, n_topics), dtype=Ht.dtype)
    total = np.empty(n_topics, dtype=Ht.dtype)
    for i in range(W.shape[0]):
        start, stop = indptr[i], indptr[i + 1]
        mass = data[start:stop].sum()
        w = W[i]
        w[:] = mass / n_topics
        for _ in range(max_iter):
            _sum_ratios(indices, data, start, stop, w, Ht, total)
            change = 0.0
            for t in range(n_topics):
                new = w[t] * total[t]
                change = max(change, abs(new - w[t]))
                w[t] = new
            if change <= tol * mass:
                break
    return W


@_jit
def _first_topic_probabilities(indptr, indices, W, Ht):
    probabilities = np.empty(len(indices), dtype=W.dtype)
    for i in range(W.shape[0]):
        for e in range(indptr[i], indptr[i + 1]):
            dot = W.dtype.type(_GUARD)
            for t in range(W.shape[1]):
                dot += W[i, t] * Ht[indices[e], t]
            probabilities[e] = W[i, 0] * Ht[indices[e], 0] / dot
    return probabilities
