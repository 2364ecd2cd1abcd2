"""Groups of rows that hold nearly the same features, as retweets and reprints do."""

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.rows.row_blocks import document_frequencies
from core.kernels.rows.row_hash import content_order, copy_groups, mixed

#: Least cosine of the sets of features of two rows that say the same.
SAME = 0.85
#: What they share must be so rare that by chance no pair of all rows shares it: the logarithm of
#: how much rarer.
RARE = 3.0
#: Rows that hold a larger share of all features are no texts but a table of numbers: that two have
#: the same columns other than 0 says nothing. Twenty abstracts hold a twelfth of their words each.
MOST_FILLED = 0.1
#: Least cosine of weighted rows that may be copies, and how many of these are compared at most.
COPY, MANY = 0.8, 100
#: Rows are compared where all of so many least hashes are equal, in one of so many tables: with
#: three of four features shared, which mostly is a cosine of 0.85, 99 of 100 pairs.
N_TABLES, N_LEAST = 8, 3
#: Odd numbers, each of which orders hashed features anew.
_MULTIPLIERS = np.random.default_rng(0).integers(
    2**63, size=(N_TABLES, N_LEAST), dtype=np.uint64
) * np.uint64(2) + np.uint64(1)


def near_copy_groups(X, order=None, among=None):
    """Return a number for each row, the same for rows that hold nearly the same features.

    And that share more than others do by chance: rows that all have the same few features are no
    copies, and neither are texts of a word or two, or rows of a table of numbers (a tenth of its
    entries or more are not 0). Rows are compared with few others, so some pairs
    are missed. Each row of a group is alike to its first. The time grows with the entries.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array with sorted indices, without stored zeros; values do not matter.
    order : ndarray of int of shape (n_samples,), default=None
        In which order rows are compared, such as
        :func:`~core.kernels.rows.row_hash.content_order`; None means as they stand. Which pairs are
        missed depends on it.
    among : ndarray of bool of shape (n_samples,), default=None
        The rows that are compared, such as the positives; every other is a group of its own. None
        means all.

    Returns
    -------
    ndarray of int of shape (n_samples,)
        The first row of the group in that order; for a row without entries, its own number.

    References
    ----------
    A. Z. Broder, "On the resemblance and containment of documents", 1997; P. Indyk and R. Motwani,
    "Approximate nearest neighbors", STOC 1998.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.near_copies import near_copy_groups
    >>> different = [sp.coo_array(np.ones((1, 15)))] * 12
    >>> texts = sp.block_diag([*different, sp.coo_array([[1.0]])], format="csr")
    >>> retweet = texts[1] + texts[12]
    >>> near_copy_groups(sp.vstack([texts, retweet], format="csr"))[[1, 2, 13]].tolist()
    [1, 2, 1]
    """
    group, is_first = np.arange(X.shape[0]), np.zeros(X.shape[0], dtype=bool)
    order = group.copy() if order is None else order
    compared = order if among is None else order[among[order]]
    n_used = np.count_nonzero(document_frequencies(X))
    if X.nnz >= MOST_FILLED * X.shape[0] * n_used:
        return group
    # Of rows with one signature one counts, or what is copied most would not be rare.
    signatures = _signatures(X.indptr, X.indices, order, _MULTIPLIERS[0])
    different = order[np.unique(signatures, return_index=True)[1]]
    n_rows = document_frequencies(X, np.bincount(different, minlength=X.shape[0]) > 0)
    rarity = np.log(len(different) / np.maximum(n_rows, 1))
    least = 2 * np.log(max(len(different), 1)) + RARE
    for multipliers in _MULTIPLIERS:
        signatures = _signatures(X.indptr, X.indices, compared, multipliers)
        places = np.argsort(signatures, kind="stable")
        rows = X.indptr, X.indices, signatures[places], compared[places]
        _join_alike(*rows, group, is_first, rarity, least)
    return group


def _may_be_alike(X, rows):
    """Return whether two rows are compared in one of the tables."""
    tables = (_signatures(X.indptr, X.indices, rows, multipliers) for multipliers in _MULTIPLIERS)
    filled = (signatures[signatures > 0] for signatures in tables)
    return any(len(np.unique(signatures)) < len(signatures) for signatures in filled)


