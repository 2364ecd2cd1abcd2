import numpy as np
import pytest
import scipy.sparse as sp

from core.kernels.discrete_features import discretize
from core.validation import canonical_csr

RNG = np.random.default_rng(0)
DENSE = np.column_stack(
    [
        RNG.normal(size=60),
        RNG.normal(10, 1, size=60),
        RNG.poisson(0.4, size=60),
        RNG.exponential(size=60) * (RNG.random(60) < 0.3),
        RNG.integers(0, 3, size=60) - 1,
        np.full(60, 2.5),
        np.zeros(60),
    ]
)


def slow_codes(x, n_bins):
    """Return the number of the value or bin of each entry, by the definition."""
    values = np.unique(x)
    if len(values) <= n_bins:
        return np.searchsorted(values, x)
    return np.minimum(np.floor((x - x.min()) / (x.max() - x.min()) * n_bins), n_bins - 1)


@pytest.mark.parametrize("n_bins", [2, 3, 5, 10])
def test_rows_are_told_apart_as_by_the_definition(n_bins):
    features = discretize(canonical_csr(DENSE), n_bins)
    indicators = features.indicators.toarray()
    for j in range(DENSE.shape[1]):
        own = indicators[:, features.feature == j]
        assert (own.sum(axis=1) <= 1).all()
        codes = np.where(own.any(axis=1), own.argmax(axis=1) + 1, 0) if own.size else np.zeros(60)
        expected = slow_codes(DENSE[:, j], n_bins)
        same = codes[:, None] == codes
        assert (same == (expected[:, None] == expected)).all()


def test_zeros_are_not_coded():
    X = sp.random_array((200, 50), density=0.05, rng=0, format="csr")
    features = discretize(canonical_csr(X))
    assert features.indicators.nnz <= X.nnz


def test_presence_is_its_own_code():
    X = canonical_csr((DENSE > 0.5).astype(float))
    features = discretize(X)
    assert features.indicators is X
    assert features.feature.tolist() == list(range(7))
