"""Conductance of the beginnings of a ranking on a graph of neighbors."""

import numpy as np

#: Conductance below which one set counts as no better separated than another: few edges, by chance.
LEAST_CONDUCTANCE = 0.001
#: How much it counts how near a size is: half the conductance makes up for 1.8 times the size.
NEARNESS = 2.0
#: Where no size is near, at least so many samples.
LEAST_SIZE = 5


def prefix_conductance(graph, order):
    """Return the conductance of the first one, two, three ... samples of a ranking.

    The weight of edges between a set and the rest over the weight of all edges at the set or of
    those at the rest, whichever is less: small where few edges leave the set.

    Parameters
    ----------
    graph : sparse array of shape (n_samples, n_samples)
        Symmetric CSR array of non-negative weights, nothing on the diagonal.
    order : ndarray of int of shape (n_samples,)
        All samples, first ranked first.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1]; 1 where a set, or the rest, has no edges.

    References
    ----------
    I. M. Kloumann and J. M. Kleinberg, "Community membership identification from small seed sets",
    KDD 2014.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.conductance import prefix_conductance
    >>> graph = sp.csr_array([[0.0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])
    >>> prefix_conductance(graph, np.arange(4)).tolist()
    [1.0, 0.2, 1.0, 1.0]
    """
    n_samples = len(order)
    place = np.empty(n_samples, dtype=np.int64)
    place[order] = np.arange(n_samples)
    # An edge is inside from where the later of its ends is.
    later = np.maximum(np.repeat(place, np.diff(graph.indptr)), place[graph.indices])
    inside = np.cumsum(np.bincount(later, weights=graph.data, minlength=n_samples))
    at_set = np.cumsum(np.asarray(graph.sum(axis=1)).ravel()[order])
    smaller = np.minimum(at_set, at_set[-1] - at_set)
    leaving = np.maximum(at_set - inside, 0)
    # Rounding leaves a little of nothing.
    has_edges = smaller > 1e-12 * at_set[-1]
    return np.where(has_edges, np.minimum(leaving / np.where(has_edges, smaller, 1), 1), 1.0)


def least_conductance_size(graph, scores, is_positive, is_candidate, *, near=None):
    """Return how many samples ranked first have least conductance.

    Parameters
    ----------
    graph : sparse array of shape (n_samples, n_samples)
        As for :func:`prefix_conductance`.
    scores : ndarray of shape (n_samples,)
        The ranking.
    is_positive, is_candidate : ndarray of bool of shape (n_samples,)
        Labeled positives, which belong to each set, and the samples that are counted.
    near : float in (0, inf), default=None
        How many belong to the set as far as is known. The logarithm of the conductance is then
        least after ``NEARNESS`` times the squared logarithm of the ratio of both numbers was added:
        as if they were estimated independently, with errors on a scale of logarithms. None looks
        from five samples to half of the candidates.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.conductance import least_conductance_size
    >>> graph = sp.csr_array([[0.0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])
    >>> is_positive = np.array([True, False, False, False])
    >>> least_conductance_size(graph, np.array([4, 3, 2, 1]), is_positive, ~is_positive, near=1.5)
    1
    """
    positives, candidates = np.flatnonzero(is_positive), np.flatnonzero(is_candidate)
    ranked = candidates[np.argsort(-scores[candidates], kind="stable")]
    others = np.flatnonzero(~(is_positive | is_candidate))
    conductance = prefix_conductance(graph, np.concatenate([positives, ranked, others]))
    conductance = conductance[len(positives) : len(positives) + len(ranked)]
    if near is None:
        most = max(1, len(ranked) // 2)
        least = min(most, LEAST_SIZE)
        return least + int(np.argmin(conductance[least - 1 : most]))
    logs = np.log(np.arange(1, len(ranked) + 1) / near)
    costs = np.log(np.maximum(conductance, LEAST_CONDUCTANCE)) + NEARNESS * logs**2
    return 1 + int(np.argmin(costs))


def least_conductance_share(graph, scores, is_positive, is_candidate, near):
    """Return :func:`least_conductance_size` as a share of the candidates, as is ``near``.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.conductance import least_conductance_share
    >>> pair = np.array([[0.0, 1], [1, 0]])
    >>> graph = sp.csr_array(sp.block_diag([pair, pair, pair]))
    >>> scores, is_positive = np.array([6.0, 5, 4, 3, 2, 1]), np.arange(6) == 0
    >>> least_conductance_share(graph, scores, is_positive, ~is_positive, 0.3)
    0.2
    """
    n_candidates = int(is_candidate.sum())
    near = near * n_candidates
    size = least_conductance_size(graph, scores, is_positive, is_candidate, near=near)
    return size / n_candidates
