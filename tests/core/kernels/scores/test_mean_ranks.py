"""The oracle is SciPy's ``rankdata``."""

import numpy as np
import pytest
from scipy.stats import rankdata

from core.kernels.scores.mean_ranks import mean_ranks


@pytest.mark.parametrize("n_distinct", [1, 2, 7, 10**6])
@pytest.mark.parametrize("n", [0, 1, 2, 1000])
def test_ranks_are_those_of_scipy(n, n_distinct):
    values = np.random.default_rng(0).integers(n_distinct, size=n) / 7 - 3.0
    np.testing.assert_array_equal(mean_ranks(values), rankdata(values))


def test_zeros_of_either_sign_are_equal():
    assert mean_ranks(np.array([0.0, -0.0, -1.0])).tolist() == [2.5, 2.5, 1.0]
