import numpy as np
import pytest
import scipy.sparse as sp

from core.kernels.rows.dense_rows import csr_of_dense

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "X",
    [
        RNG.normal(size=(5, 4)),
        RNG.poisson(0.5, size=(6, 5)),
        np.array([[0.0, -0.0, 3], [0, 0, 0]]),
        np.asfortranarray(RNG.normal(size=(3, 4))),
        RNG.normal(size=(6, 8))[::2, ::2],
        np.zeros((2, 3)),
        np.zeros((0, 3)),
    ],
    ids=["full", "sparse", "negative zero", "by column", "strided", "zeros", "no rows"],
)
def test_it_is_the_array_of_scipy(X, dtype):
    X = X.astype(dtype)
    actual, expected = csr_of_dense(X), sp.csr_array(X)
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(actual, part), getattr(expected, part))
    assert actual.dtype == dtype
    assert actual.indices.dtype == actual.indptr.dtype == np.int32
    actual.has_canonical_format = False
    actual.sum_duplicates()
    assert (actual != expected).nnz == 0
