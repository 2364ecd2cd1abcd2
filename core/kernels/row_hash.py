"""Hashes of rows: which rows are equal, and an order that is not that of the rows."""

import numpy as np

#: Odd numbers that spread the bits of what they multiply.
_SPREAD = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], dtype=np.uint64)


def row_hash(X, *, seed=0):
    """Return a hash of the entries of each row.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array without stored zeros.
    seed : int in [0, 2**64), default=0
        What the hash begins with.

    Returns
    -------
    ndarray of uint64 of shape (n_samples,)
        Equal for equal rows; rows without an entry have the same one for every seed.

    References
    ----------
    Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.row_hash import row_hash
    >>> first, second, third = row_hash(sp.csr_array([[0.5, 0], [0, 0.5], [0.5, 0]]))
    >>> bool(first == third), bool(first == second)
    (True, False)
    """
    entries = X.indices.astype(np.uint64)
    entries += _mix(np.array([seed], dtype=np.uint64))
    _mix(entries)
    entries += X.data.astype(np.float64).view(np.uint64)
    _mix(entries)
    # A sum modulo 2^64, whatever the order; an empty row has none.
    totals = np.zeros(len(entries) + 1, dtype=np.uint64)
    np.cumsum(entries, out=totals[1:])
    return _mix(totals[X.indptr[1:]] - totals[X.indptr[:-1]])


def copy_groups(X, mask):
    """Return a number for each sample, the same for equal rows of a mask.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array without stored zeros.
    mask : ndarray of bool of shape (n_samples,)
        The samples that are compared, such as the positives.

    Returns
    -------
    ndarray of int of shape (n_samples,)
        The first sample of the mask with the same entries; for samples outside, their own number.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.row_hash import copy_groups
    >>> X = sp.csr_array([[0.5, 0], [0, 0.5], [0.5, 0], [0.5, 0]])
    >>> copy_groups(X, np.array([True, True, True, False])).tolist()
    [0, 1, 0, 3]
    """
    rows, groups = np.flatnonzero(mask), np.arange(len(mask))
    _, first, inverse = np.unique(row_hash(X[rows]), return_index=True, return_inverse=True)
    groups[rows] = rows[first[inverse]]
    return groups


def _mix(bits):
    """Make every bit of 64-bit numbers depend on every bit they had, in place; return them."""
    bits += _SPREAD[0]
    for shift, factor in ((30, _SPREAD[1]), (27, _SPREAD[2])):
        bits ^= bits >> np.uint64(shift)
        bits *= factor
    bits ^= bits >> np.uint64(31)
    return bits
