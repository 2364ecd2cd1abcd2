"""Bounds of products of sparse rows: most need not be made to know that others are larger.

See docs/decisions/0033-most-cosines-are-bounded-not-made.md.
"""

from typing import NamedTuple

import numba
import numpy as np

from core.kernels.rows.row_blocks import unsigned

#: Share of the work of all products that is done for every pair of rows: that of the rarest terms.
#: What common ones add is bounded. Measured on posts, news, abstracts and tweets: with .2 and .4 it
#: takes up to a third longer.
RARE_SHARE = 0.3
#: Columns that are looked at together.
BLOCK = 256
#: Largest error of one rounding, in single precision.
ROUNDING = 2.0**-24


class ProductBounds(NamedTuple):
    """What bounds the products with some samples, whose entries are not negative.

    Attributes
    ----------
    is_common : ndarray of bool of shape (n_terms,)
        Which terms are left out at first.
    rests : ndarray of shape (n_samples,)
        Length of each sample in these terms: by Cauchy and Schwarz, they add to a product at most
        the product of two lengths.
    indptr, indices, data : ndarray
        The samples, of a CSR array of shape (n_samples, n_terms).
    """

    is_common: np.ndarray
    rests: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray


def product_bounds(Z, columns):
    """Return the bounds of products with the rows of a CSR array, or None where they do not hold.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_terms)
        In CSR format.
    columns : sparse array of shape (n_terms, n_samples)
        Its transpose, in CSR format.

    Returns
    -------
    ProductBounds or None
        None where an entry is negative, or all terms are equally common.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.product_bounds import product_bounds
    >>> Z = sp.csr_array(np.column_stack([np.ones(4), np.eye(4)]))
    >>> product_bounds(Z, sp.csr_array(Z.T)).is_common.tolist()
    [True, False, False, False, False]
    """
    if Z.data.min(initial=0) < 0:
        return None
    frequencies = np.diff(columns.indptr).astype(float)
    order = np.argsort(frequencies, kind="stable")
    work = np.cumsum(frequencies[order] ** 2)
    # Terms of one frequency stay together, whatever their order.
    n_rare = np.searchsorted(work, RARE_SHARE * work[-1], side="right") if len(work) else 0
    is_common = frequencies > (frequencies[order[n_rare - 1]] if n_rare else 0)
    if is_common.all() or not is_common.any():
        return None
    parts = Z.indptr, unsigned(Z.indices), Z.data
    return ProductBounds(is_common, _rest_lengths(*parts, is_common), *parts)


@numba.njit(cache=True, nogil=True)
def _rest_lengths(indptr, indices, data, is_common):
    """Return the length of each row of a CSR array in the common terms alone."""
    lengths = np.zeros(len(indptr) - 1, dtype=data.dtype)
    for row in range(len(lengths)):
        total = 0.0
        for entry in range(indptr[row], indptr[row + 1]):
            if is_common[indices[entry]]:
                total += np.float64(data[entry]) ** 2
        lengths[row] = np.sqrt(total)
    return lengths


@numba.njit(cache=True, nogil=True)
def choose_bounded(entries, own, columns, bounds, most, sums, values, best, products):
    """Put the columns of the largest positive products of a row into ``best``, in their order.

    Parameters
    ----------
    entries : tuple of ndarray
        Terms and values of the row, none of which is negative.
    own : int
        Column to leave out, or a negative number.
    columns : tuple of ndarray
        ``indptr``, ``indices`` and ``data`` of the CSR array of shape (n_terms, n_columns).
    bounds : ProductBounds
    most : int
        Products that may be made, at most.
    sums, values : ndarray of shape (n_columns,) and (n_terms,)
        Zeros, before and afterwards.
    best, products : ndarray of shape (n_largest,)
        Get the columns and their products.

    Returns
    -------
    int
        How many there are, or -1 where more than ``most`` would have to be made.
    """
    terms, data = entries
    rest = _add_rare(terms, data, columns, bounds.is_common, sums)
    for i in range(len(terms)):
        values[terms[i]] = data[i]
    n_best = _seeds(sums, own, best, products)
    likely = best[:n_best].copy()
    # A number that is written out has a type of its own, for which all it is passed to would be
    # compiled, too.
    n_best = np.int64(0)
    for column in likely:
        product = _product(bounds, column, values)
        n_best = put(column, product, best, products, n_best)
        sums[column] = -np.inf
    if own >= 0:
        sums[own] = -np.inf
    # A sum of many terms is rounded as often, and so is that which it is compared with.
    slack = 1 - 4 * ROUNDING * (len(terms) + 4)
    if _n_possible(sums, bounds.rests, rest, _least(products, n_best, slack)) > most:
        n_best = -1
    else:
        n_best = _add_possible(sums, bounds, rest, slack, values, best, products, n_best)
    sums[:] = 0
    for term in terms:
        values[term] = 0
    return n_best


