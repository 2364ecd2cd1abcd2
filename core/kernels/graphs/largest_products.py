"""The largest products of sparse rows with many others, those of a row side by side.

Loops stand where NumPy has a function: numba takes seconds to compile each sort and each copy of a
part of an array.
"""

import numba
import numpy as np

from core.kernels.graphs.product_bounds import choose_bounded, put

#: Where more than so many are kept, the least of them is sought first: to put them in order takes
#: the square of their number.
FEW = 64
#: With fewer numbers to add for each column, to bound them all takes longer.
LEAST_ADDED = 0.25
#: So many rows more that bounds were of no use for than others: then they are given up.
PATIENCE = 16


@numba.njit(cache=True, nogil=True)
def largest_products(rows, columns, n_columns, n_largest, own, bounds):
    """Return the largest positive products of each row, and where they are.

    Parameters
    ----------
    rows : tuple of ndarray
        ``indptr``, ``indices`` and ``data`` of a CSR array of shape (n_rows, n_terms), the indices
        :func:`~core.kernels.rows.row_blocks.unsigned`: each other type is compiled anew.
    columns : tuple of ndarray
        The same of one of shape (n_terms, n_columns).
    n_columns : int
    n_largest : int in [1, inf)
        Products kept of a row, at most; of equal ones those of the first columns.
    own : ndarray of int of shape (n_rows,)
        The column that belongs to each row and is left out; negative where it has none.
    bounds : ProductBounds or None
        What :func:`~core.kernels.graphs.product_bounds.product_bounds` returned, for rows without a
        negative value: the same result, mostly two to four times as fast. Worth its making for
        many rows.

    Returns
    -------
    indptr, indices, data : ndarray
        Of a CSR array of shape (n_rows, n_columns), columns in ascending order.

    Notes
    -----
    Products of a row are added up term by term, in one number for each column: no more is held,
    however many are equal. With bounds this is done for rare terms alone, and only products that
    may be among the largest are made.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.largest_products import largest_products
    >>> from core.kernels.rows.row_blocks import unsigned
    >>> Z = sp.csr_array([[1.0, 0], [1, 2], [0, 3]])
    >>> rows, columns = ((X.indptr, unsigned(X.indices), X.data) for X in (Z, sp.csr_array(Z.T)))
    >>> indptr, indices, data = largest_products(rows, columns, 3, 1, np.arange(3), None)
    >>> indices.tolist(), data.tolist()
    ([1, 2, 1], [1.0, 6.0, 6.0])
    """
    row_starts, row_terms, row_data = rows
    starts = columns[0]
    n_rows, n_terms, dtype = len(row_starts) - 1, len(starts) - 1, row_data.dtype
    n_kept = min(n_largest, n_columns)
    indptr = np.zeros(n_rows + 1, dtype=np.int64)
    places = np.empty(n_rows * n_kept, dtype=np.int64)
    chosen = np.empty(n_rows * n_kept, dtype=dtype)
    sums = np.zeros(n_columns, dtype=dtype)
    is_met = np.zeros(n_columns, dtype=np.bool_)
    met = np.empty(n_columns, dtype=np.int64)
    best, products = np.empty(n_kept, dtype=np.int64), np.empty(n_kept, dtype=dtype)
    every = np.arange(n_columns)
    values = np.zeros(n_terms if bounds is not None else 0, dtype=dtype)
    in_vain = 0
    for row in range(n_rows):
        part = slice(row_starts[row], row_starts[row + 1])
        entries = row_terms[part], row_data[part]
        n_added = 0
        for term in entries[0]:
            n_added += starts[term + 1] - starts[term]
        n_best = -1
        if (
            bounds is not None
            and in_vain < PATIENCE
            and n_kept <= FEW
            and n_added > LEAST_ADDED * n_columns
        ):
            # To make so many would take longer than to add up all.
            most = n_added * n_columns // len(bounds.data)
            n_best = choose_bounded(
                entries, own[row], columns, bounds, most, sums, values, best, products
            )
            in_vain += 1 if n_best < 0 else -min(1, in_vain)
        if n_best < 0:
            # Of many sums, to look at all columns is faster than to note which have one.
            is_dense = n_added > n_columns
            if is_dense:
                _add(entries, columns, sums)
                now = every
            else:
                now = met[: _add_and_note(entries, columns, sums, is_met, met)]
            n_best = _choose(sums, now, own[row], best, products)
            if is_dense:
                sums[:] = 0
            else:
                for column in now:
                    sums[column] = 0
                    is_met[column] = False
        _sort(best, products, n_best)
        for i in range(n_best):
            places[indptr[row] + i], chosen[indptr[row] + i] = best[i], products[i]
        indptr[row + 1] = indptr[row] + n_best
    return indptr, places[: indptr[-1]], chosen[: indptr[-1]]


