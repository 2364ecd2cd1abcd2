import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.kernels.graphs import complete_graph
from core.kernels.graphs.complete_graph import one_class_llgc
from core.kernels.rows.unit_rows import unit_rows


@pytest.mark.parametrize("max_weights", [7, 50, 2**18])
def test_the_label_is_that_of_the_dense_solution(max_weights, monkeypatch):
    monkeypatch.setattr(complete_graph, "MAX_WEIGHTS", max_weights)
    Z = unit_rows(sp.csr_array(np.random.default_rng(0).random((20, 6))))
    is_seed = np.arange(20) < 3
    rows = Z.toarray()
    weights = np.exp(-np.linalg.norm(rows[:, None] - rows, axis=2) / 2) - np.eye(20)
    root = np.sqrt(weights.sum(axis=1))
    system = np.eye(20) - 0.99 * weights / root[:, None] / root
    expected = np.linalg.solve(system, 0.01 * is_seed)
    assert_allclose(one_class_llgc(Z, is_seed, 0.99), expected, rtol=1e-6)
