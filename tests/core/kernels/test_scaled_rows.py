"""The oracle is scikit-learn's ``normalize``."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.preprocessing import normalize

from core.kernels.scaled_rows import scale_in_place


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