@numba.njit(cache=True, nogil=True)
def _add(entries, columns, sums):
    terms, data = entries
    starts, indices, column_data = columns
    for i in range(len(terms)):
        term, value = terms[i], data[i]
        for place in range(starts[term], starts[term + 1]):
            sums[indices[place]] += value * column_data[place]


@numba.njit(cache=True, nogil=True)
def _add_and_note(entries, columns, sums, is_met, met):
    """Do the same; put the columns that were added to into ``met``, and return how many."""
    terms, data = entries
    starts, indices, column_data = columns
    n_met = 0
    for i in range(len(terms)):
        term, value = terms[i], data[i]
        for place in range(starts[term], starts[term + 1]):
            column = indices[place]
            # Only what is 0 may be new.
            if sums[column] == 0 and not is_met[column]:
                is_met[column] = True
                met[n_met] = column
                n_met += 1
            sums[column] += value * column_data[place]
    return n_met


@numba.njit(cache=True, nogil=True)
def _choose(sums, met, own, best, products):
    """Put the columns of the largest positive sums into ``best``; return how many there are."""
    if len(best) > FEW:
        return _choose_many(sums, met, own, best, products)
    n_best, least = np.int64(0), sums.dtype.type(0)
    for column in met:
        value = sums[column]
        if value >= least and value > 0 and column != own:
            n_best = put(column, value, best, products, n_best)
            if n_best == len(best):
                least = products[-1]
    return n_best


@numba.njit(cache=True, nogil=True)
def _choose_many(sums, met, own, best, products):
    """Do the same by the least sum that is chosen."""
    positive, n_positive = np.empty_like(met), 0
    for column in met:
        if sums[column] > 0 and column != own:
            positive[n_positive] = column
            n_positive += 1
    positive = positive[:n_positive]
    n_over, least, last = n_positive - len(best), sums.dtype.type(0), np.int64(-1)
    if n_over > 0:
        least = _nth(sums[positive], n_over)
        n_larger, equal, n_equal = 0, np.empty_like(positive), 0
        for column in positive:
            if sums[column] > least:
                n_larger += 1
            elif sums[column] == least:
                equal[n_equal] = column
                n_equal += 1
        last = _nth(equal[:n_equal], len(best) - n_larger - 1)
    n_best = np.int64(0)
    for column in positive:
        value = sums[column]
        if value > least or (value == least and column <= last):
            best[n_best], products[n_best] = column, value
            n_best += 1
    return n_best


@numba.njit(cache=True, nogil=True)
def _nth(values, n):
    """Return the value that has n smaller ones before it when sorted: Hoare's selection.

    Values change places. Pivots are drawn, as for any fixed place some order takes quadratic time.
    """
    left, right, drawn = 0, len(values) - 1, np.int64(1)
    while left < right:
        drawn = (drawn * 1103515245 + 12345) & 0x7FFFFFFF
        pivot, i, j = values[left + (drawn * (right - left + 1) >> 31)], left, right
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i, j = i + 1, j - 1
        if n <= j:
            right = j
        elif n >= i:
            left = i
        else:
            break
    return values[n]


@numba.njit(cache=True, nogil=True)
def _sort(columns, products, n):
    """Put the first n columns, and the products beside them, in ascending order: Shell's sort."""
    gap = 1
    while gap < n:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for i in range(gap, n):
            column, product, place = columns[i], products[i], i
            while place >= gap and columns[place - gap] > column:
                columns[place], products[place] = columns[place - gap], products[place - gap]
                place -= gap
            columns[place], products[place] = column, product
