"""Specification A2; the numbers are those of its toy example."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.classifiers.one_class_kmeans import OneClassKMeans
from core.classifiers.prototype import Prototype
from core.kernels.clusters.spherical_kmeans import cosines
from core.kernels.rows.unit_rows import unit_rows

POSITIVES = np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 1]])
QUERIES = np.array([[1.0, 1, 1], [0, 0, 1]])


def two_topics(n_samples=12):
    random = np.random.default_rng(0)
    is_topic = np.where(np.arange(n_samples)[:, None] % 2, [1, 1, 0, 0], [0, 0, 1, 1])
    return is_topic + random.poisson(0.1 + 3 * is_topic)


def fitted(X, **parameters):
    classifier = OneClassKMeans(pos_label=1, random_state=0, **parameters)
    return classifier.fit(X, np.ones(len(X)))


def test_one_cluster_gives_the_cosines_of_the_worked_example():
    classifier = fitted(POSITIVES, n_clusters=1)
    assert_allclose(classifier.score_samples(QUERIES), [0.949931, 0.303891], atol=1e-6)
    scores = classifier.score_samples(POSITIVES)
    assert_allclose(scores, [0.733657, 0.948540, 0.644649], atol=1e-6)
    summary = [scores.mean(), scores.std(), scores.min()]
    assert_allclose(summary, [0.775615, 0.127561, 0.644649], atol=1e-6)


def test_one_cluster_needs_one_assignment():
    assert fitted(POSITIVES, n_clusters=1).report_["n_iter"] == 1


def test_raw_means_give_the_cosines_of_the_worked_example():
    mean = POSITIVES.mean(axis=0)[:, None]
    actual = cosines(unit_rows(sp.csr_array(QUERIES)), mean)[:, 0]
    assert_allclose(actual, [0.962250, 0.333333], atol=1e-6)


def test_one_cluster_is_the_prototype():
    X = two_topics()
    prototype = Prototype(pos_label=1).fit(X, np.ones(len(X)))
    classifier = fitted(X, n_clusters=1)
    assert_allclose(classifier.offset_, prototype.offset_)
    assert_allclose(classifier.score_samples(X), prototype.score_samples(X))


def test_score_is_the_cosine_to_the_nearest_centre():
    X = two_topics()
    Z = X / np.linalg.norm(X, axis=1, keepdims=True)
    centres = np.array([Z[::2].mean(axis=0), Z[1::2].mean(axis=0)])
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    classifier = fitted(X, n_clusters=2)
    assert sorted(classifier.report_["cluster_sizes"]) == [6, 6]
    assert_allclose(classifier.score_samples(X), (Z @ centres.T).max(axis=1))


def test_cut_leaves_each_positive_out_of_its_own_centre():
    X = two_topics()
    Z = X / np.linalg.norm(X, axis=1, keepdims=True)
    scores = []
    for i in range(len(Z)):
        own = [j for j in range(len(Z)) if j % 2 == i % 2 and j != i]
        sums = np.array([Z[own].sum(axis=0), Z[1 - i % 2 :: 2].sum(axis=0)])
        scores.append((sums @ Z[i] / np.linalg.norm(sums, axis=1)).max())
    assert_allclose(fitted(X, n_clusters=2, threshold="min").offset_, min(scores))
    assert_allclose(fitted(X, n_clusters=2).offset_, np.quantile(scores, 0.05))


def test_no_more_clusters_than_positives():
    classifier = fitted(POSITIVES, n_clusters=9, n_init=50)
    assert classifier.report_["cluster_sizes"] == [1, 1, 1]
    assert_allclose(classifier.score_samples(POSITIVES), 1)
    assert classifier.offset_ == 0.05


def test_explanations_add_up_to_the_score():
    X = two_topics()
    classifier = fitted(X, n_clusters=2)
    assert_allclose(classifier.explain(X).sum(axis=1), classifier.score_samples(X))
