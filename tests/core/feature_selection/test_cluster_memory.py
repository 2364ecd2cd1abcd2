import numpy as np
import pytest

from core.datasets import make_pu_data
from core.feature_selection.cluster_assumption import cluster_assumption
from core.feature_selection.cluster_memory import BASE_BYTES, cluster_bytes
from tests.core.conftest import peak_bytes


@pytest.mark.parametrize("n_samples", [700, 1500, None])
def test_the_estimate_bounds_what_is_taken(n_samples):
    if n_samples is None:
        X, y = np.random.default_rng(0).random((3000, 60)), np.arange(3000) < 100
    else:
        X, y, _ = make_pu_data(n_samples, 1000, random_state=0)
    settings = {"n_permutations": 99, "random_state": 0}
    cluster_assumption(X[:300], np.arange(300) < 30, **settings)
    peak = peak_bytes(lambda: cluster_assumption(X, y == 1, **settings))
    estimate = cluster_bytes(*X.shape, X.dtype.itemsize, int((y == 1).sum()), 99)
    assert peak <= estimate <= 3 * peak + 4 * BASE_BYTES


def test_more_of_anything_takes_no_less():
    known = 1_000_000, 100_000, 4, 100, 999
    told = cluster_bytes(*known)
    for i in range(len(known)):
        assert cluster_bytes(*(n * (1 + (i == j)) for j, n in enumerate(known))) >= told
