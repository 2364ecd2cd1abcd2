import numpy as np
import pytest
import scipy.sparse as sp
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.linear.squared_hinge_svm import fit_svm
from core.kernels.linear.wide_rows import WideRows, wide_rows

RNG = np.random.default_rng(0)
#: Feature 4 is unused.
SPARSE = sp.random_array((60, 9), density=0.3, format="csr", rng=RNG, dtype=np.float32)
SPARSE = (SPARSE @ sp.diags_array((np.arange(9) != 4) * 1.0)).tocsr().astype(np.float32)
SPARSE.eliminate_zeros()
DENSE = RNG.normal(size=(60, 5)).astype(np.float32)
ROWS = WideRows(SPARSE, DENSE)
TABLE = np.hstack([SPARSE.toarray(), DENSE]).astype(float)
WEIGHTS = RNG.normal(size=14)
OF_ROWS = RNG.normal(size=60) * (np.arange(60) % 3 > 0)


@pytest.fixture(params=[5, 37, 2**20], ids="blocks of {} numbers".format)
def _blocks(request, monkeypatch):
    monkeypatch.setattr("core.kernels.linear.wide_rows.BLOCK_NUMBERS", request.param)


@pytest.mark.usefixtures("_blocks")
def test_products_and_sums_are_those_of_the_table():
    assert ROWS.shape == TABLE.shape
    assert_allclose(ROWS.products(WEIGHTS), TABLE @ WEIGHTS, atol=1e-12)
    assert_allclose(ROWS.weighted_sum(OF_ROWS), TABLE.T @ OF_ROWS, atol=1e-12)


def with_ones(table):
    return np.column_stack([table, np.ones(len(table))])


@pytest.mark.parametrize("n_entries", [7, 40, 2**20])
def test_curved_sums_are_those_of_the_table(n_entries, monkeypatch):
    monkeypatch.setattr("core.kernels.rows.row_blocks.BLOCK_ENTRIES", n_entries)
    vector = RNG.normal(size=15)
    for rows, columns in ((ROWS, slice(0, 15)), (wide_rows(SPARSE), [*range(9), 14])):
        ones, part = with_ones(TABLE)[:, columns], vector[columns]
        expected = ones.T @ (OF_ROWS * (ones @ part))
        assert_allclose(rows.curved_sum(part, OF_ROWS), expected, atol=1e-12)
        with parallel_config("threading", n_jobs=2):
            assert_array_equal(rows.curved_sum(part, OF_ROWS), rows.curved_sum(part, OF_ROWS))


def test_threads_do_not_matter(monkeypatch):
    monkeypatch.setattr("core.kernels.linear.wide_rows.BLOCK_NUMBERS", 40)
    alone = ROWS.products(WEIGHTS), ROWS.weighted_sum(OF_ROWS)
    with parallel_config("threading", n_jobs=2):
        assert_array_equal(ROWS.products(WEIGHTS), alone[0])
        assert_array_equal(ROWS.weighted_sum(OF_ROWS), alone[1])


def test_dense_columns_are_all_used():
    columns, rows = ROWS.without_unused()
    n_rows = (TABLE[:, :9] != 0).sum(axis=0)
    # Those of most entries first.
    assert columns.tolist() == [
        *sorted(set(range(9)) - {4}, key=lambda column: -n_rows[column]),
        *range(9, 14),
    ]
    assert_array_equal(np.hstack([rows.sparse.toarray(), rows.dense]), TABLE[:, columns])


def test_without_dense_columns_they_are_the_sparse_ones():
    rows = wide_rows(SPARSE)
    assert wide_rows(rows) is rows
    assert rows.shape == SPARSE.shape
    assert_allclose(rows.products(WEIGHTS[:9]), SPARSE @ WEIGHTS[:9], atol=1e-12)
    assert_allclose(rows.weighted_sum(OF_ROWS), SPARSE.T @ OF_ROWS, atol=1e-12)


def test_models_are_those_of_one_sparse_array():
    targets = RNG.random(60)
    for fit, labels in ((fit_soft_logistic, targets), (fit_svm, targets > 0.5)):
        coef, intercept = fit(ROWS, labels, C=0.5, tol=1e-10)
        expected = fit(sp.csr_array(TABLE), labels, C=0.5, tol=1e-10)
        assert_allclose(np.append(coef, intercept), np.append(*expected), atol=1e-7)
