"""Specification A5; the toy graph and its numbers are those of its example."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from core.classifiers.lp_pul import LPPUL
from core.kernels.graphs.label_propagation import llgc, mass_difference
from core.kernels.rows.unit_rows import unit_rows
from tests.core.kernels.graphs.test_label_propagation import TOY_GRAPH, TOY_MASSES


def toy(**parameters):
    """Return LP-PUL fitted to the toy graph, the seed being vertex 0; each row is a term."""

    class OnToyGraph(LPPUL):
        def _build_graph(self, Z):
            return TOY_GRAPH[Z.indices][:, Z.indices]

    return OnToyGraph(propagation="llgc", **parameters).fit(np.eye(6), [1, 0, 0, 0, 0, 0])


def corpus(seed, n_samples=80, n_labeled=4):
    """Return counts of two topics that share words, labels, and the truth."""
    random = np.random.default_rng(seed)
    truth = np.arange(n_samples) % 2
    rates = np.where(
        truth[:, None] == 1, [0.9] * 6 + [0.1] * 6 + [0.4] * 4, [0.1] * 6 + [0.9] * 6 + [0.4] * 4
    )
    X = sp.csr_array(random.poisson(rates).astype(float))
    y = np.where(np.cumsum(truth) <= n_labeled, truth, 0)
    return X, y, truth


def rank_accuracy(scores, is_higher):
    """Return the share of pairs that are in order."""
    return np.mean(scores[is_higher][:, None] > scores[~is_higher])


def slow_scores(X, y, *, n_neighbors, n_negatives, propagation):
    """Follow the specification with dense matrices and loops."""
    lengths = np.linalg.norm(X.toarray(), axis=1)
    Z = X.toarray() / np.where(lengths > 0, lengths, 1)[:, None]
    n = len(Z)
    listed = np.zeros((n, n))
    for i in range(n):
        cosines = [0.0 if i == j else Z[i] @ Z[j] for j in range(n)]
        for j in sorted(range(n), key=lambda j: (-round(cosines[j], 12), j))[:n_neighbors]:
            listed[i, j] = cosines[j]
    graph = np.maximum(listed, listed.T)

    distances = np.where(graph > 0, 1 / np.where(graph > 0, graph, 1), np.inf)
    np.fill_diagonal(distances, 0)
    for k in range(n):
        distances = np.minimum(distances, distances[:, [k]] + distances[[k]])
    from_positives = distances[y == 1]
    far = 2 * from_positives[np.isfinite(from_positives)].max() + 1
    mean = np.where(np.isfinite(from_positives), from_positives, far).mean(axis=0)
    centroid = Z[y == 1].sum(axis=0)
    candidates = [i for i in range(n) if y[i] == 0 and lengths[i] > 0]
    candidates.sort(key=lambda i: (-round(mean[i], 12), round(Z[i] @ centroid, 12), i))

    seeds = np.zeros((n, 2))
    seeds[y == 1, 0] = 1
    seeds[candidates[: n_negatives * int(y.sum())], 1] = 1
    degrees = graph.sum(axis=1)
    if propagation == "llgc":
        root = np.sqrt(np.where(degrees > 0, degrees, 1))
        mass = np.linalg.solve(np.eye(n) - 0.9 * graph / root[:, None] / root, seeds)
    else:
        free = ~seeds.any(axis=1) & (degrees > 0)
        mass = seeds.copy()
        laplacian = np.diag(degrees) - graph
        mass[free] = np.linalg.lstsq(
            laplacian[np.ix_(free, free)], graph[free][:, ~free] @ seeds[~free], rcond=None
        )[0]
    total = mass.sum(axis=1)
    return (mass[:, 0] - mass[:, 1]) / np.where(total > 0, total, 1)


def test_the_farthest_samples_are_reliable_negatives_and_masses_decide():
    classifier = toy(n_negatives=2)
    difference = (TOY_MASSES[:, 0] - TOY_MASSES[:, 1]) / TOY_MASSES.sum(axis=1)
    assert_allclose(classifier.transduction_scores_, difference, atol=1e-5)
    assert_array_equal(classifier.transduction_, [1, 1, 1, 0, 0, 0])
    assert classifier.report_["n_reliable_negatives"] == 2
    assert classifier.report_["n_unreachable"] == 1


def test_the_cut_lies_just_above_a_tie():
    assert toy().offset_ == 1e-9


def test_an_isolated_negative_cannot_propagate():
    assert_array_equal(toy(n_negatives=1).transduction_, [1, 1, 1, 1, 1, 0])


def test_unreachable_samples_may_count_as_nearest():
    seeds = np.zeros((6, 2))
    seeds[0, 0] = seeds[[3, 4], 1] = 1
    expected = mass_difference(llgc(TOY_GRAPH, seeds, 0.9)[0])
    scores = toy(n_negatives=2, unreachable="zero").transduction_scores_
    assert_allclose(scores, expected, atol=1e-5)
    assert scores[5] == -1


def test_new_samples_take_the_masses_of_their_neighbors():
    # The row has cosines 0.6 and 0.8 with the vertices 0 and 4, whose degrees are 1 and 0.8.
    classifier = toy(n_negatives=2)
    mass = 0.6 * TOY_MASSES[0] / np.sqrt(1.0) + 0.8 * TOY_MASSES[4] / np.sqrt(0.8)
    score = classifier.score_samples([[3.0, 0, 0, 0, 4, 0]])
    assert_allclose(score, (mass[0] - mass[1]) / mass.sum(), atol=1e-5)


def test_the_class_prior_scales_the_negative_mass():
    # One positive and two negative seeds: the factor is (1 - 0.8) / 0.8 / 2.
    scaled = TOY_MASSES * [1, 0.2 / 0.8 / 2]
    expected = (scaled[:, 0] - scaled[:, 1]) / scaled.sum(axis=1)
    classifier = toy(n_negatives=2, class_prior=0.8)
    assert_allclose(classifier.transduction_scores_, expected, atol=1e-5)


def test_judged_negatives_join_the_reliable_ones():
    X, y, truth = corpus(0)
    judged = np.zeros(80, dtype=bool)
    # These lie among the positives, so that they would not be found to be far.
    judged[np.flatnonzero((truth == 1) & (y == 0))[:3]] = True
    classifier = LPPUL(propagation="gfhf", n_negatives=2).fit(X, y, is_negative=judged)
    assert_array_equal(classifier.transduction_scores_[judged], [-1, -1, -1])
    assert classifier.report_["n_reliable_negatives"] == 8
    assert (classifier.transduction_scores_ == -1).sum() == 8 + 3


@pytest.mark.parametrize("propagation", ["gfhf", "llgc"])
@pytest.mark.parametrize("seed", range(5))
def test_scores_equal_the_dense_algorithm(seed, propagation):
    X, y, _ = corpus(seed, n_samples=50)
    X.data *= np.random.default_rng(seed).uniform(0.5, 2, X.nnz)  # nothing is equally near
    parameters = {"n_neighbors": 4, "n_negatives": 2, "propagation": propagation}
    classifier = LPPUL(**parameters).fit(X, y)
    assert_allclose(classifier.transduction_scores_, slow_scores(X, y, **parameters), atol=1e-8)


@pytest.mark.parametrize("graph", ["knn", "mutual_knn", "epsilon"])
@pytest.mark.parametrize("propagation", ["gfhf", "llgc"])
def test_hidden_positives_come_first(graph, propagation):
    X, y, truth = corpus(1)
    classifier = LPPUL(graph=graph, epsilon=0.5, propagation=propagation, n_negatives=3).fit(X, y)
    unlabeled = y == 0
    scores = classifier.transduction_scores_[unlabeled]
    assert rank_accuracy(scores, truth[unlabeled] == 1) > 0.9
    new, _, kind = corpus(7)
    assert rank_accuracy(classifier.score_samples(new), kind == 1) > 0.9


def test_one_seed_is_enough():
    X, y, truth = corpus(2, n_labeled=1)
    classifier = LPPUL().fit(X, y)
    assert classifier.report_["propagation"] == "llgc"
    unlabeled = y == 0
    scores = classifier.transduction_scores_[unlabeled]
    assert rank_accuracy(scores, truth[unlabeled] == 1) > 0.8


def test_eight_seeds_are_propagated_by_averaging():
    assert LPPUL(n_negatives=1).fit(*corpus(0, n_labeled=8)[:2]).report_["propagation"] == "gfhf"
    assert LPPUL(n_negatives=1).fit(*corpus(0, n_labeled=7)[:2]).report_["propagation"] == "llgc"


def test_where_all_unlabeled_are_reliable_negatives_labels_still_spread():
    X, y, truth = corpus(0, n_labeled=20)
    classifier = LPPUL().fit(X, y)
    assert "rn_all" in classifier.report_["flags"]
    unlabeled = y == 0
    scores = classifier.transduction_scores_[unlabeled]
    assert rank_accuracy(scores, truth[unlabeled] == 1) > 0.9


@pytest.mark.parametrize("propagation", ["gfhf", "llgc"])
def test_training_samples_fold_in_much_as_they_were_fitted(propagation):
    X, y, _ = corpus(3)
    classifier = LPPUL(propagation=propagation, n_negatives=3).fit(X, y)
    folded = classifier.score_samples(X)
    assert np.corrcoef(folded, classifier.transduction_scores_)[0, 1] > 0.9
    assert np.mean(classifier.predict(X) == classifier.transduction_) > 0.9


def test_copies_of_a_sample_get_one_score():
    X, y, _ = corpus(4)
    X = sp.vstack([X] + [X[[-1]]] * 30, format="csr")
    y = np.concatenate([y, np.zeros(30, dtype=int)])
    classifier = LPPUL(n_neighbors=5, propagation="llgc").fit(X, y)
    folded = classifier.score_samples(X)
    assert_allclose(folded[80:], folded[79])
    assert_array_equal(classifier.transduction_[80:], classifier.transduction_[[79] * 30])


def test_empty_samples_are_negative_and_no_neighbors():
    X, y, _ = corpus(5)
    padded = sp.vstack([X, sp.csr_array((3, X.shape[1]))], format="csr")
    classifier = LPPUL(n_neighbors=6).fit(padded, np.concatenate([y, [0, 0, 1]]))
    expected = LPPUL(n_neighbors=6).fit(X, y)
    assert_allclose(classifier.transduction_scores_[:80], expected.transduction_scores_)
    assert_array_equal(classifier.transduction_[80:], [0, 0, 1])
    assert_array_equal(classifier.transduction_scores_[80:], [-1, -1, -1])
    assert classifier.predict(sp.csr_array((1, X.shape[1]))) == [0]


def test_a_new_sample_that_is_like_nothing_ranks_last():
    X, y, _ = corpus(0)
    wide = sp.csr_array((X.data, X.indices, X.indptr), shape=(80, X.shape[1] + 1))
    stranger = np.zeros((1, wide.shape[1]))
    stranger[0, -1] = 1
    classifier = LPPUL().fit(wide, y)
    assert classifier.score_samples(stranger) == [-1]
    assert classifier.predict(stranger) == [0]
    assert classifier.explain(stranger).nnz == 0


@pytest.mark.parametrize("graph", ["knn", "epsilon"])
@pytest.mark.parametrize("propagation", ["gfhf", "llgc"])
def test_explanations_add_up_to_the_score(graph, propagation):
    X, y, _ = corpus(6)
    classifier = LPPUL(graph=graph, propagation=propagation, epsilon=0.4, max_df=0.9, n_negatives=2)
    classifier.fit(X, y)
    new = corpus(8)[0]
    contributions = classifier.explain(new)
    assert contributions.format == "csr"
    assert_allclose(contributions.sum(axis=1), classifier.score_samples(new), atol=1e-8)


def test_words_of_the_positives_have_positive_weights():
    classifier = LPPUL(n_negatives=3).fit(*corpus(0)[:2])
    weights = classifier.feature_weights()
    assert weights[:6].min() > 0 > weights[6:12].max()
    assert np.abs(weights[12:]).max() < np.abs(weights[:12]).min()


def test_fits_are_repeatable_and_only_many_seeds_are_sampled():
    X, y, _ = corpus(0, n_labeled=12)
    sampled = LPPUL(max_paths=3, n_negatives=1, random_state=0)
    scores = clone(sampled).fit(X, y).transduction_scores_
    assert_array_equal(sampled.fit(X, y).transduction_scores_, scores)
    full = [LPPUL(n_negatives=1, random_state=seed).fit(X, y) for seed in (0, 1)]
    assert_array_equal(full[0].transduction_scores_, full[1].transduction_scores_)


def test_the_report_tells_the_graph_and_the_solver():
    X, y, _ = corpus(0)
    classifier = LPPUL(n_neighbors=3, n_negatives=2).fit(X, y)
    report = classifier.report_
    assert report["n_neighbors"] == 3
    assert 80 * 3 / 2 <= report["n_edges"] <= 80 * 3
    # Of the 80 * 3 neighbors, those that both ends name are an edge once, and all that is left.
    mutual = LPPUL(graph="mutual_knn", n_neighbors=3, n_negatives=2).fit(X, y).report_
    assert mutual["n_edges"] == 80 * 3 - report["n_edges"]
    assert report["n_components"] >= 1
    assert report["converged"] is True
    assert report["n_iter"] > 1
    assert_array_equal(classifier.X_fit_.toarray(), unit_rows(X).toarray())


def test_no_term_left_of_the_positives_is_refused():
    with pytest.raises(ValueError, match=r"no positive sample has a term left at max_df=0\.3"):
        LPPUL(max_df=0.3).fit([[1.0, 0], [1, 0], [0, 1]], [1, 0, 0])


def test_a_solver_that_gives_up_warns(monkeypatch):
    monkeypatch.setattr("core.classifiers.lp_pul.llgc", partial(llgc, max_iter=2))
    with pytest.warns(ConvergenceWarning, match="did not converge in 2 iterations"):
        classifier = LPPUL().fit(*corpus(0)[:2])
    assert classifier.report_["converged"] is False
    assert "not_converged" in classifier.report_["flags"]
