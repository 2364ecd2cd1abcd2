"""How well a labelling in two splits the documents into clusters, by cosine distance.

Rows have unit length and at least one term. Nothing of n_samples squared is held.
"""

import numba
import numpy as np

from core.kernels.row_blocks import transposed_product
from core.progress import report


def positive_silhouette(Z, is_accepted, *, to_all=None):
    """Return the mean silhouette of the accepted rows, in [-1, 1], in linear time.

    The mean distance of a unit row to a group is one minus its product with the sum of the
    group, over the size of the group.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.
    is_accepted : ndarray of bool of shape (n_samples,)
        Which rows are labeled positive.
    to_all : ndarray of shape (n_samples,), default=None
        What :func:`products_with_sum` returned, for labellings to share; None means that it is
        computed.

    Returns
    -------
    float
        0 where fewer than two rows are accepted, or all of them.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.cluster_quality import positive_silhouette
    >>> Z = sp.csr_array([[1.0, 0], [1, 0], [0, 1]])
    >>> positive_silhouette(Z, np.array([True, True, False]))
    1.0
    """
    n_accepted = int(is_accepted.sum())
    n_rejected = len(is_accepted) - n_accepted
    if n_accepted < 2 or n_rejected == 0:
        return 0.0
    to_all = products_with_sum(Z) if to_all is None else to_all
    to_accepted = (Z @ transposed_product(Z, is_accepted))[is_accepted]
    to_rejected = to_all[is_accepted] - to_accepted
    within = np.maximum((n_accepted - to_accepted) / (n_accepted - 1), 0)
    between = np.maximum(1 - to_rejected / n_rejected, 0)
    longer = np.maximum(within, between)
    silhouettes = np.divide(between - within, longer, out=np.zeros(n_accepted), where=longer > 0)
    return float(silhouettes.mean())


def products_with_sum(Z):
    """Return the products of the rows with the sum of all rows, of shape (n_samples,)."""
    return Z @ transposed_product(Z, np.ones(Z.shape[0]))


def spanning_tree(Z):
    """Return the edges of a minimum spanning tree of the complete graph of cosine distances.

    Prim's algorithm: each step multiplies one row by the others. Rows without a common term are
    at distance 1, so parts that share no term are joined by such edges; copies are at distance 0.
    Time is the sum of the squared document frequencies plus n_samples squared comparisons.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format, without negative entries.

    Returns
    -------
    first, second : ndarrays of shape (n_samples - 1,)
        The ends of each edge.
    distance : ndarray of shape (n_samples - 1,)
        One minus the cosine, in [0, 1].

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.cluster_quality import spanning_tree
    >>> first, second, distance = spanning_tree(sp.csr_array([[1.0, 0], [0.6, 0.8], [0, 1]]))
    >>> first.tolist(), second.tolist(), distance.round(6).tolist()
    ([0, 1], [1, 2], [0.4, 0.2])
    """
    n_samples = Z.shape[0]
    columns = Z.T.tocsr()
    arrays = (Z.indptr, Z.indices, Z.data, columns.indptr, columns.indices, columns.data)
    cosine = np.zeros(n_samples)
    parent = np.zeros(n_samples, dtype=np.int64)
    is_joined = np.zeros(n_samples, dtype=bool)
    products = np.zeros(n_samples)
    order = np.zeros(n_samples, dtype=np.int64)
    for step in range(1, n_samples):
        order[step] = _join(order[step - 1], *arrays, cosine, parent, is_joined, products)
        if step % 1000 == 0:
            report("spanning tree", step / n_samples)
    second = order[1:]
    return parent[second], second, np.maximum(1 - cosine[second], 0)


def least_crossing(tree, is_accepted):
    """Return the distance of the nearest two rows that are labeled differently (LSN).

    By the cut property it is that of an edge of any minimum spanning tree: O(n_samples).

    Parameters
    ----------
    tree : tuple of three ndarrays
        What ``spanning_tree`` returned.
    is_accepted : ndarray of bool of shape (n_samples,)
        Which rows are labeled positive.

    Returns
    -------
    float
        0 where all rows are labeled alike.
    """
    first, second, distance = tree
    is_crossing = is_accepted[first] != is_accepted[second]
    return float(distance[is_crossing].min()) if is_crossing.any() else 0.0


@numba.njit(cache=True, nogil=True)
def _join(
    row, indptr, indices, data, column_starts, column_rows, column_data,
    cosine, parent, is_joined, products,
):  # fmt: skip
    """Add a row to the tree; return the row that is then nearest to it, the first of equals."""
    is_joined[row] = True
    for entry in range(indptr[row], indptr[row + 1]):
        column = indices[entry]
        for other in range(column_starts[column], column_starts[column + 1]):
            products[column_rows[other]] += data[entry] * column_data[other]
    nearest, largest = -1, -1.0
    for other in range(len(cosine)):
        if not is_joined[other]:
            if products[other] > cosine[other]:
                cosine[other], parent[other] = products[other], row
            if cosine[other] > largest:
                nearest, largest = other, cosine[other]
        products[other] = 0.0
    return nearest
