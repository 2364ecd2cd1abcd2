"""Latent semantic analysis: rows in the space of the first singular vectors, at unit length."""

from typing import NamedTuple

import numba
import numpy as np
from sklearn.preprocessing import normalize
from sklearn.utils.extmath import randomized_svd

from core.kernels.hardware.blas import one_thread
from core.kernels.rows.row_blocks import document_frequencies, unsigned

#: Directions of a space that several ask for: inside ``sharing`` it is then made once.
N_COMPONENTS = 50
#: Terms of fewer rows say next to nothing about others.
MIN_ROWS = 3


class LatentSpace(NamedTuple):
    """Directions that the rows of a matrix spread most in.

    Attributes
    ----------
    columns : ndarray of shape (n_used,)
        Features that enough rows have; the others are no part of any direction.
    components : ndarray of shape (n_used, n_components)
        The directions, float32.
    """

    columns: np.ndarray
    components: np.ndarray

    def projections(self, X):
        """Return the rows in these directions, (n_samples, n_components), not scaled."""
        return X[:, self.columns] @ self.components

    def rows(self, X):
        """Return the rows in these directions at unit length; rows of zeros stay so."""
        projections = self.projections(X)
        return normalize(projections) if projections.size else projections

    def products(self, X, weights):
        """Return ``rows(X) @ weights``, (n_samples,), without the rows.

        Each row's is the same to the bit in whatever matrix it stands.
        """
        if not len(weights):
            return np.zeros(X.shape[0])
        indices, n_columns = unsigned(X.indices), len(self.columns)
        # Of a few rows, to search is faster than to make a table of all features.
        if X.nnz < X.shape[1]:
            places = _places(indices, self.columns)
            indices = np.arange(X.nnz, dtype=indices.dtype)
        else:
            places = np.full(X.shape[1], n_columns, dtype=np.int32)
            places[self.columns] = np.arange(n_columns)
        return _products(X.indptr, indices, X.data, places, self.components, weights)

    def to_features(self, weights):
        """Return what weights of the directions add up to for each feature of X."""
        return self.columns, self.components @ weights


def latent_space(X, n_components, random_state):
    """Return the first right singular vectors of X.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array.
    n_components : int in [1, inf)
        Directions; fewer where the rank of X cannot be as large.
    random_state : RandomState
        Starts the randomised algorithm.

    Returns
    -------
    LatentSpace
        The directions.

    References
    ----------
    S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer and R. Harshman, "Indexing by latent
    semantic analysis", Journal of the American Society for Information Science 41(6), 1990.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.factors.latent_space import latent_space
    >>> X = sp.csr_array(np.repeat([[1.0, 1, 0], [0, 0, 1]], 3, axis=0))
    >>> rows = latent_space(X, 2, np.random.RandomState(0)).rows(X)
    >>> abs(rows @ rows[0]).round(6).tolist()
    [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    """
    columns = np.flatnonzero(document_frequencies(X) >= MIN_ROWS)
    used = X[:, columns]
    n_components = min(n_components, *used.shape)
    if n_components == 0:
        return LatentSpace(columns, np.zeros((len(columns), 0), dtype=np.float32))
    # Factorisations of few columns take several times as long on two threads.
    with one_thread():
        # Not transposed, it starts from a draw for each feature: the order of rows is irrelevant.
        _, _, components = randomized_svd(
            used, n_components, transpose=False, random_state=random_state
        )
    return LatentSpace(columns, np.ascontiguousarray(components.T, dtype=np.float32))


@numba.njit(cache=True, nogil=True)
def _places(indices, columns):
    """Return where each index is among the columns; their number where it is not."""
    places = np.full(len(indices), len(columns), dtype=np.int32)
    for k in range(len(indices)):
        place = np.searchsorted(columns, np.int64(indices[k]))
        if place < len(columns) and columns[place] == indices[k]:
            places[k] = place
    return places


@numba.njit(cache=True, nogil=True)
def _products(indptr, indices, data, places, components, weights):
    products = np.zeros(len(indptr) - 1)
    projection = np.empty(components.shape[1])
    for row in range(len(products)):
        projection[:] = 0
        for entry in range(indptr[row], indptr[row + 1]):
            place = places[indices[entry]]
            if place < len(components):
                value = np.float64(data[entry])
                for k in range(len(projection)):
                    projection[k] += value * components[place, k]
        square = product = 0.0
        for k in range(len(projection)):
            square += projection[k] * projection[k]
            product += projection[k] * weights[k]
        if square > 0:
            products[row] = product / np.sqrt(square)
    return products
