"""Features with few values each, coded as sets of rows; what is everywhere else is left out."""

from typing import NamedTuple

import numba
import numpy as np
import scipy.sparse as sp
from sklearn.utils.sparsefuncs import min_max_axis


class DiscreteFeatures(NamedTuple):
    """Indicators of the values of features, but for the value that each takes in other rows.

    A feature takes one value in each row. The value of its rows without an indicator, mostly
    zero, is its base value: how many they are follows from the others.
    """

    #: CSR array of shape (n_samples, n_values): 1 where a row has the value.
    indicators: sp.csr_array
    #: Which feature each value is of, of shape (n_values,).
    feature: np.ndarray
    n_features: int


def discretize(X, n_bins=5):
    """Code features by their values, those with many values by bins of equal width.

    A feature with at most ``n_bins`` distinct values keeps them; another is cut into that many
    bins between its least and its greatest value.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array, of any sign.
    n_bins : int in [2, inf), default=5
        Bins of a feature.

    Returns
    -------
    DiscreteFeatures
        With as many indicators as there are entries outside of the bins of zero.

    References
    ----------
    K. Sechidis and G. Brown, "Simple strategies for semi-supervised feature selection", Machine
    Learning 107, 2018 (their code).

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.discrete_features import discretize
    >>> features = discretize(sp.csr_array([[0.0, 1], [0.1, 1], [1, 0]]), n_bins=2)
    >>> features.indicators.toarray().astype(int).tolist(), features.feature.tolist()
    ([[0, 1], [0, 1], [1, 0]], [0, 1])
    """
    if (X.data == 1).all():
        return DiscreteFeatures(X, np.arange(X.shape[1]), X.shape[1])
    number, n_distinct = _few_values(X.indices, X.data, X.shape[1], n_bins)
    has_zero = np.bincount(X.indices, minlength=X.shape[1]) < X.shape[0]
    keeps_values = n_distinct + has_zero <= n_bins
    low, high = (np.asarray(bound, dtype=np.float64) for bound in min_max_axis(X, axis=0))
    width = np.where(high > low, high - low, 1) / n_bins
    column = X.indices
    bins = _bin(X.data, low[column], width[column], n_bins)
    code = np.where(keeps_values[column], number, bins)
    zero_bin = np.where(has_zero & ~keeps_values, _bin(0.0, low, width, n_bins), -1)
    return _indicators(X, code, code != zero_bin[column], n_bins)


def _bin(values, low, width, n_bins):
    return np.minimum((values - low) / width, n_bins - 1).astype(np.intp)


@numba.njit(cache=True, nogil=True)
def _few_values(indices, data, n_features, n_most):
    """Return which value of its column each entry has, and how many there are, up to one more."""
    values = np.empty((n_features, n_most))
    n_values = np.zeros(n_features, dtype=np.int64)
    number = np.zeros(len(indices), dtype=np.int64)
    for entry in range(len(indices)):
        column = indices[entry]
        n_known = min(n_values[column], n_most)
        while number[entry] < n_known and values[column, number[entry]] != data[entry]:
            number[entry] += 1
        if number[entry] == n_known and n_values[column] <= n_most:
            if n_known < n_most:
                values[column, n_known] = data[entry]
            n_values[column] += 1
    return number, n_values


def _indicators(X, code, is_kept, n_bins):
    """Return the indicators of the kept entries, values numbered as features are."""
    key = X.indices[is_kept].astype(np.intp) * n_bins + code[is_kept]
    is_used = np.zeros(X.shape[1] * n_bins, dtype=bool)
    is_used[key] = True
    values = np.flatnonzero(is_used)
    number = np.cumsum(is_used, dtype=np.int32) - 1
    n_before = np.concatenate([[0], np.cumsum(is_kept)])
    parts = (np.ones(len(key)), number[key], n_before[X.indptr].astype(X.indptr.dtype))
    indicators = sp.csr_array(parts, shape=(X.shape[0], len(values)))
    return DiscreteFeatures(indicators, values // n_bins, X.shape[1])
