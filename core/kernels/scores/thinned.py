"""A few scores that stand for many."""

import numpy as np


def thinned(scores, n_most):
    """Return at most so many of the scores, at even distances in their order.

    Parameters
    ----------
    scores : ndarray of shape (n_scores,)
        In any order; maybe none.
    n_most : int in [1, inf)
        How many, at most.

    Returns
    -------
    ndarray of shape (min(n_scores, n_most),)
        Ascending.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.scores.thinned import thinned
    >>> thinned(np.array([0.5, 0.1, 0.4, 0.2, 0.3]), 2).tolist()
    [0.2, 0.4]
    """
    n_kept = min(len(scores), n_most)
    return np.sort(scores)[((np.arange(n_kept) + 0.5) * len(scores) / n_kept).astype(int)]
