"""Specification B1; the numbers are those of its quality toy."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import silhouette_samples
from sklearn.metrics.pairwise import cosine_distances

from core.kernels.clusters.cluster_quality import (
    least_crossing,
    positive_silhouettes,
    spanning_tree,
)
from core.progress import listening

ROWS = np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 1]])
FIRST_TWO = np.array([True, True, False, False, False])
WITH_LAST = np.array([True, True, False, False, True])


def silhouette(rows, labels):
    return positive_silhouettes(sp.csr_array(rows), labels[:, None])[0]


@pytest.fixture(params=range(6))
def rows(request):
    """Return texts among which are copies, and two groups that share no term."""
    random = np.random.default_rng(request.param)
    left, right = (random.random((15, 6)) < 0.35, random.random((12, 5)) < 0.4)
    left[:, 0] |= ~left.any(axis=1)
    right[:, 0] |= ~right.any(axis=1)
    rows = np.block([[left, np.zeros((15, 5))], [np.zeros((12, 6)), right]])
    return random.permutation(np.vstack([rows, rows[:4]]).astype(float))


def test_silhouettes_are_those_of_the_toy_example():
    assert_allclose(silhouette(ROWS, FIRST_TWO), 0.557686, atol=1e-6)
    assert_allclose(silhouette(ROWS, WITH_LAST), 0.441544, atol=1e-6)
    # The mean distances of the first two rows to each other, and to the others.
    within, between = 0.292893, np.array([0.807550, 0.561168])
    expected = ((between - within) / between).mean()
    assert_allclose(silhouette(ROWS, FIRST_TWO), expected, atol=1e-6)


def test_nearest_pair_is_that_of_the_toy_example():
    tree = spanning_tree(sp.csr_array(ROWS))
    assert_allclose(least_crossing(tree, FIRST_TWO), 0.183503, atol=1e-6)
    assert_allclose(least_crossing(tree, WITH_LAST), 0.183503, atol=1e-6)


def test_silhouettes_equal_those_of_all_pairs(rows):
    labels = np.random.default_rng(0).random((len(rows), 5)) < 0.4
    expected = [silhouette_samples(rows, column, metric="cosine")[column] for column in labels.T]
    actual = positive_silhouettes(sp.csr_array(rows), labels)
    assert_allclose(actual, [samples.mean() for samples in expected], atol=1e-12)


def test_nearest_pair_equals_that_of_all_pairs(rows):
    tree = spanning_tree(sp.csr_array(rows))
    distances = cosine_distances(rows)
    for seed in range(20):
        labels = np.random.default_rng(seed).random(len(rows)) < seed / 20 + 0.04
        expected = distances[np.ix_(labels, ~labels)].min(initial=np.inf)
        expected = expected if np.isfinite(expected) else 0
        assert_allclose(least_crossing(tree, labels), expected, atol=1e-12)


def test_tree_is_as_short_as_any(rows):
    first, second, distance = spanning_tree(sp.csr_array(rows))
    distances = cosine_distances(rows)
    assert_allclose(distance, distances[first, second], atol=1e-12)
    # SciPy takes a weight near zero, that is between copies, for no edge.
    reference = sp.csgraph.minimum_spanning_tree(distances + 1e-6)
    assert_allclose(distance.sum(), reference.sum(), atol=1e-4)
    edges = sp.coo_array((np.ones(len(first)), (first, second)), shape=(len(rows), len(rows)))
    assert sp.csgraph.connected_components(edges)[0] == 1


def test_texts_without_a_common_term_are_joined_at_distance_one():
    assert spanning_tree(sp.csr_array(np.eye(3)))[2].tolist() == [1, 1]


def test_copies_are_at_distance_zero():
    tree = spanning_tree(sp.csr_array(np.ones((2, 1))))
    assert least_crossing(tree, np.array([True, False])) == 0


@pytest.mark.parametrize("labels", [[False] * 5, [True] * 5])
def test_labels_of_one_kind_have_no_quality(labels):
    labels = np.array(labels)
    assert silhouette(ROWS, labels) == 0
    assert least_crossing(spanning_tree(sp.csr_array(ROWS)), labels) == 0


def test_one_accepted_row_has_no_silhouette():
    assert silhouette(ROWS, np.arange(5) == 0) == 0


@pytest.mark.parametrize("n_rows", [0, 1])
def test_a_tree_of_no_edge_has_no_crossing(n_rows):
    tree = spanning_tree(sp.csr_array(ROWS)[:n_rows])
    assert least_crossing(tree, np.ones(n_rows, dtype=bool)) == 0


def test_long_trees_report_their_progress():
    stages = []
    with listening(lambda stage, fraction: stages.append((stage, fraction))):
        spanning_tree(sp.csr_array(np.ones((2001, 1))))
    assert stages == [("spanning tree", 1000 / 2001), ("spanning tree", 2000 / 2001)]
