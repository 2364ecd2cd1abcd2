"""Where penalised scores are trained: without unused features, and in a unit of the data."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from core.errors import Refused
from core.kernels.rows.scaled_rows import row_lengths
from core.kernels.rows.seen_columns import seen_columns

#: A unit this close to 1 is taken for 1, so that rows of unit length need no copy.
UNIT_TOL = 1e-6
#: A row of more than so many times the median length outweighs all others.
OUTLYING = 100
TOO_LARGE = (
    "these values are too large, or a parameter such as C is too large or too small. Scale the "
    "features, say to [0, 1], and keep parameters near their defaults."
)


class TrainingSpace(NamedTuple):
    """What :func:`training_space` made of X, and the way back.

    Attributes
    ----------
    Z : sparse array of shape (n_samples, n_used)
        CSR array of the type of X; its arrays may be those of X.
    columns : ndarray of shape (n_used,)
        The features that some sample has.
    n_features : int
        All features.
    unit : float
        What X was divided by.
    has_outlier : bool
        Whether a row is more than a hundred times as long as the median one.
    """

    Z: object
    columns: np.ndarray
    n_features: int
    unit: float
    has_outlier: bool

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

    Raises
    ------
    ValueError
        If the lengths of the rows are not finite.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.training_space import training_space
    >>> space = training_space(sp.csr_array([[0.0, 3, 4], [0, 4, 3]]))
    >>> space.Z.toarray().round(4).tolist(), space.to_features(np.array([10.0, 20])).tolist()
    ([[0.6, 0.8], [0.8, 0.6]], [0.0, 2.0, 4.0])
    """
    lengths = row_lengths(X)
    lengths = lengths[lengths > 0]
    longest = lengths.max()
    if longest > np.finfo(X.dtype).max:
        raise Refused(TOO_LARGE)
    unit = float(longest * np.sqrt(np.mean((lengths / longest) ** 2)))
    if abs(unit - 1) <= UNIT_TOL:
        unit = 1.0
    values = X.data if unit == 1 else X.data / X.data.dtype.type(unit)
    columns, indices = used_columns(X)
    Z = sp.csr_array((values, indices, X.indptr), shape=(X.shape[0], len(columns)))
    has_outlier = bool(longest > OUTLYING * np.median(lengths))
    return TrainingSpace(Z, columns, X.shape[1], unit, has_outlier)


def used_columns(X):
    """Return the columns that have entries, and the column indices of X without the others.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.training_space import used_columns
    >>> [numbers.tolist() for numbers in used_columns(sp.csr_array([[0.0, 3, 0, 4], [0, 4, 0, 0]]))]
    [[1, 3], [0, 1, 0]]
    """
    is_used = seen_columns(X)
    columns = np.flatnonzero(is_used)
    if len(columns) == X.shape[1]:
        return columns, X.indices
    number = np.cumsum(is_used, dtype=X.indices.dtype) - 1
    return columns, number[X.indices]
