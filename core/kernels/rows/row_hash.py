"""Hashes of rows: which rows are equal, and an order that is not that of the rows."""

import numba
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
    >>> from core.kernels.rows.row_hash import row_hash
    >>> first, second, third = row_hash(sp.csr_array([[0.5, 0], [0, 0.5], [0.5, 0]]))
    >>> bool(first == third), bool(first == second)
    (True, False)
    """
    return _hashes(X.indptr, X.indices, X.data, np.uint64(seed), 0.0)


def content_order(X, *masks):
    """Return the samples in an order that depends on what they hold, not on where they stand.

    Who draws samples or deals them out in this order has the same result whatever order they came
    in.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array without stored zeros; its unit does not matter.
    *masks : ndarrays of bool of shape (n_samples,)
        Such as labels; they order samples that hold the same.

    Returns
    -------
    ndarray of int of shape (n_samples,)
        Numbers of the samples.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.row_hash import content_order
    >>> X = sp.csr_array([[0.5, 0], [0, 0.5], [0.5, 1]])
    >>> (X[content_order(X)] != X[::-1][content_order(X[::-1])]).nnz
    0
    """
    # The largest value is the same in every order, unlike a sum; float32 hides its rounding.
    unit = float(max(X.data.max(initial=0), -X.data.min(initial=0))) or 1.0
    return np.lexsort([*masks, _hashes(X.indptr, X.indices, X.data, np.uint64(0), unit)])


def drawn_rows(X, rows, n_most, random):
    """Return some of the rows, ascending, drawn by what they hold; all where there are no more.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array without stored zeros.
    rows : ndarray of int
        Which rows to draw from.
    n_most : int
        How many, at most.
    random : RandomState

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.row_hash import drawn_rows
    >>> drawn_rows(sp.eye_array(5, format="csr"), np.array([4, 0]), 3, np.random).tolist()
    [0, 4]
    """
    if len(rows) > n_most:
        # Of all rows: to copy those to draw from may copy nearly the whole of a large matrix.
        order, is_one = content_order(X), np.zeros(X.shape[0], dtype=bool)
        is_one[rows] = True
        rows = random.permutation(order[is_one[order]])[:n_most]
    return np.sort(rows)


def known_and_drawn(X, is_known, is_unlabeled, n_most, random):
    """Return the known rows and some of the unlabeled ones, ascending.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array without stored zeros.
    is_known, is_unlabeled : ndarray of bool of shape (n_samples,)
        Which rows are taken anyway, and which to draw from.
    n_most : int or None
        How many unlabeled ones, at most; None means all.
    random : RandomState

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.row_hash import known_and_drawn
    >>> is_known = np.arange(5) < 2
    >>> X, random = sp.eye_array(5, format="csr"), np.random.RandomState(0)
    >>> known_and_drawn(X, is_known, ~is_known, None, random).tolist()
    [0, 1, 2, 3, 4]
    >>> len(known_and_drawn(X, is_known, ~is_known, 1, random))
    3
    """
    unlabeled = np.flatnonzero(is_unlabeled)
    if n_most is not None:
        unlabeled = drawn_rows(X, unlabeled, n_most, random)
    return np.sort(np.append(np.flatnonzero(is_known), unlabeled))


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
    >>> from core.kernels.rows.row_hash import copy_groups
    >>> X = sp.csr_array([[0.5, 0], [0, 0.5], [0.5, 0], [0.5, 0]])
    >>> copy_groups(X, np.array([True, True, True, False])).tolist()
    [0, 1, 0, 3]
    """
    rows, groups = np.flatnonzero(mask), np.arange(len(mask))
    _, first, inverse = np.unique(row_hash(X[rows]), return_index=True, return_inverse=True)
    groups[rows] = rows[first[inverse]]
    return groups


@numba.njit(cache=True, nogil=True)
def _hashes(indptr, indices, data, seed, unit):
    """Return the hash of each row; with a ``unit``, of its values in it, as float32."""
    value, hashes = np.empty(1), np.zeros(len(indptr) - 1, dtype=np.uint64)
    bits, start = value.view(np.uint64), mixed(seed)
    for row in range(len(hashes)):
        # A sum modulo 2^64, whatever the order; an empty row has none.
        total = np.uint64(0)
        for entry in range(indptr[row], indptr[row + 1]):
            value[0] = np.float32(data[entry] / unit) if unit else data[entry]
            total += mixed(mixed(np.uint64(indices[entry]) + start) + bits[0])
        hashes[row] = mixed(total)
    return hashes


@numba.njit(cache=True, nogil=True)
def mixed(bits):
    """Make every bit of a 64-bit number depend on every bit it had."""
    bits += _SPREAD[0]
    bits = (bits ^ (bits >> np.uint64(30))) * _SPREAD[1]
    bits = (bits ^ (bits >> np.uint64(27))) * _SPREAD[2]
    return bits ^ (bits >> np.uint64(31))
