"""The oracle compares Python sets."""

import numpy as np
import pytest
import scipy.sparse as sp
from joblib import parallel_config

from core.kernels.rows import row_blocks
from core.kernels.rows.alike_sets import first_alike


def expected(few, X, least_cosine):
    first = []
    for row in map(set, np.split(X.indices, X.indptr[1:-1])):
        alike = [
            number
            for number, other in enumerate(map(set, np.split(few.indices, few.indptr[1:-1])))
            if row & other and len(row & other) ** 2 >= least_cosine**2 * len(row) * len(other)
        ]
        first.append(alike[0] if alike else -1)
    return first


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("block_entries", [7, 2**20])
@pytest.mark.parametrize("least_cosine", [0.5, 0.75, 1.0])
def test_finds_what_comparing_all_sets_finds(monkeypatch, least_cosine, block_entries, n_jobs):
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", block_entries)
    random = np.random.default_rng(0)
    X = sp.csr_array(random.poisson(0.4, size=(200, 8)).astype(np.float32))
    few = X[:20]
    with parallel_config("threading", n_jobs=n_jobs):
        found = first_alike(few, X, least_cosine)
    assert found.tolist() == expected(few, X, least_cosine)
    assert {-1, 0} < set(found.tolist())


def test_weights_do_not_matter():
    X = sp.csr_array([[1.0, 1, 1, 0], [9, 1, 0.1, 0], [1, 0, 0, 9]])
    assert first_alike(X[:1], X, 1.0).tolist() == [0, 0, -1]
