"""Indices of sparse matrices in 32 bits, which some solvers of scikit-learn insist on."""

import numpy as np

from core.errors import Refused

#: Largest number of 32 bits.
LARGEST = int(np.iinfo(np.int32).max)


def short_indices(X, user, instead):
    """Return X with the 32-bit indices that solvers of scikit-learn insist on.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        In CSR or CSC format.
    user : str
        The algorithm that has such a solver, for the error.
    instead : str
        What to take where the entries are too many, for the error.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        X itself where its indices are short already.

    Raises
    ------
    ValueError
        If X has 2**31 entries or more.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.short_indices import short_indices
    >>> X = sp.csr_array([[0, 1.0]])
    >>> X.indptr, X.indices = X.indptr.astype(np.int64), X.indices.astype(np.int64)
    >>> short_indices(X, "lasso", "Take k_best.").indptr.dtype
    dtype('int32')
    """
    if not is_short(X):
        raise Refused(
            f"{user} takes at most {LARGEST:,} entries of a matrix, got {X.nnz:,}. {instead}"
        )
    return shortened(X)


def is_short(X):
    """Return whether 32 bits are enough for the indices of X."""
    return max(X.nnz, *X.shape) <= LARGEST


def shortened(X):
    """Return X with 32-bit indices; X itself where it has them, which must be enough."""
    if X.indices.dtype == X.indptr.dtype == np.int32:
        return X
    indices, indptr = (part.astype(np.int32, copy=False) for part in (X.indices, X.indptr))
    return type(X)((X.data, indices, indptr), shape=X.shape)
