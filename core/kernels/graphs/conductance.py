"""Conductance of the beginnings of a ranking on a graph of neighbors."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

#: Sets of less conductance count as equally well separated: so few edges differ by chance.
LEAST_CONDUCTANCE = 0.001
#: How much nearness of the size counts: half the conductance makes up for 1.8 times the size.
NEARNESS = 2.0
#: Least size that is looked at where none is expected.
LEAST_SIZE = 5


class Neighbors(NamedTuple):
    """A graph of nearest neighbors, of all samples or of some that stand for them.

    Attributes
    ----------
    graph : sparse array of shape (n_rows, n_rows)
        Of :func:`~core.kernels.graphs.knn_graph.knn_graph`.
    rows : ndarray of int of shape (n_rows,) or slice, default=slice(None)
        Which samples it is of; where scores are equal, they rank in this order.
    """

    graph: sp.csr_array
    rows: np.ndarray | slice = slice(None)

    def conductance(self, scores, is_positive, is_candidate):
        """Return :func:`candidate_conductance` in the graph; the arrays are of all samples.

        Examples
        --------
        >>> import numpy as np, scipy.sparse as sp
        >>> from core.kernels.graphs.conductance import Neighbors
        >>> pair = Neighbors(sp.csr_array([[0.0, 2], [2, 0]]), rows=np.array([0, 2]))
        >>> is_positive = np.array([True, False, False])
        >>> pair.conductance(np.array([3, 2, 1]), is_positive, ~is_positive).tolist()
        [1.0]
        """
        of_rows = (each[self.rows] for each in (scores, is_positive, is_candidate))
        return candidate_conductance(self.graph, *of_rows)


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
    >>> from core.kernels.graphs.conductance import prefix_conductance
    >>> graph = sp.csr_array([[0.0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])
    >>> prefix_conductance(graph, np.arange(4)).tolist()
    [1.0, 0.2, 1.0, 1.0]
    """
    n_samples = len(order)
    place = np.empty(n_samples, dtype=np.int64)
    place[order] = np.arange(n_samples)
    # An edge is inside as soon as the later of its two ends is.
    later = np.maximum(np.repeat(place, np.diff(graph.indptr)), place[graph.indices])
    inside = np.cumsum(np.bincount(later, weights=graph.data, minlength=n_samples))
    at_set = np.cumsum(np.asarray(graph.sum(axis=1)).ravel()[order])
    smaller = np.minimum(at_set, at_set[-1] - at_set)
    leaving = np.maximum(at_set - inside, 0)
    # Rounding leaves a little of nothing.
    has_edges = smaller > 1e-12 * at_set[-1]
    return np.where(has_edges, np.minimum(leaving / np.where(has_edges, smaller, 1), 1), 1.0)


def candidate_conductance(graph, scores, is_positive, is_candidate):
    """Return the conductance of the positives with the first one, two, three ... candidates.

    Parameters
    ----------
    graph : sparse array of shape (n_samples, n_samples)
        As for :func:`prefix_conductance`.
    scores : ndarray of shape (n_samples,)
        The ranking.
    is_positive, is_candidate : ndarray of bool of shape (n_samples,)
        Labeled positives, which belong to each set, and the samples that are counted.

    Returns
    -------
    ndarray of shape (n_candidates,)
        In [0, 1].

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.conductance import candidate_conductance
    >>> graph = sp.csr_array([[0.0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 2], [0, 0, 2, 0]])
    >>> is_positive = np.array([True, False, False, False])
    >>> candidate_conductance(graph, np.array([4, 3, 2, 1]), is_positive, ~is_positive).tolist()
    [0.2, 1.0, 1.0]
    """
    positives, candidates = np.flatnonzero(is_positive), np.flatnonzero(is_candidate)
    ranked = candidates[np.argsort(-scores[candidates], kind="stable")]
    others = np.flatnonzero(~(is_positive | is_candidate))
    conductance = prefix_conductance(graph, np.concatenate([positives, ranked, others]))
    return conductance[len(positives) : len(positives) + len(ranked)]


