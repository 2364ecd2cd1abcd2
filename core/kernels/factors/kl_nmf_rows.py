"""What a row of a sparse matrix adds to a step of its factorisation: the inner loops of KL-NMF."""

import numba
import numpy as np

from core.kernels.hardware.lanes import LANES, fill, load, store
from core.kernels.hardware.prefetch import prefetch

#: Added to W H before dividing by it.
GUARD = 1e-10

#: How many entries ahead a row of the other factor is fetched: these rows lie anywhere in memory,
#: and waiting for them took half of the time.
_AHEAD = 16

# Sums may be reordered and fused; NaN and infinity keep their meaning. The error model of NumPy
# spares a branch per division: all divisors are at least the guard.
jit = numba.njit(
    cache=True,
    nogil=True,
    error_model="numpy",
    fastmath={"arcp", "contract", "nsz", "reassoc"},
)


@jit
def sum_ratios(indices, data, start, stop, a, B, total):
    """Set ``total`` to the sum of ``data / (B a)`` times the rows of B.

    Four entries at a time share the loads of ``a`` and the stores of ``total``, and overlap their
    fetches of B: twice as fast as one at a time.
    """
    n_topics = len(a)
    guard = a.dtype.type(GUARD)
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


@jit
def sum_ratios_side_by_side(indices, data, start, stop, a, B, total):
    """Do what ``sum_ratios`` does for eight runs; B is flat."""
    if len(a) == 4 * LANES:
        _sum_ratios_of_four(indices, data, start, stop, a, B, total)
        return
    guard = fill(a.dtype.type(GUARD))
    total[:] = 0
    for e in range(start, stop):
        prefetch_ahead(indices, e, B, len(a))
        row = np.int64(indices[e])
        q = fill(data[e]) / dots(a, B, row, guard)
        for t in range(0, len(a), LANES):
            store(total, t, load(total, t) + q * load(B, row * len(a) + t))


@jit
def _sum_ratios_of_four(indices, data, start, stop, a, B, total):
    """Keep the four topics of the default in registers: up to 1.7 times as fast."""
    guard = fill(a.dtype.type(GUARD))
    a_0, a_1, a_2, a_3 = load(a, 0), load(a, LANES), load(a, 2 * LANES), load(a, 3 * LANES)
    sum_0 = sum_1 = sum_2 = sum_3 = fill(a.dtype.type(0))
    for e in range(start, stop):
        prefetch_ahead(indices, e, B, 4 * LANES)
        at = np.int64(indices[e]) * 4 * LANES
        b_0, b_1 = load(B, at), load(B, at + LANES)
        b_2, b_3 = load(B, at + 2 * LANES), load(B, at + 3 * LANES)
        q = fill(data[e]) / (guard + a_0 * b_0 + a_1 * b_1 + a_2 * b_2 + a_3 * b_3)
        sum_0, sum_1 = sum_0 + q * b_0, sum_1 + q * b_1
        sum_2, sum_3 = sum_2 + q * b_2, sum_3 + q * b_3
    store(total, 0, sum_0)
    store(total, LANES, sum_1)
    store(total, 2 * LANES, sum_2)
    store(total, 3 * LANES, sum_3)


@jit
def dots(a, B, row, start):
    """Return ``start`` plus the products of ``a`` and a row of B, run by run."""
    sums = start
    for t in range(0, len(a), LANES):
        sums = sums + load(a, t) * load(B, row * len(a) + t)
    return sums


@jit
def prefetch_ahead(indices, e, B, width):
    """Fetch the row of B, flat and of this width, that a later entry needs."""
    row = np.int64(indices[min(e + _AHEAD, len(indices) - 1)])
    for t in range(0, width, LANES):
        prefetch(B, row * width + t)
