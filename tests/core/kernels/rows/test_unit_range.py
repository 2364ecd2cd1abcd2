import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.preprocessing import minmax_scale

from core.kernels.rows.unit_range import unit_columns, unit_range

RNG = np.random.default_rng(0)


def test_full_columns_are_scaled_as_by_scikit_learn():
    X = RNG.normal(1e6, 3, size=(20, 4))
    assert_allclose(unit_range(sp.csr_array(X)).toarray(), minmax_scale(X))


def test_columns_with_zeros_keep_them():
    X = RNG.normal(size=(30, 3)) * (RNG.random((30, 3)) < 0.4)
    scaled = unit_range(sp.csr_array(X))
    assert scaled.nnz == np.count_nonzero(X)
    assert_allclose(np.ptp(scaled.toarray(), axis=0), 1)
    assert_allclose(scaled.toarray(), X / np.ptp(X, axis=0))


def test_constant_columns_are_zero():
    X = np.column_stack([RNG.random(9), np.full(9, 1e8), np.zeros(9)])
    assert_allclose(unit_range(sp.csr_array(X)).toarray()[:, 1:], 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ranges_that_the_type_cannot_hold_are_scaled_too(dtype):
    most = np.finfo(dtype).max
    X = np.array([[-most, 1], [most, 3], [0, 2]], dtype=dtype)
    assert_allclose(unit_range(sp.csr_array(X)).toarray(), [[-0.5, 0], [0.5, 1], [0, 0.5]])
    assert_allclose(unit_columns(X), [[0, 0], [1, 1], [0.5, 0.5]])


def test_ranges_as_small_as_a_number_can_be_are_scaled_too():
    least = np.finfo(np.float64).smallest_subnormal
    X = np.array([[0, least], [least, 2 * least], [0, 3 * least]])
    assert_allclose(unit_range(sp.csr_array(X)).toarray(), [[0, 0], [1, 0.5], [0, 1]])
