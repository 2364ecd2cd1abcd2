"""Chi-squared between features scaled to [0, 1] and being labeled, from sums over rows."""

import numpy as np

from core.kernels.rows.column_bounds import column_bounds
from core.kernels.rows.row_blocks import transposed_product


def scaled_chi_squared(X, is_positive):
    """Return chi-squared of each feature, scaled to [0, 1], with being labeled.

    With F the sum of a feature, O that over the positives and p their share it is
    ``(O - p F)² / (F p (1 - p))``. Scaling shifts and shrinks the sums; the matrix stays as it is.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        In CSR format, of any sign.
    is_positive : ndarray of bool of shape (n_samples,)
        Both values occur.

    Returns
    -------
    ndarray of shape (n_features,)
        Not negative; 0 for constant features.

    References
    ----------
    Y. Yang and J. O. Pedersen, "A comparative study on feature selection in text categorization",
    ICML 1997.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.features.chi_squared import scaled_chi_squared
    >>> X = sp.csr_array([[5.0, 1], [5, -1], [3, 1], [3, -1]])
    >>> scaled_chi_squared(X, np.array([True, True, False, False])).tolist()
    [2.0, 0.0]
    """
    n_samples, share = len(is_positive), is_positive.mean()
    low, high = column_bounds(X)
    total, positive = transposed_product(X, np.column_stack([np.ones(n_samples), is_positive])).T
    total = total - n_samples * low
    positive = positive - is_positive.sum() * low
    scale = total * share * (1 - share) * (high - low)
    excess = (positive - share * total) ** 2
    return np.divide(excess, scale, out=np.zeros_like(excess), where=high > low)
