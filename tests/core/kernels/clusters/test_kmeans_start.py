import numpy as np
from numpy.testing import assert_array_equal

from core.kernels.clusters.kmeans_start import kmeans_start

RNG = np.random.default_rng(0)
CENTRES = np.array([[0.1, 0.1], [0.1, 0.9], [0.9, 0.1], [0.9, 0.9]])
TRUTH = np.arange(400) % 4
X = (CENTRES[TRUTH] + RNG.normal(scale=0.02, size=(400, 2))).T.astype(np.float32)


def test_separate_groups_are_found():
    clusters = kmeans_start(X, RNG.random(4))
    for group in range(4):
        assert len(set(clusters[group == TRUTH])) == 1
    assert len(set(clusters)) == 4


def test_same_numbers_give_the_same_clusters():
    uniforms = RNG.random(4)
    assert_array_equal(kmeans_start(X, uniforms), kmeans_start(X, uniforms))


def test_identical_rows_are_one_cluster():
    clusters = kmeans_start(np.ones((3, 10), dtype=np.float32), RNG.random(4))
    assert len(set(clusters)) == 1


def test_more_clusters_than_rows_are_allowed():
    clusters = kmeans_start(X[:, :3], RNG.random(5))
    assert len(set(clusters)) == 3
