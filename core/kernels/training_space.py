"""Where penalised scores are trained: without unused features, and in a unit of the data."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp


class TrainingSpace(NamedTuple):
    """What :func:`training_space` made of X, and the way back.

    Attributes
    ----------
    Z : sparse array of shape (n_samples, n_used)
        CSR array of float64; its indices may be those of X.
    columns : ndarray of shape (n_used,)
        The features that some sample has.
    n_features : int
        All features.
    unit : float
        What X was divided by.
    """

    Z: object
    columns: np.ndarray
    n_features: int
    unit: float

    def to_features(self, weights):
        """Return weights of shape (n_used, ...) for the features of X, 0 for unused ones."""
        spread = np.zeros((self.n_features, *weights.shape[1:]))
        spread[self.columns] = weights / self.unit
        return spread


def training_space(X):
    """Return X without unused features, divided by the root mean square length of its rows.

    Rows of unit length, which texts usually are, stay as they are. Otherwise a penalty or a step
    size would mean something else for counts than for weights, and for long texts than for short.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array, not all zero.

    Returns
    -------
    TrainingSpace
        The matrix to train on, and the way back.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.training_space import training_space
    >>> space = training_space(sp.csr_array([[0.0, 3, 4], [0, 4, 3]]))
    >>> space.Z.toarray().round(4).tolist(), space.to_features(np.array([10.0, 20])).tolist()
    ([[0.6, 0.8], [0.8, 0.6]], [0.0, 2.0, 4.0])
    """
    columns = np.unique(X.indices)
    n_rows = np.count_nonzero(np.diff(X.indptr))
    # The values are copied, the indices are not.
    values = X.data.astype(np.float64)
    unit = float(np.linalg.norm(values) / np.sqrt(n_rows))
    values /= unit
    Z = sp.csr_array((values, X.indices, X.indptr), shape=X.shape)
    if len(columns) < X.shape[1]:
        Z = Z[:, columns]
    return TrainingSpace(Z, columns, X.shape[1], unit)
