import numpy as np
import pytest
import scipy.sparse as sp

from core.kernels.features.discrete_features import discretize
from core.validation import canonical_csr

RNG = np.random.default_rng(0)
DENSE = np.column_stack(
    [
        RNG.normal(size=60),
        RNG.normal(10, 1, size=60),
        RNG.poisson(0.4, size=60),
        RNG.exponential(size=60) * (RNG.random(60) < 0.3),
        RNG.normal(-1, 1, size=60) * (RNG.random(60) < 0.5),
        RNG.integers(0, 3, size=60) - 1,
        np.full(60, 2.5),
        np.zeros(60),
    ]
)


def slow_codes(x, n_bins, binning):
    """Return the number of the value or bin of each entry, by the definition."""
    values = np.unique(x)
    if len(values) <= n_bins:
        return np.searchsorted(values, x)
    if binning == "quantile":
        return (x < x[:, None]).sum(axis=1) * n_bins // len(x)
    return np.minimum(np.floor((x - x.min()) / (x.max() - x.min()) * n_bins), n_bins - 1)


@pytest.mark.parametrize("binning", ["width", "quantile"])
@pytest.mark.parametrize("n_bins", [2, 3, 5, 7, 10])
def test_rows_are_told_apart_as_by_the_definition(n_bins, binning):
    features = discretize(canonical_csr(DENSE), n_bins, binning)
    indicators = features.indicators.toarray()
    for j in range(DENSE.shape[1]):
        own = indicators[:, features.feature == j]
        assert (own.sum(axis=1) <= 1).all()
        codes = np.where(own.any(axis=1), own.argmax(axis=1) + 1, 0) if own.size else np.zeros(60)
        expected = slow_codes(DENSE[:, j], n_bins, binning)
        same = codes[:, None] == codes
        assert (same == (expected[:, None] == expected)).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("first", "unit", "n"), [(0, 10, 11), (-10, 10, 21), (0, 50, 11)])
def test_bins_are_those_of_the_same_numbers_in_another_unit(dtype, first, unit, n):
    whole = np.arange(first, first + n)[:, None]
    codes = [discretize(canonical_csr(values)) for values in (whole, (whole / unit).astype(dtype))]
    assert np.array_equal(*(features.indicators.toarray() for features in codes))


@pytest.mark.parametrize("binning", ["width", "quantile"])
def test_zeros_are_not_coded(binning):
    X = sp.random_array((200, 50), density=0.05, rng=0, format="csr")
    features = discretize(canonical_csr(X), binning=binning)
    assert features.indicators.nnz <= X.nnz


def test_the_most_frequent_value_is_not_coded_where_there_is_no_zero():
    X = canonical_csr(np.array([[1.0, 7], [2, 7], [2, 7], [3, 8], [2, 0]]))
    features = discretize(X)
    assert features.feature.tolist() == [0, 0, 1, 1]
    assert features.indicators.sum(axis=0).tolist() == [1, 1, 3, 1]


@pytest.mark.parametrize("n_bins", [126, 127, 200])
def test_more_values_than_a_byte_holds(n_bins):
    x = RNG.permutation(n_bins).astype(float)
    features = discretize(canonical_csr(x[:, None]), n_bins)
    assert features.indicators.shape == (n_bins, n_bins - 1)
    assert (features.indicators.sum(axis=0) == 1).all()


def test_presence_is_its_own_code():
    X = canonical_csr((DENSE > 0.5).astype(float))
    features = discretize(X)
    assert features.indicators is X
    assert features.feature.tolist() == list(range(8))


@pytest.mark.parametrize("binning", ["width", "quantile"])
def test_more_bins_than_samples_take_no_memory(binning):
    many, enough = (discretize(sp.csr_array(DENSE), n, binning) for n in (10**12, 60))
    assert (many.indicators != enough.indicators).nnz == 0
    assert many.feature.tolist() == enough.feature.tolist()
