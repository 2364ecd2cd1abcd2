"""The oracle is scikit-learn's ``normalize``."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import normalize

from core.kernels.rows.scaled_rows import row_lengths, scale_in_place


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_rows_are_scaled_as_by_scikit_learn(norm, dtype):
    X = sp.random_array((40, 30), density=0.1, rng=0, format="csr", dtype=dtype)
    scaled = scale_in_place(X.copy(), norm)
    assert scaled.dtype == dtype
    assert_array_equal(scaled.toarray(), normalize(X, norm=norm).toarray())
    # Beyond 2**31 entries, the ends of rows need 64 bits and columns do not.
    wide = X.copy()
    wide.indptr = wide.indptr.astype(np.int64)
    wide_scaled = scale_in_place(wide, norm)
    assert (wide_scaled.indptr.dtype, wide_scaled.indices.dtype) == (np.int64, np.int32)
    assert_array_equal(wide_scaled.data, scaled.data, strict=True)


def test_nothing_may_be_there_to_scale():
    assert scale_in_place(sp.csr_array((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e-161, 1e154, 1e200, 1e307])
def test_lengths_are_right_at_any_scale(unit):
    X = sp.csr_array(np.array([[3.0, 4], [0, 0], [0, -12]]) * unit)
    assert_allclose(row_lengths(X) / unit, [5, 0, 12], rtol=1e-3 if unit < 1e-300 else 1e-15)
    scaled = scale_in_place(X).toarray()
    assert_allclose(scaled, [[0.6, 0.8], [0, 0], [0, -1]], rtol=1e-3 if unit < 1e-300 else 1e-15)


@pytest.mark.parametrize("unit", [1e-30, 1e-22, 1e20, 1e37])
def test_lengths_are_right_in_single_precision(unit):
    X = sp.csr_array(np.array([[3.0, 4], [0, 0], [0, -2]]) * unit).astype(np.float32)
    assert_allclose(scale_in_place(X).toarray(), [[0.6, 0.8], [0, 0], [0, -1]], rtol=1e-6)


def test_stored_zeros_stay():
    X = sp.csr_array((np.zeros(2), [0, 1], [0, 2]), shape=(1, 2))
    assert scale_in_place(X).data.tolist() == [0, 0]
