import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.kernels.rows.unit_rows import unit_products, unit_rows


def test_frequent_terms_are_left_out_before_rows_are_scaled():
    X = sp.csr_array(np.array([[3.0, 4, 0], [3, 0, 1], [3, 0, 0], [0, 2, 2]]))
    expected = [[0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0.5**0.5, 0.5**0.5]]
    assert_allclose(unit_rows(X, max_df=0.5).toarray(), expected)
    assert X.nnz == 7


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_unit_products_are_those_of_unit_rows(dtype):
    X = sp.random_array((30, 9), density=0.2, format="csr", rng=np.random.default_rng(3))
    X = X.astype(dtype)
    weights = np.random.default_rng(4).normal(size=9)
    assert_allclose(unit_products(X, weights), unit_rows(X) @ weights, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n_entries", [0, 1, 2, 3])
def test_unit_products_of_first_and_last_rows_of_any_length(n_entries):
    row = (np.arange(3) < n_entries).astype(float)
    for rows in ([row], [row, np.zeros(3)], [np.zeros(3), row], [row, np.ones(3), row]):
        X = sp.csr_array(np.array(rows))
        weights = np.array([1.0, 4, 16])
        lengths = np.maximum(np.linalg.norm(rows, axis=1), 1)
        assert_allclose(unit_products(X, weights), rows @ weights / lengths, rtol=1e-15)


@pytest.mark.parametrize("unit", [1e-320, 1e-161, 1e154, 1e307])
def test_unit_products_are_right_at_any_scale(unit):
    X = sp.csr_array(np.array([[3.0, 4, 12], [0, 0, 0], [0, -1, 0], [3, 4, 0]]) * unit)
    products = unit_products(X, np.array([1.0, 2, 26]))
    assert_allclose(products, [323 / 13, 0, -2, 2.2], rtol=1e-3 if unit < 1e-300 else 1e-14)


def test_unit_rows_and_products_leave_the_samples_untouched():
    X = sp.csr_array([[3.0, 4], [0, 0], [0, 2]])
    unit_rows(X)
    unit_products(X, np.ones(2))
    assert X.toarray().tolist() == [[3, 4], [0, 0], [0, 2]]
