"""Where the factorisations of NMFPUL start: factors of several restarts side by side."""

import numpy as np

from core.kernels.factors.kl_nmf import FLOOR
from core.kernels.hardware.lanes import LANES
from core.kernels.rows.row_blocks import mean_row


def starts(start, V, is_seed, is_seen, n_topics, seeds):
    """Return W and Ht of a restart for each seed, at most ``LANES``.

    Parameters
    ----------
    start : callable
        ``guided_start`` or ``random_start``.
    V : sparse array of shape (n_samples, n_seen)
        Without the features that no sample holds.
    is_seed : ndarray of bool of shape (n_samples,)
        The labeled positives.
    is_seen : ndarray of bool of shape (n_features,)
        The columns of V among all features: these do not change what the others start from.
    n_topics : int
        Topics.
    seeds : sequence of int
        Seeds of the random numbers.

    Returns
    -------
    W : ndarray of shape (n_samples, n_topics, n_runs)
        The number of runs is 1 or, of which those beyond the seeds repeat the first, ``LANES``.
    Ht : ndarray of shape (n_seen, n_topics, n_runs)
    """
    W, Ht = (np.empty((n, n_topics, _n_runs(seeds)), dtype=V.dtype) for n in V.shape)
    for run, seed in enumerate(seeds):
        rng = np.random.RandomState(seed)
        W[..., run], Ht[..., run] = start(V, is_seed, is_seen, n_topics, rng)
    W[..., len(seeds) :], Ht[..., len(seeds) :] = W[..., :1], Ht[..., :1]
    return np.maximum(W, FLOOR, out=W), np.maximum(Ht, FLOOR, out=Ht)


def side_by_side(H, dtype):
    """Return topics of shape (n_restarts, n_topics, n_features) as ``starts`` lays out Ht."""
    Ht = np.empty((*H.T.shape[:2], _n_runs(H)), dtype=dtype)
    Ht[..., : len(H)] = H.T
    Ht[..., len(H) :] = Ht[..., :1]
    return Ht


def _n_runs(restarts):
    return LANES if len(restarts) > 1 else 1


def random_start(V, is_seed, is_seen, n_topics, rng):
    """Start everything at random, as published."""
    W = rng.random_sample((V.shape[0], n_topics))
    return W, _drawn_topics(is_seen, n_topics, rng)


def guided_start(V, is_seed, is_seen, n_topics, rng):
    """Start topic 0 from the words of the seeds, the others near those of all samples.

    The weights of a sample are equal: at random they would depend on the order of the samples.
    """
    background, of_seeds = mean_row(V, np.ones(V.shape[0], dtype=bool)), mean_row(V, is_seed)
    Ht = _drawn_topics(is_seen, n_topics, rng)
    Ht += 0.5
    Ht *= background[:, None]
    Ht[:, 0] = of_seeds + 0.1 * background
    Ht /= Ht.sum(axis=0)
    return V.sum(axis=1)[:, None] / n_topics, Ht


def _drawn_topics(is_seen, n_topics, rng):
    Ht = rng.random_sample((len(is_seen), n_topics))
    return Ht if is_seen.all() else Ht[is_seen]
