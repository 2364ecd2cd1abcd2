"""Rankings put together."""

import numpy as np

from core.kernels.scores.mean_ranks import mean_ranks

#: Added to each rank: how little the very first places differ.
OFFSET = 20


def fused_ranks(scores, is_ranked):
    """Return the sum of the reciprocal ranks of samples by several scores.

    Parameters
    ----------
    scores : sequence of ndarrays of shape (n_samples,)
        The higher, the earlier; equal scores share the mean of their ranks.
    is_ranked : ndarray of bool of shape (n_samples,)
        The samples to rank among each other.

    Returns
    -------
    ndarray of shape (n_samples,)
        The sum of ``1 / (20 + rank)``; 0 for samples that are not ranked.

    References
    ----------
    G. V. Cormack, C. L. A. Clarke and S. Büttcher, "Reciprocal rank fusion outperforms Condorcet
    and individual rank learning methods", SIGIR 2009 (with 60 in place of 20).

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.scores.rank_fusion import fused_ranks
    >>> everything = np.ones(3, dtype=bool)
    >>> fused_ranks([np.array([0.9, 0.5, 0.1])], everything).round(4).tolist()
    [0.0476, 0.0455, 0.0435]
    """
    fused = np.zeros(len(is_ranked))
    for values in scores:
        fused[is_ranked] += 1 / (OFFSET + mean_ranks(-values[is_ranked]))
    return fused


def first_share(scores, is_ranked, n_first, weight=None):
    """Return 1 for the samples ranked first; those tied for the last places share them.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
        The higher, the earlier.
    is_ranked : ndarray of bool of shape (n_samples,)
        The samples to rank.
    n_first : int
        Places; with fewer samples, all of them are first.
    weight : ndarray of int of shape (n_samples,), default=None
        How many places each sample takes; None means one.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1]. Times the places that each sample takes, they add up to ``n_first``.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.scores.rank_fusion import first_share
    >>> first_share(np.array([3.0, 2, 2, 1]), np.ones(4, dtype=bool), 2).tolist()
    [1.0, 0.5, 0.5, 0.0]
    """
    weight = np.ones(len(scores), dtype=int) if weight is None else weight
    share, ranked, places = np.zeros(len(scores)), scores[is_ranked], weight[is_ranked]
    n_first = min(n_first, places.sum())
    if n_first:
        order = np.argsort(-ranked)
        lowest = ranked[order[np.searchsorted(np.cumsum(places[order]), n_first)]]
        is_above, is_tied = ranked > lowest, ranked == lowest
        of_tied = (n_first - places[is_above].sum()) / places[is_tied].sum()
        share[is_ranked] = is_above + is_tied * of_tied
    return share
