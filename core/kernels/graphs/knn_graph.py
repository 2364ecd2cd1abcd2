"""Similarity graphs over the rows of a sparse matrix: exact, and never n_samples squared.

Rows have unit length, so that their products are cosines; see ``unit_rows``. One thread
compares them, or as many as the ``n_jobs`` of ``joblib.parallel_config``.
"""

from functools import partial

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from core.kernels.graphs.largest_products import largest_products
from core.kernels.graphs.product_bounds import product_bounds
from core.kernels.hardware.thread_map import thread_map
from core.kernels.rows.row_blocks import document_frequencies, unsigned
from core.progress import report
from core.shared_work import made, shared

#: Neighbors of a graph that several ask for: inside ``sharing`` it is then made once.
N_NEIGHBORS = 10
#: Rows compared at a time.
BLOCK_SIZE = 2048
#: Fewer products to add for each term, as of the rows of a prediction, take less time than bounds.
LEAST_BOUNDED = 32
#: Cosines held at a time where all of a row are made.
MAX_COSINES = 2**23
#: Distances held at a time.
MAX_DISTANCES = 2**23
#: Smaller weights count as this: no edge is longer than one over it.
MIN_WEIGHT = 1e-6


def knn_graph(Z, n_neighbors, *, is_mutual=False, block_size=BLOCK_SIZE):
    """Return the graph that joins each row to its nearest rows, weighted by their cosine.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.
    n_neighbors : int in [1, inf)
        Neighbors that each row lists: those of the largest positive cosines, equal ones in the
        order of the rows.
    is_mutual : bool, default=False
        Whether both rows must list each other; else one is enough.
    block_size : int, default=2048
        Rows compared at a time; the graph does not depend on it.

    Returns
    -------
    sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format, with an empty diagonal and cosines in (0, 1]. Empty rows are
        isolated.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.graphs.knn_graph import knn_graph
    >>> Z = sp.csr_array([[1.0, 0], [0.8, 0.6], [0, 1]])
    >>> knn_graph(Z, 1).toarray()
    array([[0. , 0.8, 0. ],
           [0.8, 0. , 0.6],
           [0. , 0.6, 0. ]])
    """
    every = np.arange(Z.shape[0])
    return _joined(nearest_rows(Z, Z, n_neighbors, own=every, block_size=block_size), is_mutual)


def knn_graph_of_some(Z, is_kept, n_neighbors):
    """Return ``knn_graph(Z[is_kept], n_neighbors)``, of that of all rows where it is made.

    Inside :func:`~core.shared_work.sharing` most rows keep the neighbors that they have there, and
    only those are compared anew that lost one.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.
    is_kept : ndarray of bool of shape (n_samples,)
        Which rows the graph is of.
    n_neighbors : int in [1, inf)
        Neighbors that each row lists.

    Returns
    -------
    sparse array of shape (n_kept, n_kept)
        Symmetric, in CSR format.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.knn_graph import knn_graph_of_some
    >>> Z = sp.csr_array([[1.0, 0], [0.8, 0.6], [0, 1]])
    >>> knn_graph_of_some(Z, np.array([True, True, False]), 2).toarray()
    array([[0. , 0.8],
           [0.8, 0. ]])
    """
    if is_kept.all():
        return shared(knn_graph, Z, n_neighbors)
    kept, whole = Z[is_kept], made(knn_graph, Z, n_neighbors)
    if whole is None:
        return knn_graph(kept, n_neighbors)
    # Whoever a row lists is among its edges, and none of the others there is nearer.
    listed = _largest_of_rows(whole, n_neighbors)
    has_lost = ((listed > 0) @ ~is_kept > 0)[is_kept]
    listed = listed[is_kept][:, is_kept]
    if not has_lost.any():
        return _joined(listed)
    lost, others = np.flatnonzero(has_lost), np.flatnonzero(~has_lost)
    anew = nearest_rows(kept[lost], kept, n_neighbors, own=lost)
    back = np.argsort(np.concatenate([others, lost]))
    return _joined(sp.vstack([listed[others], anew], format="csr")[back])


def is_made(Z, is_kept, n_neighbors):
    """Tell whether ``knn_graph_of_some`` of the same has all or most of it already."""
    if made(knn_graph, Z, n_neighbors) is not None:
        return True
    return made(knn_graph_of_some, Z, is_kept, n_neighbors) is not None


def no_edges(n_samples):
    """Return the graph in which no row has a neighbor, of shape (n_samples, n_samples)."""
    return sp.csr_array((n_samples, n_samples))


def epsilon_graph(Z, epsilon):
    """Return the graph that joins all rows whose cosine is at least ``epsilon``, in (0, 1].

    ``Z`` and the graph are as in :func:`knn_graph`. It has as many edges as there are such pairs.
    """
    graph = similar_rows(Z, Z, epsilon)
    graph -= sp.diags_array(graph.diagonal(), format="csr")
    graph.sort_indices()
    return graph


