import numpy as np
import pytest
import scipy.sparse as sp

from core.auto import likeness
from core.auto.candidates import graph_seconds
from core.auto.likeness import find_likeness
from core.classifiers.seed_expansion import SeedExpansion
from core.kernels.graphs import knn_graph as module
from core.kernels.graphs.conductance import candidate_conductance
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores import left_out_ranks as module_of_ranks
from core.kernels.scores.left_out_ranks import left_out_ranks
from core.pipeline import make_text_classifier
from core.progress import listening
from core.shared_work import sharing
from tests.core.texts_with_copies import texts_with_copies

RANDOM = np.random.default_rng(0)
COUNTS = sp.csr_array(RANDOM.poisson(0.4, size=(80, 40)))
POSITIVE = np.arange(80) < 6
NOBODY = np.zeros(80, dtype=bool)


def test_judged_negatives_are_left_aside():
    found = find_likeness(COUNTS, random_state=0)
    is_negative = np.arange(80) >= 70
    ranks = found.left_out_ranks(POSITIVE, is_negative, random_state=0)
    kept = np.arange(70)
    expected = left_out_ranks(
        found.weights.transform(COUNTS[kept]),
        POSITIVE[kept],
        graph=found.graph[kept][:, kept],
        latent=found.latent[kept],
        random_state=0,
    )
    assert ranks.positive.tolist() == expected.positive.tolist()
    assert len(ranks.unlabeled) == 64


@pytest.mark.parametrize("most", [100, 30])
def test_what_resembles_positives_is_read_from_the_top(monkeypatch, most):
    # Of many documents some stand for all, those judged among them.
    monkeypatch.setattr(module_of_ranks, "MAX_RANKED", most)
    found = find_likeness(COUNTS, random_state=0)
    Z = unit_rows(found.weights.transform(COUNTS)).toarray()
    means = Z[POSITIVE].sum(axis=0), Z.sum(axis=0)
    of_positives, of_all = (Z @ (mean / np.linalg.norm(mean)) for mean in means)
    order = np.argsort(of_all - of_positives, kind="stable")
    top = order[~POSITIVE[order]]
    assert found.are_from_top(POSITIVE, top[:20], random_state=0)
    assert found.are_from_top(POSITIVE, np.append(0, top[:20]), random_state=0)
    assert not found.are_from_top(POSITIVE, np.array([0, 1]), random_state=0)
    assert not found.are_from_top(POSITIVE, top[::-1], random_state=0)
    assert not found.are_from_top(POSITIVE, RANDOM.permutation(top), random_state=0)


def test_a_graph_is_a_part_of_the_work():
    shares = []
    with listening(lambda _, share: shares.append(share)):
        find_likeness(COUNTS, random_state=0)
    assert (sorted(set(shares)), shares[-1]) == ([likeness.GRAPH, 1], 1)


def test_copies_of_a_positive_count_once():
    rows = np.append(np.arange(80), np.zeros(3, dtype=int))
    found = find_likeness(COUNTS[rows], random_state=0)
    ranks = found.left_out_ranks(POSITIVE[rows], NOBODY[rows], random_state=0)
    assert (len(ranks.positive), len(ranks.unlabeled)) == (6, 74)


def test_near_copies_of_a_positive_count_once():
    counts, is_positive = texts_with_copies(80, 6, 5)
    found = find_likeness(counts, random_state=0)
    ranks = found.left_out_ranks(is_positive, is_positive & False, random_state=0)
    assert (len(ranks.positive), len(ranks.unlabeled)) == (6, 74)


@pytest.mark.parametrize(("factor", "has_graph"), [(0.9, False), (1.1, True)])
def test_the_graph_is_made_where_it_is_a_small_share_of_the_time(factor, has_graph):
    found = find_likeness(COUNTS, seconds=5 * factor * graph_seconds(COUNTS), random_state=0)
    assert (found.graph is not None) == has_graph
    assert (found.latent.shape[1] > 0) == has_graph
    assert len(found.left_out_ranks(POSITIVE, NOBODY, random_state=0).positive) == 6


def test_seed_expansion_needs_no_graph_of_its_own(monkeypatch):
    made = []
    original = module.nearest_rows
    monkeypatch.setattr(
        module, "nearest_rows", lambda *args, **rest: made.append(1) or original(*args, **rest)
    )
    pipeline = make_text_classifier("seed_expansion", random_state=0)
    X = pipeline["weights"].fit_transform(COUNTS)
    with sharing():
        find_likeness(COUNTS, random_state=0)
        SeedExpansion(random_state=0).fit(X, POSITIVE.astype(int))
    assert made == [1]


def test_the_order_of_equal_scores_does_not_depend_on_that_of_the_documents():
    order, equal = RANDOM.permutation(80), np.zeros(80)
    conductance = [
        find_likeness(COUNTS[rows], random_state=0)
        .neighbors(POSITIVE[rows], NOBODY)
        .conductance(equal, POSITIVE[rows], ~POSITIVE[rows])
        for rows in (slice(None), order)
    ]
    assert conductance[1] == pytest.approx(conductance[0])


def sampled(counts=COUNTS):
    found = find_likeness(counts, random_state=0)
    return found._replace(graph=None, latent=np.zeros((counts.shape[0], 0)), n_sampled=30)


def test_a_graph_of_some_documents_is_exact_among_them():
    found, is_negative = sampled(), np.arange(80) >= 70
    graph, rows = found.neighbors(POSITIVE, is_negative, random_state=0)
    assert (np.unique(rows).tolist(), len(rows)) == (np.sort(rows).tolist(), 36)
    assert POSITIVE[rows].sum() == 6
    assert not is_negative[rows].any()
    Z = unit_rows(found.weights.transform(COUNTS[rows]))
    assert (graph != knn_graph(Z, 10)).nnz == 0


def test_of_many_positives_as_large_a_part_is_in_the_graph_as_of_all(monkeypatch):
    monkeypatch.setattr(likeness, "LEAST_POSITIVE", 10)
    is_positive = np.arange(80) < 40
    _, rows = sampled().neighbors(is_positive, NOBODY, random_state=0)
    assert is_positive[rows].sum() == 15


def test_which_documents_are_in_the_graph_does_not_depend_on_their_order():
    order = RANDOM.permutation(80)
    _, rows = sampled().neighbors(POSITIVE, NOBODY, random_state=0)
    _, others = sampled(COUNTS[order]).neighbors(POSITIVE[order], NOBODY, random_state=0)
    assert (COUNTS[rows] != COUNTS[order[others]]).nnz == 0


def test_left_out_ranks_have_the_conductance_of_some_documents():
    found = sampled()
    ranks = found.left_out_ranks(POSITIVE, NOBODY, random_state=0)
    plain = found._replace(n_sampled=0).left_out_ranks(POSITIVE, NOBODY, random_state=0)
    assert plain.conductance is None
    assert (len(ranks.unlabeled), len(ranks.conductance)) == (74, 30)
    graph, rows = found.neighbors(POSITIVE, NOBODY, random_state=0)
    scores = np.append(np.zeros(6), ranks.unlabeled)[rows]
    expected = candidate_conductance(graph, scores, POSITIVE[rows], ~POSITIVE[rows])
    assert ranks.conductance.tolist() == expected.tolist()


def test_documents_without_a_common_term_have_no_neighbors():
    counts = sp.csr_array(np.eye(80))
    assert sampled(counts).neighbors(POSITIVE, NOBODY, random_state=0) is None
