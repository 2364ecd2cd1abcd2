import numpy as np
import pytest
import scipy.sparse as sp

from core.doctor.examine import examine
from core.doctor.examine_memory import BASE_BYTES, examine_bytes
from core.kernels.scores.left_out_ranks import MAX_RANKED
from tests.core.conftest import peak_bytes


def documents(n_samples, n_features, n_words, n_positive):
    """Return X of words by chance, common ones more often, and which samples are labeled."""
    random = np.random.default_rng(0)
    columns = n_features * random.random(n_samples * n_words) ** 3
    ends = np.arange(0, n_samples * n_words + 1, n_words, dtype=np.int32)
    values = np.ones(n_samples * n_words, dtype=np.float32)
    X = sp.csr_array((values, columns.astype(np.int32), ends), shape=(n_samples, n_features))
    X.sum_duplicates()
    return X, np.arange(n_samples) < n_positive


@pytest.mark.parametrize(
    "shape", [(20_000, 1000, 10, 10), (2000, 20_000, 100, 10), (10_000, 5000, 20, 1000)]
)
def test_the_estimate_bounds_what_is_taken(shape):
    X, is_positive = documents(*shape)
    no, scores = np.zeros(len(is_positive), dtype=bool), np.linspace(1, 0, len(is_positive))
    examine(X[:300], is_positive[:300], no[:300], scores[:300], 0.99, random_state=0)
    peak = peak_bytes(lambda: examine(X, is_positive, no, scores, 0.95, random_state=0))
    told = examine_bytes(*X.shape, X.nnz, int(is_positive.sum()))
    assert peak <= told <= 3 * peak + BASE_BYTES


def test_more_of_anything_takes_no_less():
    known = 40_000, 100_000, 20_000_000, 100
    for i in range(len(known)):
        more = (n * (1 + (i == j)) for j, n in enumerate(known))
        assert examine_bytes(*more) >= examine_bytes(*known)


def test_of_many_unlabeled_samples_some_are_ranked():
    few, many = ((n, 1000, 20 * n, 100) for n in (5 * MAX_RANKED, 10 * MAX_RANKED))
    assert examine_bytes(*many) == examine_bytes(*few)
