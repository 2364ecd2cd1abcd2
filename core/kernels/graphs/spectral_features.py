"""How smooth features are on a graph of rows, and which side of their mean the positives are on."""

import numpy as np
import scipy.sparse as sp
from scipy.special import xlogy

#: Rows whose neighbors are added up at a time.
BLOCK_SIZE = 2048
#: Share of the squares below which a variance is rounding.
ROUNDING = 1e-12


def graph_roughness(X, graph):
    """Return how much features differ along the edges, for their variance, and their means.

    With weights w of the edges and degrees d, a feature f has the mean ``m = sum_i d_i f_i /
    sum_i d_i`` and the roughness ``sum_ij w_ij (f_i - f_j)² / (2 sum_i d_i (f_i - m)²)``. No
    feature is centred: X stays sparse.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array, the columns of about the same range.
    graph : sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format, with positive weights.

    Returns
    -------
    roughness : ndarray of shape (n_features,)
        In [0, 2]; 2 for features that are constant on the rows with edges.
    means : ndarray of shape (n_features,)
        Means, weighted by degree.

    References
    ----------
    Z. Zhao and H. Liu, "Semi-supervised feature selection via spectral analysis", SDM 2007.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.graphs.spectral_features import graph_roughness
    >>> X = sp.csr_array([[0.0, 0], [1, 1], [10, 0], [11, 1]])
    >>> pairs = sp.csr_array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    >>> roughness, means = graph_roughness(X, pairs)
    >>> roughness.round(6).tolist(), means.tolist()
    ([0.019802, 2.0], [5.5, 0.5])
    """
    degrees = graph.sum(axis=1)
    volume = degrees.sum()
    if volume == 0:
        return np.full(X.shape[1], 2.0), np.zeros(X.shape[1])
    squares = X.power(2).T @ degrees
    means = X.T @ degrees / volume
    variances = squares - volume * means**2
    differences = squares - _products_of_neighbors(X, graph)
    is_varied = variances > ROUNDING * squares
    roughness = np.full(X.shape[1], 2.0)
    np.divide(differences, variances, out=roughness, where=is_varied)
    return np.clip(roughness, 0, 2), means


def _products_of_neighbors(X, graph):
    total = np.zeros(X.shape[1])
    for start in range(0, X.shape[0], BLOCK_SIZE):
        block = slice(start, start + BLOCK_SIZE)
        total += sp.csr_array(X[block].multiply(graph[block] @ X)).sum(axis=0)
    return total


def side_information(X, means, is_positive):
    """Return the normalised information between being above the mean and being positive.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array of labeled rows.
    means : ndarray of shape (n_features,)
        What each feature is compared with.
    is_positive : ndarray of bool of shape (n_samples,)
        The class of each row.

    Returns
    -------
    ndarray of shape (n_features,)
        Mutual information over the larger of both entropies, in [0, 1]; 0 where a side is empty.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.graphs.spectral_features import side_information
    >>> X = sp.csr_array([[0.0, 1], [0, 0], [3, 1], [4, 0]])
    >>> side_information(X, np.array([1.0, 0.5]), np.array([0, 0, 1, 1], dtype=bool)).tolist()
    [1.0, 0.0]
    """
    n, p = _n_above(X, means), _n_above(X[is_positive], means)
    n_rows, n_positive = len(is_positive), int(is_positive.sum())
    sides = _entropy(n, n_rows - n)
    classes = _entropy(n_positive, n_rows - n_positive)
    both = _entropy(p, n - p, n_positive - p, n_rows - n - n_positive + p)
    larger = np.maximum(sides, classes)
    is_split = (sides > 0) & (classes > 0)
    shares = np.divide(sides + classes - both, larger, out=np.zeros(len(n)), where=is_split)
    return np.clip(shares, 0, 1)


def _n_above(X, means):
    is_above = X.data > means[X.indices]
    n_stored = np.bincount(X.indices, minlength=X.shape[1])
    n_above = np.bincount(X.indices[is_above], minlength=X.shape[1])
    return np.where(means < 0, X.shape[0] - n_stored, 0) + n_above


def _entropy(*counts):
    """Return the entropy of a split into parts, in nats."""
    total = sum(counts)
    return np.log(total) - sum(xlogy(n, n) for n in counts) / total
