"""Gaussian mixtures in a few matrix products: a quick look at the clusters of weighted rows."""

from functools import cache

import numpy as np
from scipy.special import softmax

#: Added to the variances of columns scaled to [0, 1]; the next where a matrix is still singular.
REGULARISATION = (1e-5, 1e-4, 1e-3)
#: Rows a cluster and feature below which covariances had better be diagonal.
ROWS_PER_FEATURE = 4
#: Share of each row that each cluster starts with, beside its own.
SMOOTHING = 1e-4


def smoothed_memberships(clusters, n_clusters):
    """Return memberships to start from, of rows that are in one cluster each.

    Parameters
    ----------
    clusters : ndarray of int of shape (n_samples,)
        Cluster of each row, in [0, n_clusters).
    n_clusters : int
        Clusters.

    Returns
    -------
    ndarray of shape (n_clusters, n_samples)
        Float32; 0.0001 for the other clusters.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.clusters.gaussian_mixture import smoothed_memberships
    >>> smoothed_memberships(np.array([0, 1]), 2).astype(float).round(4).tolist()
    [[1.0001, 0.0001], [0.0001, 1.0001]]
    """
    memberships = np.full((n_clusters, len(clusters)), SMOOTHING, dtype=np.float32)
    memberships[clusters, np.arange(len(clusters))] += 1
    return memberships


def mixture_log_densities(X, weights, memberships, *, covariance="full", n_iter=4):
    """Fit a Gaussian mixture by a few steps and return the weighted log densities of the rows.

    A step needs the rows only in weighted sums of columns and of products of two columns. The
    products are formed once; then each half of a step is one matrix product.

    Parameters
    ----------
    X : ndarray of shape (n_features, n_samples)
        One feature a line, of a range of about 1 and centred, float32.
    weights : ndarray of shape (n_samples,)
        How much each row counts, in (0, inf).
    memberships : ndarray of shape (n_clusters, n_samples)
        Share of each row that belongs to each component at the start.
    covariance : {"full", "diagonal"}, default="full"
        Full covariances need a multiple of ``n_clusters * n_features`` rows.
    n_iter : int in [1, inf), default=4
        Steps of expectation-maximisation.

    Returns
    -------
    ndarray of shape (n_clusters, n_samples)
        Log of share times density of each component, float32, without the constant
        ``-n_features / 2 * log(2 pi)``.

    References
    ----------
    A. P. Dempster, N. M. Laird and D. B. Rubin, "Maximum likelihood from incomplete data via the
    EM algorithm", Journal of the Royal Statistical Society B 39(1), 1977.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.clusters.gaussian_mixture import mixture_log_densities
    >>> X = np.array([[-0.5, -0.4, 0.4, 0.5]], dtype=np.float32)
    >>> memberships = np.array([[1.0, 0.6, 0.4, 0], [0, 0.4, 0.6, 1]])
    >>> mixture_log_densities(X, np.ones(4), memberships).argmax(axis=0).tolist()
    [0, 0, 1, 1]
    """
    weights, memberships = weights.astype(np.float32), memberships.astype(np.float32)
    is_full = covariance == "full"
    rows = np.concatenate([_pair_products(X) if is_full else np.square(X), X])
    factors_of = _full_factors if is_full else _diagonal_factors
    densities = _step(rows, len(X), weights, memberships, factors_of)
    for _ in range(n_iter - 1):
        densities = _step(rows, len(X), weights, softmax(densities, axis=0), factors_of)
    return densities


def _step(rows, n_features, weights, memberships, factors_of):
    weighted = memberships * weights
    totals = np.maximum(weighted.sum(axis=1, dtype=np.float64), np.finfo(np.float32).tiny)
    moments = (rows @ weighted.T).T.astype(np.float64) / totals[:, None]
    factors, lengths = factors_of(moments[:, :-n_features], moments[:, -n_features:])
    constants = np.log(totals / totals.sum()) - lengths / 2
    densities = factors.astype(np.float32) @ rows
    densities += constants.astype(np.float32)[:, None]
    return densities


@cache
def _triangle(n_columns):
    """Return where the upper triangle lies in a flat matrix, its weights, and the way back."""
    first, second = np.triu_indices(n_columns)
    places = np.empty((n_columns, n_columns), dtype=np.intp)
    places[first, second] = places[second, first] = np.arange(len(first))
    # A product of two different columns stands for two entries of the matrix.
    return first * n_columns + second, np.where(first == second, -0.5, -1.0), places.ravel()


def _pair_products(X):
    """Return the products of all pairs of lines, the upper triangle line by line."""
    n_columns, n_samples = X.shape
    products = np.empty((n_columns * (n_columns + 1) // 2, n_samples), dtype=X.dtype)
    end = 0
    for i in range(n_columns):
        start, end = end, end + n_columns - i
        np.multiply(X[i], X[i:], out=products[start:end])
    return products


def _full_factors(products, means):
    """Return by component the factor of each product and column, and log |C| + m' C⁻¹ m."""
    n_components, n_columns = means.shape
    upper, halves, places = _triangle(n_columns)
    moments = products.take(places, axis=1).reshape(n_components, n_columns, n_columns)
    inverses, log_determinants = _inverted(moments - means[:, :, None] * means[:, None, :])
    slopes = (inverses @ means[:, :, None])[:, :, 0]
    lengths = log_determinants + (slopes * means).sum(axis=1)
    flat = inverses.reshape(n_components, -1)
    return np.concatenate([halves * flat.take(upper, axis=1), slopes], axis=1), lengths


def _inverted(covariances):
    """Return inverses and log determinants of regularised covariances."""
    diagonal = np.arange(covariances.shape[1])
    for amount in REGULARISATION:
        regularised = covariances.copy()
        regularised[:, diagonal, diagonal] += amount
        try:
            roots = np.linalg.cholesky(regularised)
        except np.linalg.LinAlgError:
            continue
        log_determinants = 2 * np.log(roots[:, diagonal, diagonal]).sum(axis=1)
        return np.linalg.inv(regularised), log_determinants
    # Rounding of sums in float32 outgrew the regularisation: look at the diagonals only.
    variances = np.maximum(covariances[:, diagonal, diagonal], 0) + REGULARISATION[-1]
    return np.eye(len(diagonal)) / variances[:, None], np.log(variances).sum(axis=1)


def _diagonal_factors(squares, means):
    variances = np.maximum(squares - means**2, 0) + REGULARISATION[0]
    slopes = means / variances
    lengths = np.log(variances).sum(axis=1) + (slopes * means).sum(axis=1)
    return np.concatenate([-0.5 / variances, slopes], axis=1), lengths
