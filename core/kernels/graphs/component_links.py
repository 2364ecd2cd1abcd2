"""Edges that join the components of a similarity graph."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from core.kernels.graphs.knn_graph import MAX_COSINES
from core.progress import report


def link_components(graph, Z):
    """Join the components of a graph by as few edges of as large a cosine as possible.

    The same as adding the edge of the largest cosine between two components, again and again.
    Components that are similar to no other stay apart.

    Parameters
    ----------
    graph : sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format.
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.

    Returns
    -------
    sparse array of shape (n_samples, n_samples)
        The graph with the added edges, their weights being cosines.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.graphs.component_links import link_components
    >>> Z = sp.csr_array([[1.0, 0], [0.8, 0.6], [0, 1]])
    >>> link_components(sp.csr_array((3, 3)), Z).toarray()
    array([[0. , 0.8, 0. ],
           [0.8, 0. , 0.6],
           [0. , 0.6, 0. ]])
    """
    while True:
        n_components, component = connected_components(graph, directed=False)
        report("link", 1 / n_components)
        # Every component but the largest looks for its nearest other one (Borůvka's algorithm).
        largest = np.bincount(component).argmax()
        rows = np.flatnonzero(component != largest)
        nearest, cosine = _nearest_elsewhere(Z, rows, component)
        order = np.lexsort((rows, -cosine, component[rows]))
        _, first = np.unique(component[rows[order]], return_index=True)
        chosen = order[first]
        chosen = chosen[cosine[chosen] > 0]
        if not len(chosen):
            return graph
        ends = (rows[chosen], nearest[chosen])
        links = sp.csr_array((cosine[chosen], ends), shape=graph.shape)
        graph = graph.maximum(links).maximum(links.T.tocsr())


def _nearest_elsewhere(Z, rows, component):
    """Return the nearest row of another component for each row, and its cosine, 0 for none."""
    nearest = np.zeros(len(rows), dtype=np.intp)
    cosine = np.zeros(len(rows))
    columns = sp.csr_array(Z.T)
    step = max(1, MAX_COSINES // Z.shape[0])
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        cosines = sp.csr_array(Z[rows[block]] @ columns).tocoo()
        is_other = component[cosines.col] != component[rows[block]][cosines.row]
        row, col, value = (part[is_other] for part in (cosines.row, cosines.col, cosines.data))
        order = np.lexsort((col, -value, row))
        present, first = np.unique(row[order], return_index=True)
        nearest[start + present] = col[order[first]]
        cosine[start + present] = value[order[first]]
    return nearest, cosine
