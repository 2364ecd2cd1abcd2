import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.extmath import randomized_svd
from threadpoolctl import threadpool_limits

from core.kernels.rows.singular_rows import singular_rows
from core.progress import listening


@pytest.mark.parametrize("shape", [(300, 90), (90, 300), (40, 40)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_are_those_of_scikit_learn(shape, dtype):
    X = sp.random_array(shape, density=0.1, rng=np.random.default_rng(0), dtype=dtype).tocsr()
    left, values, _ = randomized_svd(X, 6, random_state=3)
    found = singular_rows(X, 6, np.random.RandomState(3))
    assert found.dtype == dtype
    assert_allclose(abs(found), abs(left * values), rtol=1e-3, atol=1e-5 if dtype == "f4" else 1e-9)


def test_it_tells_how_far_it_is():
    shares = []
    with listening(lambda stage, share: shares.append(share)):
        singular_rows(sp.csr_array(np.eye(30)), 2, np.random.RandomState(0))
    assert shares == pytest.approx((np.arange(14) + 1) / 16)


def test_the_number_of_threads_is_irrelevant():
    X = sp.random_array((3000, 800), density=0.02, rng=np.random.default_rng(0)).tocsr()
    with threadpool_limits(1):
        expected = singular_rows(X, 60, np.random.RandomState(0))
    with threadpool_limits(2):
        assert_array_equal(singular_rows(X, 60, np.random.RandomState(0)), expected)
