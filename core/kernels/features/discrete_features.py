"""Features with few values each, coded as sets of rows; what is everywhere else is left out."""

from typing import NamedTuple

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.rows.column_bounds import column_bounds

#: Share of the range by which bins begin early. Decimal fractions are not exact: one that is on
#: an edge, such as 0.6 of 0 to 1, belongs to the bin above it as the same value in tenths does.
EDGE_TOL = 1e-6


class DiscreteFeatures(NamedTuple):
    """Indicators of the values of features, but for the value that each takes in other rows.

    A feature takes one value in each row. The value of its rows without an indicator is its base
    value: that of zero, or the most frequent one where no row has that. How many they are follows
    from the others.
    """

    #: CSR array of shape (n_samples, n_values): 1 where a row has the value.
    indicators: sp.csr_array
    #: Which feature each value is of, of shape (n_values,).
    feature: np.ndarray
    n_features: int


def bins_bytes(n_features, n_bins):
    """Return what :func:`discretize` holds at most for each feature, whatever its entries.

    Examples
    --------
    >>> from core.kernels.features.discrete_features import bins_bytes
    >>> bins_bytes(1000, 5)
    160000
    """
    return 32 * n_features * n_bins


def discretize(X, n_bins=5, binning="width"):
    """Code features by their values, those with many values by bins.

    A feature with at most ``n_bins`` distinct values keeps them; another is cut into that many
    bins, of equal width between its least and its greatest value or of as many samples each.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array, of any sign.
    n_bins : int in [2, inf), default=5
        Bins of a feature.
    binning : {"width", "quantile"}, default="width"
        What bins have in common; equal values are never parted, so that a bin of samples may have
        more than its share, and others fewer or none.

    Returns
    -------
    DiscreteFeatures
        With as many indicators as there are entries outside of the base values.

    References
    ----------
    K. Sechidis and G. Brown, "Simple strategies for semi-supervised feature selection", Machine
    Learning 107, 2018 (their code).

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.features.discrete_features import discretize
    >>> features = discretize(sp.csr_array([[0.0, 1], [0.1, 1], [1, 0]]), n_bins=2)
    >>> features.indicators.toarray().astype(int).tolist(), features.feature.tolist()
    ([[0, 1], [0, 1], [1, 0]], [0, 1])
    """
    if (X.data == 1).all():
        return DiscreteFeatures(X, np.arange(X.shape[1]), X.shape[1])
    n_bins = min(n_bins, X.shape[0])
    # One byte each where that is enough.
    code = np.zeros(X.nnz, dtype=np.min_scalar_type(-n_bins - 2))
    n_distinct, n_entries = _few_values(X.indices, X.data, X.shape[1], n_bins, code)
    has_zero = n_entries < X.shape[0]
    keeps_values = n_distinct + has_zero <= n_bins
    edges = (_quantiles if binning == "quantile" else _even_edges)(X, n_bins)
    zero_bin = np.where(has_zero & ~keeps_values, (edges < 0).sum(axis=1), -1)
    _set_bins(X.indices, X.data, code, keeps_values, edges, zero_bin)
    return _indicators(X, code, n_bins)


def _even_edges(X, n_bins):
    """Return what each bin but the first lies above, of shape (n_features, n_bins - 1)."""
    low, high = (bound[:, None] for bound in column_bounds(X))
    share = np.arange(1, n_bins) / n_bins - EDGE_TOL
    return low * (1 - share) + high * share


def _quantiles(X, n_bins):
    """Return the greatest value of each bin but the last, of shape (n_features, n_bins - 1)."""
    columns = X.tocsc()
    edges = np.zeros((X.shape[1], n_bins - 1))
    _set_quantiles(columns.indptr, columns.data, X.shape[0], n_bins, edges)
    return edges


@numba.njit(cache=True, nogil=True)
def _set_quantiles(indptr, data, n_samples, n_bins, edges):
    for column in range(len(edges)):
        values = np.sort(data[indptr[column] : indptr[column + 1]])
        n_zeros, n_negative = n_samples - len(values), np.searchsorted(values, 0)
        for edge in range(n_bins - 1):
            last = -(-(edge + 1) * n_samples // n_bins) - 1
            if last < n_negative:
                edges[column, edge] = values[last]
            elif last >= n_negative + n_zeros:
                edges[column, edge] = values[last - n_zeros]


@numba.njit(cache=True, nogil=True)
def _few_values(indices, data, n_features, n_most, number):
    """Set which value of its column each entry has; return how many there are, and entries.

    Of a column with more than ``n_most`` values one more is counted, and no more is set.
    """
    values = np.empty((n_features, n_most))
    n_values, n_entries = np.zeros((2, n_features), dtype=np.int64)
    for entry in range(len(indices)):
        column = indices[entry]
        n_entries[column] += 1
        if n_values[column] > n_most:
            continue
        n_known = n_values[column]
        while number[entry] < n_known and values[column, number[entry]] != data[entry]:
            number[entry] += 1
        if number[entry] == n_known:
            if n_known < n_most:
                values[column, n_known] = data[entry]
            n_values[column] += 1
    return n_values, n_entries


@numba.njit(cache=True, nogil=True)
def _set_bins(indices, data, code, keeps_values, edges, zero_bin):
    """Set the bin of each entry of a feature with many values, -1 for those with the zeros."""
    for entry in range(len(indices)):
        column = indices[entry]
        if not keeps_values[column]:
            bin_number = np.searchsorted(edges[column], data[entry])
            code[entry] = -1 if bin_number == zero_bin[column] else bin_number


def _indicators(X, code, n_bins):
    """Return the indicators of the entries with a code, values numbered as features are."""
    n = _value_counts(X.indices, code, np.zeros((X.shape[1], n_bins), dtype=np.int64))
    is_kept = n > 0
    is_everywhere = n.sum(axis=1) == X.shape[0]
    is_kept[is_everywhere, n[is_everywhere].argmax(axis=1)] = False
    values = np.flatnonzero(is_kept)
    number = np.where(is_kept.ravel(), np.cumsum(is_kept, dtype=np.int32) - 1, -1)
    indptr, indices = _kept(X.indptr, X.indices, code, n_bins, number, n[is_kept].sum())
    parts = (np.ones(len(indices), dtype=np.float32), indices, indptr)
    indicators = sp.csr_array(parts, shape=(X.shape[0], len(values)))
    return DiscreteFeatures(indicators, values // n_bins, X.shape[1])


@numba.njit(cache=True, nogil=True)
def _value_counts(indices, code, counts):
    for entry in range(len(indices)):
        if code[entry] >= 0:
            counts[indices[entry], code[entry]] += 1
    return counts


@numba.njit(cache=True, nogil=True)
def _kept(indptr, indices, code, n_bins, number, n_kept):
    """Return the row starts and the values of the entries that have a number."""
    starts, values, end = np.zeros_like(indptr), np.empty(n_kept, dtype=np.int32), 0
    for row in range(len(indptr) - 1):
        for entry in range(indptr[row], indptr[row + 1]):
            if code[entry] >= 0:
                value = number[np.int64(indices[entry]) * n_bins + code[entry]]
                if value >= 0:
                    values[end] = value
                    end += 1
        starts[row + 1] = end
    return starts, values
