import numpy as np
import pytest
from scipy.stats import hypergeom

from core.review.hypergeometric import at_most


def drawn(random, n, largest):
    n_all = random.integers(1, largest, n)
    n_good, n_drawn = (random.integers(0, n_all + 1) for _ in range(2))
    k = random.integers(-1, np.minimum(n_good, n_drawn) + 2)
    return k, n_all, n_good, n_drawn


@pytest.mark.parametrize("largest", [4, 30, 1000, 50_000])
def test_as_scipy_has_it(largest):
    draws = drawn(np.random.default_rng(0), 300, largest)
    expected = hypergeom.cdf(*draws)
    assert at_most(*draws) == pytest.approx(expected, rel=1e-8, abs=1e-14)


def test_small_ones_keep_their_digits():
    k, n_all = np.arange(5), np.full(5, 5000)
    n_good, n_drawn = np.full(5, 400), np.full(5, 1000)
    expected = hypergeom.cdf(k, n_all, n_good, n_drawn)
    assert (expected < 1e-30).all()
    assert at_most(k, n_all, n_good, n_drawn) == pytest.approx(expected, rel=1e-8, abs=0)