def least_conductance_size(conductance, *, near=None, n_known=0, nearness=NEARNESS):
    """Return how many samples ranked first have least conductance.

    Parameters
    ----------
    conductance : ndarray of shape (n_candidates,)
        Of :func:`candidate_conductance`.
    near : float in (0, inf), default=None
        How many belong to the set as far as is known. The logarithm of the conductance is then
        least after ``nearness`` times the squared logarithm of the ratio of both numbers was added:
        as if they were estimated independently, with errors on a scale of logarithms. None looks
        from five samples to half of the candidates.
    n_known : float in [0, inf), default=0
        How many more belong to it that are no candidates: of the ratio, they count on both sides.
    nearness : float in (0, inf), default=2
        How much the ratio counts.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.graphs.conductance import least_conductance_size
    >>> least_conductance_size(np.array([0.2, 1.0, 1.0]), near=1.5)
    1
    """
    if near is None:
        most = max(1, len(conductance) // 2)
        least = min(most, LEAST_SIZE)
        return least + int(np.argmin(conductance[least - 1 : most]))
    logs = np.log((np.arange(1, len(conductance) + 1) + n_known) / (near + n_known))
    costs = np.log(np.maximum(conductance, LEAST_CONDUCTANCE)) + nearness * logs**2
    return 1 + int(np.argmin(costs))


def least_conductance_share(conductance, near, *, known=0.0, nearness=NEARNESS):
    """Return :func:`least_conductance_size` as a share of the candidates, as are near and known.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.graphs.conductance import least_conductance_share
    >>> least_conductance_share(np.array([0.0, 0.5, 0.0, 0.5, 0.0]), 0.3)
    0.2
    """
    n_candidates = len(conductance)
    size = least_conductance_size(
        conductance, near=near * n_candidates, n_known=known * n_candidates, nearness=nearness
    )
    return size / n_candidates


class Separation(NamedTuple):
    """How well a share of the candidates is separated, and how much the graph can tell of it."""

    relative: float
    weight: float


def separation(conductance, share, n_positive, n_neighbors):
    """Compare the conductance of a share of the candidates with that of as many drawn by chance.

    Of those drawn by chance the other end of an edge is outside as often as samples are; of more
    than half of the samples the edges of the others are counted. Of fewer samples than each has
    neighbors some edges leave, however well they are separated; where all are neighbors of all, a
    graph tells nothing.

    Parameters
    ----------
    conductance : ndarray of shape (n_candidates,)
        Of :func:`candidate_conductance`.
    share : float in [0, 1]
        Those ranked first; one sample at least.
    n_positive : int in [0, inf)
        Labeled positives, which belong to the set.
    n_neighbors : int in [1, inf)
        Neighbors of each sample in the graph, at least.

    Returns
    -------
    Separation
        ``relative`` is 0 where no more edges leave than have to, 1 where as many leave as by
        chance; ``weight`` is 1 where a set of this size may have no edge that leaves, 0 where all
        sets have as many. Both in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.graphs.conductance import separation
    >>> separation(np.full(100, 0.3), 0.4, 5, 10)
    Separation(relative=0.5, weight=1.0)
    >>> separation(np.array([0.9, 0.4, 0.3, 0.2, 0.1]), 0.4, 5, 10).weight
    0.0
    """
    n_candidates = len(conductance)
    size = min(max(1, round(share * n_candidates)), n_candidates)
    most_others, n_left = max(1, n_candidates + n_positive - 1), n_candidates - size
    is_less = size + n_positive <= n_left
    others = (size + n_positive if is_less else n_left) - 1
    at_best = max(0.0, 1 - others / min(n_neighbors, most_others))
    of_all = 1 - others / most_others
    by_chance = 1 - size / n_candidates if is_less else of_all
    weight = 1 - at_best / of_all
    if by_chance <= at_best or weight <= 0:
        return Separation(1.0, 0.0)
    relative = (conductance[size - 1] - at_best) / (by_chance - at_best)
    return Separation(float(np.clip(relative, 0, 1)), float(weight))
