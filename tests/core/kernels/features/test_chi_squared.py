import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.feature_selection import chi2
from sklearn.preprocessing import minmax_scale

from core.kernels.features.chi_squared import scaled_chi_squared


def test_it_is_chi_squared_of_the_scaled_features():
    rng = np.random.default_rng(0)
    X = rng.normal(3, 2, size=(50, 8)) * rng.integers(0, 2, size=(50, 8))
    X[:, 3] = 7
    is_positive = rng.random(50) < 0.3
    scaled = minmax_scale(X)
    scaled[:, 3] = 0
    expected = np.nan_to_num(chi2(scaled, is_positive)[0])
    assert_allclose(scaled_chi_squared(sp.csr_array(X), is_positive), expected, atol=1e-12)