def nearest_rows(Q, Z, n_neighbors, *, columns=None, own=None, block_size=BLOCK_SIZE):
    """Return the cosines of each row of Q with the rows of Z that are nearest to it.

    Parameters
    ----------
    Q : sparse array of shape (n_queries, n_features)
        Unit rows in CSR format.
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.
    n_neighbors : int in [1, inf)
        Largest positive cosines kept per row of Q; of equal ones those of the first rows of Z.
    columns : sparse matrix of shape (n_features, n_samples), default=None
        ``transposed(Z)`` where it is kept; for few queries making it takes nearly all the time.
    own : ndarray of int of shape (n_queries,), default=None
        Which row of Z each row of Q is, so that it is no neighbor of itself; None means none.
    block_size : int, default=2048
        Rows compared at a time; the result does not depend on it.

    Returns
    -------
    sparse array of shape (n_queries, n_samples)
        In CSR format.
    """
    bounds = None
    if columns is None:
        columns = transposed(Z)
        n_added = document_frequencies(Q) @ np.diff(columns.indptr).astype(float)
        if n_added >= LEAST_BOUNDED * len(columns.indptr) and Q.data.min(initial=0) >= 0:
            bounds = product_bounds(Z, columns)
    starts = range(0, Q.shape[0], block_size)
    blocks = []
    own = np.full(Q.shape[0], -1) if own is None else own
    options = columns, bounds, n_neighbors, own, block_size
    for block in thread_map(partial(_nearest, Q, *options), starts):
        blocks.append(block)
        n_done = min(Q.shape[0], len(blocks) * block_size)
        report("graph", n_done / Q.shape[0], n_samples=Q.shape[0])
    return sp.vstack(blocks, format="csr")


def transposed(Z):
    """Return the transposed matrix in CSR format: the rows that have a term, side by side."""
    return sp.csr_matrix(Z.T)


def similar_rows(Q, Z, epsilon, *, columns=None):
    """Return the cosines of the rows of Q with those of Z that are at least ``epsilon``.

    Parameters and result are as in :func:`nearest_rows`; a row is similar to itself.
    """
    columns = transposed(Z) if columns is None else columns
    step = max(1, MAX_COSINES // columns.shape[1])
    blocks = []
    for start in range(0, Q.shape[0], step):
        cosines = sp.csr_array(Q[start : start + step] @ columns)
        cosines.data[cosines.data < epsilon] = 0
        cosines.eliminate_zeros()
        blocks.append(cosines)
        report("graph", min(1.0, (start + step) / Q.shape[0]), n_samples=Q.shape[0])
    return sp.vstack(blocks, format="csr")


def mean_distances(graph, sources, *, unreachable="far"):
    """Return the mean length of the shortest paths to the sources; an edge is one over its weight.

    Parameters
    ----------
    graph : sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format, with positive weights.
    sources : ndarray of shape (n_sources,)
        Indices of vertices.
    unreachable : {"far", "zero"}, default="far"
        Distance where there is no path: twice the largest one plus 1, or 0.

    Returns
    -------
    distances : ndarray of shape (n_samples,)
        Mean distances.
    is_reached : ndarray of bool of shape (n_samples,)
        Whether there is a path to a source.
    """
    lengths = graph.copy()
    lengths.data = 1 / np.maximum(lengths.data, MIN_WEIGHT)
    total = np.zeros(graph.shape[0])
    n_reached = np.zeros(graph.shape[0], dtype=np.int64)
    largest = 0.0
    step = max(1, MAX_DISTANCES // graph.shape[0])
    for start in range(0, len(sources), step):
        distances = dijkstra(lengths, indices=sources[start : start + step])
        is_finite = np.isfinite(distances)
        distances[~is_finite] = 0
        total += distances.sum(axis=0)
        n_reached += is_finite.sum(axis=0)
        largest = max(largest, distances.max())
        report("distances", min(1.0, (start + step) / len(sources)))
    far = 2 * largest + 1 if unreachable == "far" else 0.0
    return (total + far * (len(sources) - n_reached)) / len(sources), n_reached > 0


def _joined(listed, is_mutual=False):
    """Return the graph of rows that list each other, or of which one lists the other."""
    other = listed.T.tocsr()
    return listed.minimum(other) if is_mutual else listed.maximum(other)


def _largest_of_rows(graph, n_largest):
    """Return the largest entries of each row of a CSR array, of equal ones the first."""
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    order = np.lexsort((graph.indices, -graph.data, rows))
    is_kept = np.zeros(graph.nnz, dtype=bool)
    is_kept[order[np.arange(graph.nnz) - graph.indptr[rows] < n_largest]] = True
    indptr = np.append(0, np.cumsum(np.bincount(rows[is_kept], minlength=graph.shape[0])))
    return sp.csr_array((graph.data[is_kept], graph.indices[is_kept], indptr), shape=graph.shape)


def _nearest(Q, columns, bounds, n_neighbors, own, block_size, start):
    """Choose the neighbors of a block of rows."""
    rows = Q[start : start + block_size]
    indptr, indices, data = largest_products(
        (rows.indptr, unsigned(rows.indices), rows.data),
        (columns.indptr, unsigned(columns.indices), columns.data),
        columns.shape[1],
        n_neighbors,
        own[start : start + block_size],
        bounds,
    )
    return sp.csr_array((data, indices, indptr), shape=(rows.shape[0], columns.shape[1]))
