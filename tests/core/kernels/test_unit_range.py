import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.preprocessing import minmax_scale

from core.kernels.unit_range import unit_range

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
