"""Whether some samples have features of others, looked at in blocks."""

import numpy as np

#: Samples looked at together.
BLOCK = 10_000


def shares_features(X, is_positive, is_candidate):
    """Return whether any of the candidates has a feature of a positive one.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array.
    is_positive, is_candidate : ndarray of bool of shape (n_samples,)
        Which samples are positive, and which are asked about.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.shared_features import shares_features
    >>> X = sp.csr_array([[1.0, 0, 0], [1, 1, 0], [0, 0, 1]])
    >>> first, second, third = np.eye(3, dtype=bool)
    >>> shares_features(X, first, second), shares_features(X, first, third)
    (True, False)
    """
    is_known = np.zeros(X.shape[1], dtype=bool)
    is_known[X[is_positive].indices] = True
    # The first block nearly always tells.
    for start in range(0, X.shape[0], BLOCK):
        block = slice(start, start + BLOCK)
        if is_known[X[block][is_candidate[block]].indices].any():
            return True
    return False