def groups_among(X, mask):
    """Return a number for each row, the same for those of a mask that say nearly the same.

    Equal rows do however short they are, others where they are near copies. None of a group is a
    further draw, and one that stays labeled gives the others away.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        As of :func:`near_copy_groups`.
    mask : ndarray of bool of shape (n_samples,)
        The rows that are compared, such as the positives.

    Returns
    -------
    ndarray of int of shape (n_samples,)
        As of :func:`near_copy_groups`.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.near_copies import groups_among
    >>> X = sp.csr_array([[1.0, 0], [0, 1], [1, 0], [1, 0]])
    >>> groups_among(X, np.array([True, True, True, False])).tolist()
    [0, 1, 0, 3]
    """
    copies = copy_groups(X, mask)
    # To order all rows takes far longer than to see that no two of a few are alike.
    if not _may_be_alike(X, np.flatnonzero(mask)):
        return copies
    # The others too: how rare features are depends on which of those alike stands first.
    return near_copy_groups(X, content_order(X), among=mask)[copies]


def are_distinct(X, mask):
    """Return whether each row is the first of its group, of :func:`groups_among`.

    Parameters
    ----------
    X, mask
        As of :func:`groups_among`.

    Returns
    -------
    ndarray of bool of shape (n_samples,)
        True of all rows that are not of the mask.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.near_copies import are_distinct
    >>> X = sp.csr_array([[1.0, 0], [0, 1], [1, 0], [1, 0]])
    >>> are_distinct(X, np.array([True, True, True, False])).tolist()
    [True, True, False, True]
    """
    return groups_among(X, mask) == np.arange(len(mask))


def may_have_copies(Z):
    """Return whether two of some unit rows may hold nearly the same.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.

    Returns
    -------
    bool
        Whether two have a cosine of 0.8 or more; of more than a hundred rows that is taken for
        granted.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.near_copies import may_have_copies
    >>> may_have_copies(sp.csr_array([[1.0, 0], [0.8, 0.6]]))
    True
    """
    if Z.shape[0] > MANY:
        return True
    return bool(sp.triu(Z @ Z.T, 1).max() >= COPY)


@numba.njit(cache=True, nogil=True)
def _signatures(indptr, indices, rows, multipliers):
    """Return of each row a hash of its features with the least hashes, 0 where it has none."""
    n_least = len(multipliers)
    signatures = np.zeros(len(rows), dtype=np.uint64)
    least = np.empty(n_least, dtype=np.uint64)
    for place, row in enumerate(rows):
        if indptr[row] == indptr[row + 1]:
            continue
        least[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
        for entry in range(indptr[row], indptr[row + 1]):
            feature = mixed(np.uint64(indices[entry]))
            for i in range(n_least):
                value = feature * multipliers[i]
                least[i] = min(least[i], value)
        total = np.uint64(1)
        for i in range(n_least):
            total = mixed(total + least[i])
        signatures[place] = total
    return signatures


@numba.njit(cache=True, nogil=True)
def _join_alike(indptr, indices, signatures, order, group, is_first, rarity, least):
    """Give rows that are in no group that of the first with the same signature, or of the last.

    Each is compared with the first of that group, so that no chain of small changes joins rows
    that have little in common.
    """
    first = 0
    for place in range(1, len(order)):
        row = order[place]
        if signatures[place] != signatures[first] or signatures[place] == 0:
            first = place
            continue
        if group[row] != row or is_first[row]:
            continue
        for other in (group[order[first]], group[order[place - 1]]):
            if other != row and _are_alike(indptr, indices, row, other, rarity, least):
                group[row], is_first[other] = other, True
                break


@numba.njit(cache=True, nogil=True)
def _are_alike(indptr, indices, row, other, rarity, least):
    i, j, n_shared, shared = indptr[row], indptr[other], 0, 0.0
    while i < indptr[row + 1] and j < indptr[other + 1]:
        if indices[i] == indices[j]:
            n_shared += 1
            shared += rarity[indices[i]]
        step = indices[i] <= indices[j]
        j += indices[j] <= indices[i]
        i += step
    sizes = (indptr[row + 1] - indptr[row]) * (indptr[other + 1] - indptr[other])
    return n_shared >= SAME * np.sqrt(sizes) and shared >= least
