import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.csgraph import connected_components

from core.kernels.graphs import component_links
from core.kernels.graphs.component_links import link_components
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.rows.unit_rows import unit_rows


def slow_links(graph, Z):
    """Add the edge of the largest cosine between components, again and again."""
    graph, cosines = graph.toarray(), (Z @ Z.T).toarray()
    while True:
        n_components, component = connected_components(graph, directed=False)
        between = np.where(component[:, None] != component, cosines, 0)
        i, j = np.unravel_index(between.argmax(), between.shape)
        if n_components == 1 or between[i, j] == 0:
            return graph
        graph[i, j] = graph[j, i] = cosines[i, j]


@pytest.mark.parametrize("seed", range(4))
def test_components_are_joined_by_the_largest_cosines(seed, monkeypatch):
    monkeypatch.setattr(component_links, "MAX_COSINES", 100)
    random = np.random.default_rng(seed)
    topics = random.random((10, 12)) ** 4
    Z = unit_rows(sp.csr_array(np.repeat(topics, 4, axis=0) + 0.01 * random.random((40, 12))))
    graph = knn_graph(Z, 2)
    assert connected_components(graph)[0] > 3
    assert_allclose(link_components(graph, Z).toarray(), slow_links(graph, Z))


def test_what_is_similar_to_nothing_stays_apart():
    Z = unit_rows(sp.csr_array([[1.0, 0, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0]]))
    graph = link_components(sp.csr_array((4, 4)), Z)
    assert_array_equal(graph.toarray() > 0, [[0, 1, 0, 0], [1, 0, 0, 0], [0] * 4, [0] * 4])