@numba.njit(cache=True, nogil=True)
def _add_possible(sums, bounds, rest, slack, values, best, products, n_best):
    """Make the products that may be among the largest; return how many of these there are."""
    rests, least = bounds.rests, _least(products, n_best, slack)
    for start in range(0, len(sums), BLOCK):
        stop = min(start + BLOCK, len(sums))
        if not _n_possible(sums[start:stop], rests[start:stop], rest, least):
            continue
        for column in range(start, stop):
            # Not where that is undefined, as an infinite bound of what is left out is.
            if sums[column] + rest * rests[column] >= least:
                product = _product(bounds, column, values)
                if product > 0:
                    n_best = put(column, product, best, products, n_best)
                    least = _least(products, n_best, slack)
    return n_best


@numba.njit(cache=True, nogil=True)
def _least(products, n_best, slack):
    """Return what a bound must reach, rounding aside, for a product to be among the largest."""
    dtype = products.dtype.type
    return dtype(slack * products[-1]) if n_best == len(products) else dtype(0)


@numba.njit(cache=True, nogil=True)
def _add_rare(terms, data, columns, is_common, sums):
    """Add up the products of rare terms; return the length in the common ones."""
    starts, indices, column_data = columns
    square = 0.0
    for i in range(len(terms)):
        term, value = terms[i], data[i]
        if is_common[term]:
            square += np.float64(value) ** 2
            continue
        for place in range(starts[term], starts[term + 1]):
            sums[indices[place]] += value * column_data[place]
    return data.dtype.type(np.sqrt(square))


@numba.njit(cache=True, nogil=True)
def _seeds(sums, own, best, products):
    """Put the columns of the largest sums into ``best``: their products will be large."""
    n_best, least = np.int64(0), sums.dtype.type(0)
    if own >= 0:
        sums[own] = 0
    for start in range(0, len(sums), BLOCK):
        if not _n_above(sums[start : start + BLOCK], least):
            continue
        for column in range(start, min(start + BLOCK, len(sums))):
            if sums[column] > least:
                n_best = put(column, sums[column], best, products, n_best)
                if n_best == len(best):
                    least = products[-1]
    return n_best


# Without a branch, and with counts as wide as sums, several columns are compared at once.
@numba.njit(cache=True, nogil=True)
def _n_above(sums, least):
    n_above = np.int32(0)
    for i in range(len(sums)):
        if sums[i] > least:
            n_above += np.int32(1)
    return n_above


@numba.njit(cache=True, nogil=True)
def _n_possible(sums, rests, rest, least):
    n_possible = np.int32(0)
    for i in range(len(sums)):
        if sums[i] + rest * rests[i] >= least:
            n_possible += np.int32(1)
    return n_possible


@numba.njit(cache=True, nogil=True)
def _product(bounds, column, values):
    """Return the product of a sample, added up in the order of the terms, as all products are."""
    total = values.dtype.type(0)
    for entry in range(bounds.indptr[column], bounds.indptr[column + 1]):
        total += values[bounds.indices[entry]] * bounds.data[entry]
    return total


@numba.njit(cache=True, nogil=True)
def put(column, product, best, products, n_best):
    """Put a column among the best, largest product first, of equal ones the first column first.

    Returns
    -------
    int
        How many there are now; the last makes way where all places are taken.
    """
    if n_best == len(best):
        if product < products[-1] or (product == products[-1] and column > best[-1]):
            return n_best
        n_best -= 1
    place = n_best
    while place > 0:
        before = products[place - 1]
        if before > product or (before == product and best[place - 1] < column):
            break
        best[place], products[place] = best[place - 1], before
        place -= 1
    best[place], products[place] = column, product
    return n_best + 1
