"""The rule of the largest topic as a cut on the share of the first."""

import numpy as np


def largest_topic_cut(shares, is_first, n_topics):
    """Return the cut in [1 / n_topics, 1 / 2] with the fewest samples on the wrong side.

    The greatest of several; ``is_first`` marks the samples that belong above it.
    """
    is_open = (shares > 1 / n_topics) & (shares < 0.5)
    cuts = np.append(np.unique(shares[is_open]), 0.5)
    first, rest = np.sort(shares[is_first]), np.sort(shares[~is_first])
    n_wrong = np.searchsorted(first, cuts) + len(rest) - np.searchsorted(rest, cuts)
    return float(cuts[np.flatnonzero(n_wrong == n_wrong.min())[-1]])
