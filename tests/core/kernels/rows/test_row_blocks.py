from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.rows import row_blocks
from core.kernels.rows.row_blocks import (
    document_frequencies,
    map_rows,
    mean_row,
    row_products,
    sum_over_rows,
    transposed_product,
)
from core.validation import canonical_csr

RNG = np.random.default_rng(0)
DENSE = RNG.poisson(0.5, size=(30, 6)).astype(float)
DENSE[[0, 11, 29]] = 0
X = canonical_csr(DENSE)
BLOCK_ENTRIES = [1, 2, 7, X.nnz - 1, X.nnz, 10 * X.nnz]


@pytest.fixture(params=BLOCK_ENTRIES)
def _blocks(request, monkeypatch):
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", request.param)


@pytest.mark.usefixtures("_blocks")
def test_each_row_is_in_one_block():
    rows = [np.arange(30)[block] for block in row_blocks.row_blocks(X)]
    assert np.concatenate(rows).tolist() == list(range(30))


@pytest.mark.parametrize("size", [7, 20])
def test_blocks_hold_about_as_many_entries_as_asked_for(size, monkeypatch):
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", size)
    sizes = [X[block].nnz for block in row_blocks.row_blocks(X)]
    longest_row = np.diff(X.indptr).max()
    assert max(sizes) < size + longest_row
    assert min(sizes[:-1]) > size - longest_row


@pytest.mark.usefixtures("_blocks")
def test_sums_are_those_of_all_rows():
    weights = RNG.random((30, 2))
    assert_allclose(transposed_product(X, weights), DENSE.T @ weights)
    assert_allclose(transposed_product(X, weights[:, 0]), DENSE.T @ weights[:, 0])
    is_member = weights[:, 1] > 0.5
    assert_allclose(mean_row(X, is_member), DENSE[is_member].mean(axis=0))
    assert_allclose(row_products(X, weights[:6]), DENSE @ weights[:6])
    assert_allclose(row_products(X, weights[:6, 0]), DENSE @ weights[:6, 0])
    assert_array_equal(document_frequencies(X), (DENSE > 0).sum(axis=0))
    assert_array_equal(document_frequencies(X, is_member), (DENSE[is_member] > 0).sum(axis=0))


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_sums_are_the_same_to_the_last_bit_wherever_they_are_made(backend):
    weights = RNG.random(30)
    expected = transposed_product(X, weights)
    with parallel_config(backend, n_jobs=2):
        assert_array_equal(transposed_product(X, weights), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_add_up_in_double_precision(dtype):
    # 2^24 + 1 is no number of single precision.
    column = sp.csr_array(np.array([[2.0**24], [1.0]], dtype=dtype))
    assert transposed_product(column, np.ones(2)).tolist() == [2**24 + 1]


@pytest.mark.parametrize("shape", [(0, 3), (4, 3)])
def test_rows_without_entries_add_up_to_zero(shape):
    assert transposed_product(sp.csr_array(shape), np.ones(shape[0])).tolist() == [0, 0, 0]


def test_blocks_share_the_arrays_of_the_rows(monkeypatch):
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", 7)
    shared = []
    sum_over_rows(partial(_note_sharing, shared), X)
    assert len(shared) > 1
    assert all(shared)


def _note_sharing(shared, rows):
    pairs = [(rows.data, X.data), (rows.indices, X.indices)]
    shared.append(rows.nnz == 0 or all(np.shares_memory(*pair) for pair in pairs))
    return 0


def test_mapped_rows_stay_in_their_order(monkeypatch):
    monkeypatch.setattr(row_blocks, "MAPPED_ENTRIES", 3)
    sizes = []

    def doubled(rows, numbers):
        sizes.append(rows.nnz)
        return np.column_stack([2 * rows.toarray().sum(axis=1), numbers])

    X = sp.csr_array(np.tril(np.ones((5, 5))))
    actual = map_rows(doubled, X, np.arange(5))
    assert actual.tolist() == [[2.0 * (row + 1), row] for row in range(5)]
    assert len(sizes) > 2
