"""Rows that have nearly the same terms as one of a few."""

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.hardware.thread_map import thread_map
from core.kernels.rows.row_blocks import row_blocks, rows_of, unsigned
from core.progress import report


def first_alike(few, X, least_cosine):
    """Return for each row of X the first of a few rows that has nearly the same set of terms.

    The cosine of two sets is the number of their common terms over the geometric mean of their
    sizes. Time is that of counting the terms each row has in common with each of the few; memory
    does not grow with how many are alike.

    Parameters
    ----------
    few : sparse array of shape (n_few, n_features)
        In CSR format, without stored zeros.
    X : sparse array of shape (n_samples, n_features)
        As ``few``.
    least_cosine : float in (0, 1]
        Of sets that are nearly the same. Empty ones are like none.

    Returns
    -------
    ndarray of int of shape (n_samples,)
        Row of ``few``, -1 where none is alike.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.kernels.rows.alike_sets import first_alike
    >>> X = sp.csr_array([[1.0, 0], [0, 1], [0, 0], [2, 0]])
    >>> first_alike(X[[1, 0]], X, 0.8).tolist()
    [1, 0, -1, 1]
    """
    sizes = np.diff(few.indptr).astype(np.int64)
    having = sp.csc_array(few)  # which of the few have a term
    blocks = row_blocks(X)
    found = []

    def of_block(block):
        rows = rows_of(X, block)
        of_rows = rows.indptr, unsigned(rows.indices)
        return _first(having.indptr, having.indices, sizes, least_cosine, *of_rows)

    for first in thread_map(of_block, blocks):
        found.append(first)
        report("duplicates", len(found) / len(blocks))
    return np.concatenate(found)


@numba.njit(cache=True, nogil=True)
def _first(starts, members, sizes, least_cosine, indptr, indices):
    n_common = np.empty(len(sizes), dtype=np.int64)
    found = np.full(len(indptr) - 1, -1)
    for row in range(len(found)):
        size = indptr[row + 1] - indptr[row]
        n_common[:] = 0
        for entry in range(indptr[row], indptr[row + 1]):
            term = indices[entry]
            for place in range(starts[term], starts[term + 1]):
                n_common[members[place]] += 1
        for other in range(len(sizes)):
            if n_common[other] and n_common[other] >= least_cosine * np.sqrt(size * sizes[other]):
                found[row] = other
                break
    return found
