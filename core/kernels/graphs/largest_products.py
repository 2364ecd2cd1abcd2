"""The largest products of sparse rows with many others, those of a row side by side."""

import numba
import numpy as np

#: Where more than so many are kept, the least of them is sought first: to put them in order takes
#: the square of their number.
FEW = 64


@numba.njit(cache=True, nogil=True)
def largest_products(rows, columns, n_columns, n_largest, first):
    """Return the largest positive products of each row, and where they are.

    Parameters
    ----------
    rows : tuple of ndarray
        ``indptr``, ``indices`` and ``data`` of a CSR array of shape (n_rows, n_terms).
    columns : tuple of ndarray
        The same of one of shape (n_terms, n_columns).
    n_columns : int
    n_largest : int in [1, inf)
        Products kept of a row, at most; of equal ones those of the first columns.
    first : int
        The column that belongs to the first row, the next one to the second, and so on: it is left
        out. Negative where rows have none.

    Returns
    -------
    indptr, indices, data : ndarray
        Of a CSR array of shape (n_rows, n_columns), columns in ascending order.

    Notes
    -----
    Products of a row are added up term by term, in one number for each column: no more is held,
    however many are equal.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.largest_products import largest_products
    >>> Z = sp.csr_array([[1.0, 0], [1, 2], [0, 3]])
    >>> rows, columns = ((X.indptr, X.indices, X.data) for X in (Z, sp.csr_array(Z.T)))
    >>> indptr, indices, data = largest_products(rows, columns, 3, 1, 0)
    >>> indices.tolist(), data.tolist()
    ([1, 2, 1], [1.0, 6.0, 6.0])
    """
    row_starts, row_terms, row_data = rows
    starts, indices, data = columns
    n_rows = len(row_starts) - 1
    n_kept = min(n_largest, n_columns)
    indptr = np.zeros(n_rows + 1, dtype=np.int64)
    places = np.empty(n_rows * n_kept, dtype=np.int64)
    products = np.empty(n_rows * n_kept, dtype=data.dtype)
    sums = np.zeros(n_columns, dtype=data.dtype)
    is_met = np.zeros(n_columns, dtype=np.bool_)
    met = np.empty(n_columns, dtype=np.int64)
    best = np.empty(n_kept, dtype=np.int64)
    every = np.arange(n_columns)
    for row in range(n_rows):
        own = first + row if first >= 0 else -1
        entries = range(row_starts[row], row_starts[row + 1])
        n_added = 0
        for entry in entries:
            term = row_terms[entry]
            n_added += starts[term + 1] - starts[term]
        # Where there are many sums, looking at all columns is faster than noting which have one.
        is_dense = n_added > n_columns
        if is_dense:
            for entry in entries:
                term, value = row_terms[entry], row_data[entry]
                for place in range(starts[term], starts[term + 1]):
                    sums[indices[place]] += value * data[place]
            n_best = _choose(sums, every, own, best)
        else:
            n_met = 0
            for entry in entries:
                term, value = row_terms[entry], row_data[entry]
                for place in range(starts[term], starts[term + 1]):
                    column = indices[place]
                    # Only what is 0 may be new.
                    if sums[column] == 0 and not is_met[column]:
                        is_met[column] = True
                        met[n_met] = column
                        n_met += 1
                    sums[column] += value * data[place]
            n_best = _choose(sums, met[:n_met], own, best)
        chosen = np.sort(best[:n_best])
        end = indptr[row] + n_best
        places[indptr[row] : end] = chosen
        products[indptr[row] : end] = sums[chosen]
        indptr[row + 1] = end
        if is_dense:
            sums[:] = 0
        else:
            sums[met[:n_met]] = 0
            is_met[met[:n_met]] = False
    return indptr, places[: indptr[-1]], products[: indptr[-1]]


@numba.njit(cache=True, nogil=True)
def _choose(sums, met, own, best):
    """Put the columns of the largest positive sums into ``best``; return how many there are."""
    if len(best) > FEW:
        return _choose_many(sums, met, own, best)
    n_best, least = 0, 0.0
    for column in met:
        value = sums[column]
        if value < least or value <= 0 or column == own:
            continue
        if n_best == len(best):
            if value == least and column > best[-1]:
                continue
            n_best -= 1
        place = n_best
        while place > 0:
            before = best[place - 1]
            if sums[before] > value or (sums[before] == value and before < column):
                break
            best[place] = before
            place -= 1
        best[place] = column
        n_best += 1
        if n_best == len(best):
            least = sums[best[-1]]
    return n_best


@numba.njit(cache=True, nogil=True)
def _choose_many(sums, met, own, best):
    """Do the same by the least sum that is chosen."""
    chosen = met[(sums[met] > 0) & (met != own)]
    n_over = len(chosen) - len(best)
    if n_over > 0:
        values = sums[chosen]
        least = np.partition(values, n_over)[n_over]
        larger, equal = chosen[values > least], np.sort(chosen[values == least])
        chosen = np.concatenate((larger, equal[: len(best) - len(larger)]))
    best[: len(chosen)] = chosen
    return len(chosen)
