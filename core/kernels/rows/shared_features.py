"""Whether some samples have features of others, looked at in blocks."""

import numpy as np

from core.kernels.rows.row_blocks import row_blocks, rows_of


def shares_features(X, is_positive, is_candidate):
    """Return whether any of the candidates has a feature of a positive one.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array.
    is_positive, is_candidate : ndarray of bool of shape (n_samples,)
        Which samples are positive, and which are asked about.

    Returns
    -------
    bool

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.shared_features import shares_features
    >>> X = sp.csr_array([[1.0, 0, 0], [1, 1, 0], [0, 0, 1]])
    >>> first, second, third = np.eye(3, dtype=bool)
    >>> shares_features(X, first, second), shares_features(X, first, third)
    (True, False)
    """
    is_known = np.zeros(X.shape[1], dtype=bool)
    is_known[X[is_positive].indices] = True
    # The first block nearly always tells.
    for rows in row_blocks(X):
        block = rows_of(X, rows)
        is_asked = np.repeat(is_candidate[rows], np.diff(block.indptr))
        if (is_known[block.indices] & is_asked).any():
            return True
    return False
