"""Rows of counts as they come, in memory or in files that have no name."""

import itertools
from contextlib import closing
from copy import copy
from functools import lru_cache

import numba
import numpy as np
import scipy.sparse as sp

from core.kernels.hardware.thread_map import thread_map
from core.kernels.rows.growing_array import GrowingArray
from core.kernels.rows.row_blocks import BLOCK_ENTRIES

#: Up to so many entries, NumPy is faster than to load compiled code.
FEW_ENTRIES = 1 << 14


class RowStore:
    """Rows of a CSR array, appended block by block; to be closed by ``with``.

    Parameters
    ----------
    folder : path-like or None
        Where temporary files hold the rows; None means memory.
    """

    def __init__(self, folder):
        self.folder = folder
        self.columns = GrowingArray(np.int32, folder)
        self.values = GrowingArray(np.float32, folder)
        self.lengths = GrowingArray(np.int32, folder)
        self.blocks = []
        self.numberings = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for part in (self.columns, self.values, self.lengths):
            part.close()

    @property
    def n_rows(self):
        """Number of rows so far."""
        return self.lengths.length

    def append(self, columns, values, lengths, numbering=None):
        """Append rows.

        Parameters
        ----------
        columns, values : ndarrays of shape (n_entries,)
            Of all rows, one after the other.
        lengths : ndarray of shape (n_rows,)
            Number of entries of each row.
        numbering : hashable, default=None
            By what the columns are numbered, if they are not yet those of the result.
        """
        self.columns.append(columns)
        self.values.append(values)
        self.lengths.append(lengths)
        self.blocks.append((len(lengths), len(columns)))
        self.numberings.append(numbering)

    def finish(self, n_columns, new_columns=None):
        """Return the rows as a CSR array.

        Parameters
        ----------
        n_columns : int
        new_columns : callable, default=None
            From a numbering to where each of its columns goes, an ndarray of int32, -1 for nowhere;
            rows then are sorted. None means that they are.

        Returns
        -------
        sparse array of shape (n_rows, n_columns)
            Float32, in CSR format with sorted indices.
        """
        arrays = [part.array() for part in (self.columns, self.values, self.lengths)]
        n_entries = len(arrays[0])
        if new_columns is not None:
            n_entries = self._move(arrays, new_columns)
        columns, values, lengths = arrays
        return csr(columns[:n_entries], values[:n_entries], self._ends(lengths), n_columns)

    def _move(self, arrays, new_columns):
        """Move the columns of all rows; return the number of entries that are left."""
        columns, values, lengths = arrays
        ends = np.cumsum([(0, 0), *self.blocks], axis=0).tolist()
        by_numbering = {numbering: new_columns(numbering) for numbering in set(self.numberings)}
        parts = [
            (slice(start, stop), slice(first, last), by_numbering[numbering])
            for ((first, start), (last, stop)), numbering in zip(
                itertools.pairwise(ends), self.numberings, strict=True
            )
        ]
        n_kept = thread_map(
            lambda part: move_columns(columns[part[0]], values[part[0]], lengths[part[1]], part[2]),
            parts,
        )
        end = 0
        for (of, _, _), n in zip(parts, list(n_kept), strict=True):
            if end != of.start:
                columns[end : end + n] = columns[of.start : of.start + n]
                values[end : end + n] = values[of.start : of.start + n]
            end += n
        return end

    def _ends(self, lengths):
        total = sum(n for _, n in self.blocks)
        dtype = np.int32 if total < 2**31 else np.int64
        if self.folder is None:
            ends = np.zeros(len(lengths) + 1, dtype=dtype)
            lengths.cumsum(out=ends[1:])
            return ends
        with closing(GrowingArray(dtype, self.folder)) as indptr:
            indptr.append([0])
            row = end = 0
            for n_rows, _ in self.blocks:
                ends = end + np.cumsum(lengths[row : row + n_rows], dtype=np.int64)
                indptr.append(ends)
                row, end = row + n_rows, int(ends[-1]) if n_rows else end
            return indptr.array()


