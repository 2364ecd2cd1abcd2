"""Eight numbers at a time against NumPy."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.kernels.hardware.lanes import LANES, fill, load, store


@numba.njit
def combine(x, y, number, out):
    for start in range(0, len(x), LANES):
        a, b = load(x, start), load(y, start)
        store(out, start, fill(number) + a * b / (a + b))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arithmetic_is_that_of_numpy(dtype):
    x, y = (1 + np.random.default_rng(0).random((2, 3 * LANES))).astype(dtype)
    out = np.empty_like(x)
    combine(x, y, dtype(0.25), out)
    assert_allclose(out, 0.25 + x * y / (x + y), rtol=10 * np.finfo(dtype).eps)


def test_any_start_is_allowed():
    x = np.arange(3.0 * LANES)[3:-5]
    out = np.empty(2 * LANES)
    combine(x, x, 1.0, out)
    assert_allclose(out, 1 + x / 2)
