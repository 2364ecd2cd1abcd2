import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.kernels.rows.row_hash import copy_groups, row_hash

ROWS = np.random.default_rng(0).integers(0, 2, size=(200, 8)) * 0.5


def test_hashes_are_equal_where_rows_are():
    hashes = row_hash(sp.csr_array(ROWS))
    is_equal = (ROWS[:, None, :] == ROWS[None, :, :]).all(axis=2)
    assert_array_equal(hashes[:, None] == hashes[None, :], is_equal)


def test_hashes_depend_on_the_seed_and_not_on_the_precision():
    X = sp.csr_array(ROWS)
    assert_array_equal(row_hash(X), row_hash(X.astype(np.float32)))
    kept = np.diff(X.indptr) > 0
    assert not (row_hash(X)[kept] == row_hash(X, seed=1)[kept]).any()


def test_groups_are_the_first_equal_row_of_the_mask():
    mask = np.random.default_rng(1).random(200) < 0.5
    expected = [
        next(j for j in np.flatnonzero(mask) if (ROWS[j] == ROWS[i]).all()) if mask[i] else i
        for i in range(200)
    ]
    assert_array_equal(copy_groups(sp.csr_array(ROWS), mask), expected)
