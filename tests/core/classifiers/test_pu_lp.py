"""Specification A3; the path and its numbers are those of its example."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.csgraph import connected_components

from core.classifiers.pu_lp import PULP
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.graphs.label_propagation import gfhf, mass_difference
from core.kernels.rows.unit_rows import unit_rows

PATH = sp.csr_array(np.eye(6, k=1) + np.eye(6, k=-1))


def on_path(**parameters):
    """Return PU-LP fitted to a path, the seed being its first vertex; each row is a term."""

    class OnPath(PULP):
        def _build_graph(self, Z):
            return PATH[Z.indices][:, Z.indices]

    return OnPath(**parameters).fit(np.eye(6), [1, 0, 0, 0, 0, 0])


def corpus(seed, n_samples=60, n_labeled=4):
    """Return counts of two topics that share words, labels, and the truth."""
    random = np.random.default_rng(seed)
    truth = np.arange(n_samples) % 2
    high, low = [0.9] * 6 + [0.1] * 6 + [0.4] * 4, [0.1] * 6 + [0.9] * 6 + [0.4] * 4
    X = sp.csr_array(random.poisson(np.where(truth[:, None] == 1, high, low)).astype(float))
    return X, np.where(np.cumsum(truth) <= n_labeled, truth, 0), truth


def slow_scores(X, y, *, n_neighbors, factor, n_added, n_rounds):
    """Follow the specification with dense matrices."""
    Z = unit_rows(X)
    graph = knn_graph(Z, n_neighbors)
    adjacency = (graph.toarray() > 0).astype(float)
    identity = np.eye(len(y))
    katz = np.linalg.inv(identity - factor * adjacency) - identity
    centroid = (Z @ Z[y == 1].sum(axis=0)).round(12)
    positives = list(np.flatnonzero(y))
    left = [i for i in np.flatnonzero(y == 0) if Z[[i]].nnz]
    for _ in range(n_rounds):
        mean = katz[:, positives].mean(axis=1)
        added = sorted(left, key=lambda i: (-mean[i], i))[:n_added]
        positives += added
        left = [i for i in left if i not in added]
    mean = katz[:, positives].mean(axis=1)
    negatives = sorted(left, key=lambda i: (mean[i], centroid[i], i))
    seeds = np.zeros((len(y), 2))
    seeds[positives, 0] = 1
    seeds[negatives[: min(len(positives), len(left) // 2)], 1] = 1
    return mass_difference(gfhf(graph, seeds)[0])


def test_the_path_of_the_specification():
    classifier = on_path(katz_factor=0.25, expansion=1, n_rounds=1)
    mass = [[1, 0], [1, 0], [2 / 3, 1 / 3], [1 / 3, 2 / 3], [0, 1], [0, 1]]
    assert_allclose(classifier.mass_, mass, atol=1e-6)
    assert_array_equal(classifier.transduction_, [1, 1, 1, 0, 0, 0])
    report = classifier.report_
    assert report["n_reliable_positives"] == 1
    assert report["n_reliable_negatives"] == 2
    assert report["katz_factor"] == 0.25
    assert report["spectral_radius"] == pytest.approx(1.801938, abs=1e-6)


def test_a_round_that_adds_less_than_one_adds_none():
    assert on_path(expansion=1, n_rounds=2).report_["n_reliable_positives"] == 0
    assert on_path(expansion=1, n_rounds=2, min_one=True).report_["n_reliable_positives"] == 2


def test_up_to_three_positives_are_doubled_twice():
    X, _, truth = corpus(0)
    for n_labeled, n_added in [(3, 2 * 3), (5, 2 * 2), (10, 2 * 4)]:
        y = np.where(np.cumsum(truth) <= n_labeled, truth, 0)
        assert PULP().fit(X, y).report_["n_reliable_positives"] == n_added


def test_the_factor_is_clipped_where_walks_do_not_add_up():
    classifier = on_path(katz_factor=0.7)
    radius = classifier.report_["spectral_radius"]
    assert classifier.report_["katz_factor"] == pytest.approx(0.9 / radius)
    assert "katz_divergent" not in classifier.report_["flags"]
    as_given = on_path(katz_factor=0.7, katz="closed_form")
    assert as_given.report_["katz_factor"] == 0.7
    assert "katz_divergent" in as_given.report_["flags"]


def test_the_default_factor_depends_on_the_graph():
    assert on_path().report_["katz_factor"] == 0.02
    report = PULP(n_neighbors=30).fit(*corpus(0)[:2]).report_
    assert report["spectral_radius"] > 25
    assert report["katz_factor"] == pytest.approx(0.5 / report["spectral_radius"])


@pytest.mark.parametrize("katz", ["clipped", "closed_form"])
@pytest.mark.parametrize("seed", range(4))
def test_scores_equal_the_dense_algorithm(seed, katz):
    X, y, _ = corpus(seed)
    X.data *= np.random.default_rng(seed).uniform(0.5, 2, X.nnz)  # nothing is equally near
    factor = 0.05 if katz == "clipped" else 0.31
    classifier = PULP(n_neighbors=5, katz_factor=factor, katz=katz, expansion=1.5, n_rounds=3).fit(
        X, y
    )
    assert ("katz_divergent" in classifier.report_["flags"]) == (katz == "closed_form")
    expected = slow_scores(X, y, n_neighbors=5, factor=factor, n_added=2, n_rounds=3)
    assert_allclose(classifier.transduction_scores_, expected, atol=1e-8)


def test_judged_negatives_are_negative_seeds_and_never_positives():
    X, y, truth = corpus(0)
    judged = np.zeros(60, dtype=bool)
    judged[np.flatnonzero((truth == 1) & (y == 0))[:3]] = True
    classifier = PULP(expansion=2).fit(X, y, is_negative=judged)
    assert_array_equal(classifier.transduction_scores_[judged], [-1, -1, -1])
    n_negative = classifier.report_["n_reliable_negatives"]
    assert (classifier.transduction_scores_ == -1).sum() == n_negative + 3


def test_a_single_unlabeled_sample_is_the_reliable_negative():
    rows = [[1.0, 0], [1, 0], [1, 3]]
    classifier = PULP(n_rounds=1, expansion=0).fit(rows, [1, 1, 0])
    assert classifier.mass_.tolist() == [[1, 0], [1, 0], [0, 1]]
    assert "rn_relaxed" in classifier.report_["flags"]
    rows, judged = [*rows, [0, 2]], np.arange(4) == 3
    classifier = PULP(n_rounds=1, expansion=0).fit(rows, [1, 1, 0, 0], is_negative=judged)
    assert "rn_relaxed" not in classifier.report_["flags"]
    assert 0 < classifier.mass_[2, 0] < 1


def test_components_are_joined_where_asked_for():
    X = sp.csr_array(np.kron(np.eye(4), np.ones((5, 3))) + 0.01)
    y = np.arange(20) == 0
    assert PULP(n_neighbors=2).fit(X, y).report_["n_components"] == 4
    joined = PULP(n_neighbors=2, connect=True).fit(X, y)
    assert joined.report_["n_components"] == 1
    assert connected_components(knn_graph(unit_rows(X), 2))[0] == 4


def test_new_samples_take_the_masses_of_their_neighbors():
    # The row has cosines 0.6 and 0.8 with the vertices 2 and 3.
    classifier = on_path(katz_factor=0.25, expansion=1, n_rounds=1)
    score = classifier.score_samples([[0, 0, 3.0, 4, 0, 0]])
    assert_allclose(score, (0.6 * (1 / 3) + 0.8 * (-1 / 3)) / 1.4, atol=1e-9)


def test_explanations_add_up_to_the_score():
    classifier = PULP().fit(*corpus(6)[:2])
    new = corpus(8)[0]
    contributions = classifier.explain(new).sum(axis=1)
    assert_allclose(contributions, classifier.score_samples(new), atol=1e-8)


def test_empty_samples_are_no_seeds():
    X, y, _ = corpus(5)
    padded = sp.vstack([X, sp.csr_array((3, X.shape[1]))], format="csr")
    expected = PULP().fit(X, y).transduction_scores_
    classifier = PULP().fit(padded, np.append(y, [0, 0, 1]))
    assert_allclose(classifier.transduction_scores_[:60], expected)
    assert_array_equal(classifier.transduction_scores_[60:], [-1, -1, -1])


def test_no_term_left_of_the_positives_is_refused():
    with pytest.raises(ValueError, match=r"no positive sample has a term left at max_df=0\.3"):
        PULP(max_df=0.3).fit([[1.0, 0], [1, 0], [0, 1]], [1, 0, 0])
