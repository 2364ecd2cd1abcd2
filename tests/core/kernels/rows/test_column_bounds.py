import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.kernels.rows.column_bounds import column_bounds


@pytest.mark.parametrize("density", [0, 0.1, 0.7, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bounds_are_those_of_dense_columns(density, dtype):
    random = np.random.default_rng(0)
    X = (random.normal(size=(15, 20)) * (random.random((15, 20)) < density)).astype(dtype)
    X[:, 0] = 3
    low, high = column_bounds(sp.csr_array(X))
    assert_array_equal(low, X.min(axis=0))
    assert_array_equal(high, X.max(axis=0))
