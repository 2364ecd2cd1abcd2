"""How well a labelling in two splits the documents into clusters, by cosine distance.

Rows have at least one term. Nothing of n_samples squared is held.
"""

import numba
import numpy as np

from core.kernels.rows.row_blocks import row_products, transposed_product, unsigned
from core.kernels.rows.scaled_rows import row_lengths
from core.progress import report


def positive_silhouettes(X, is_accepted):
    """Return the mean silhouette of the accepted rows, for each of several labellings.

    The mean cosine distance of a row to a group is one minus its product, at unit length, with
    the sum of the group, over the size of the group: linear time. From one labelling to the next,
    only what is labeled anew is added up.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array.
    is_accepted : ndarray of bool of shape (n_samples, n_labellings)
        Which rows are labeled positive.

    Returns
    -------
    ndarray of shape (n_labellings,)
        In [-1, 1]; 0 where fewer than two rows are accepted, or all of them.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.clusters.cluster_quality import positive_silhouettes
    >>> X = sp.csr_array([[1.0, 0], [2, 0], [0, 1]])
    >>> positive_silhouettes(X, np.array([[True], [True], [False]])).tolist()
    [1.0]
    """
    scale = 1 / row_lengths(X)
    to_all = scale * row_products(X, transposed_product(X, scale))
    silhouettes = np.zeros(is_accepted.shape[1])
    accepted_sum, before = np.zeros(X.shape[1]), np.zeros(X.shape[0], dtype=bool)
    for labelling, labels in enumerate(is_accepted.T):
        accepted_sum += transposed_product(X, scale * (labels.astype(np.int8) - before))
        before, n_accepted = labels, int(labels.sum())
        if 2 <= n_accepted < len(labels):
            rows = (X.indptr, unsigned(X.indices), X.data, scale, np.flatnonzero(labels))
            silhouettes[labelling] = _mean_silhouette(*rows, to_all, accepted_sum)
        report("silhouettes", (labelling + 1) / len(silhouettes))
    return silhouettes


@numba.njit(cache=True, nogil=True)
def _mean_silhouette(indptr, indices, data, scale, accepted, to_all, accepted_sum):
    n_accepted, n_rejected = len(accepted), len(to_all) - len(accepted)
    silhouettes = np.zeros(n_accepted)
    for place, row in enumerate(accepted):
        to_accepted = 0.0
        for entry in range(indptr[row], indptr[row + 1]):
            to_accepted += np.float64(data[entry]) * accepted_sum[indices[entry]]
        to_accepted *= scale[row]
        within = max((n_accepted - to_accepted) / (n_accepted - 1), 0.0)
        between = max(1 - (to_all[row] - to_accepted) / n_rejected, 0.0)
        if max(within, between) > 0:
            silhouettes[place] = (between - within) / max(within, between)
    return silhouettes.mean()


def spanning_tree(X):
    """Return the edges of a minimum spanning tree of the complete graph of cosine distances.

    Prim's algorithm: each step multiplies one row by the others. Rows without a common term are
    at distance 1, so parts that share no term are joined by such edges; copies are at distance 0.
    Time is the sum of the squared document frequencies plus n_samples squared comparisons.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array without negative entries.

    Returns
    -------
    first, second : ndarrays of shape (n_samples - 1,)
        The ends of each edge.
    distance : ndarray of shape (n_samples - 1,)
        One minus the cosine, in [0, 1].

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.clusters.cluster_quality import spanning_tree
    >>> first, second, distance = spanning_tree(sp.csr_array([[1.0, 0], [3, 4], [0, 1]]))
    >>> first.tolist(), second.tolist(), distance.round(6).tolist()
    ([0, 1], [1, 2], [0.4, 0.2])
    """
    n_samples = X.shape[0]
    columns = X.T.tocsr()
    arrays = (X.indptr, X.indices, X.data, columns.indptr, columns.indices, columns.data)
    scale = 1 / row_lengths(X)
    cosine = np.zeros(n_samples)
    parent = np.zeros(n_samples, dtype=np.int64)
    is_joined = np.zeros(n_samples, dtype=bool)
    products = np.zeros(n_samples)
    order = np.zeros(n_samples, dtype=np.int64)
    for step in range(1, n_samples):
        order[step] = _join(order[step - 1], *arrays, scale, cosine, parent, is_joined, products)
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
    scale, cosine, parent, is_joined, products,
):  # fmt: skip
    """Add a row to the tree; return the row that is then nearest to it, the first of equals."""
    is_joined[row] = True
    for entry in range(indptr[row], indptr[row + 1]):
        column, value = indices[entry], np.float64(data[entry])
        for other in range(column_starts[column], column_starts[column + 1]):
            products[column_rows[other]] += value * np.float64(column_data[other])
    nearest, largest = -1, -1.0
    for other in range(len(cosine)):
        if not is_joined[other]:
            similarity = products[other] * scale[row] * scale[other]
            if similarity > cosine[other]:
                cosine[other], parent[other] = similarity, row
            if cosine[other] > largest:
                nearest, largest = other, cosine[other]
        products[other] = 0.0
    return nearest