def rows_at(X, places, folder=None):
    """Return some rows of a CSR array with sorted indices, in any order.

    Parameters
    ----------
    X : sparse array of shape (n_rows, n_columns)
        In CSR format, float32.
    places : ndarray of int of shape (n_places,)
        Of the rows in X.
    folder : path-like, default=None
        Where temporary files hold the rows; None means memory.

    Returns
    -------
    sparse array of shape (n_places, n_columns)
        In CSR format with sorted indices.
    """
    lengths = np.diff(X.indptr)[places]
    parts = np.searchsorted(np.cumsum(lengths, dtype=np.int64), range(0, X.nnz, BLOCK_ENTRIES))
    with RowStore(folder) as store:
        for some in np.split(places, parts[1:]):
            rows = X[some]
            store.append(rows.indices, rows.data, np.diff(rows.indptr))
        return store.finish(X.shape[1])


def csr(columns, values, indptr, n_columns):
    """Return a CSR array on these very arrays, whose rows are sorted."""
    n_rows = len(indptr) - 1
    X = copy(_one_row(n_columns)) if n_rows == 1 else _empty(n_rows, n_columns)
    # Set one by one: the constructor copies parts of a large array, and maps of files whole.
    X.data, X.indices, X.indptr = values, columns, indptr
    X.has_canonical_format = True
    return X


def _empty(n_rows, n_columns):
    return sp.csr_array((n_rows, n_columns), dtype=np.float32)


@lru_cache
def _one_row(n_columns):
    """Return an array to copy: making a new one takes as long as scoring a short text."""
    return _empty(1, n_columns)


def move_columns(columns, values, lengths, new_column):
    """Move the columns of rows, in place: sort each row, and sum what meets in one column.

    Parameters
    ----------
    columns : ndarray of int32 of shape (n_entries,)
    values : ndarray of float32 of shape (n_entries,)
        Whole numbers.
    lengths : ndarray of int32 of shape (n_rows,)
        Number of entries of each row.
    new_column : ndarray of int32
        Where each column goes, -1 for nowhere.

    Returns
    -------
    int
        How many entries are left, at the front of the arrays.
    """
    if len(columns) > FEW_ENTRIES:
        return _move_many(columns, values, lengths, new_column)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    moved = new_column[columns]
    order = np.lexsort((moved, rows))
    order = order[moved[order] >= 0]
    moved, rows = moved[order], rows[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (moved[1:] != moved[:-1]) | (rows[1:] != rows[:-1])
    first = np.flatnonzero(is_first)
    columns[: len(first)] = moved[first]
    if len(first):
        values[: len(first)] = np.add.reduceat(values[order], first)
    lengths[:] = np.bincount(rows[first], minlength=len(lengths))
    return len(first)


@numba.njit(cache=True, nogil=True)
def _move_many(columns, values, lengths, new_column):
    start, end = 0, 0
    keys = np.empty(np.max(lengths) if len(lengths) else 0, dtype=np.int64)
    for row in range(len(lengths)):
        n_keys = np.int64(0)
        for entry in range(start, start + lengths[row]):
            column = new_column[columns[entry]]
            if column >= 0:
                keys[n_keys] = np.int64(column) << 32 | np.int64(values[entry])
                n_keys += 1
        start += lengths[row]
        _sort(keys, n_keys)
        begin = end
        for key in keys[:n_keys]:
            column = key >> 32
            if end > begin and columns[end - 1] == column:
                values[end - 1] += np.float32(key & 0xFFFFFFFF)
            else:
                columns[end], values[end] = column, np.float32(key & 0xFFFFFFFF)
                end += 1
        lengths[row] = end - begin
    return end


@numba.njit(cache=True, nogil=True)
def _sort(keys, n_keys):
    if n_keys > 64:
        keys[:n_keys].sort()
        return
    for i in range(1, n_keys):
        key, at = keys[i], i - 1
        while at >= 0 and keys[at] > key:
            keys[at + 1] = keys[at]
            at -= 1
        keys[at + 1] = key
