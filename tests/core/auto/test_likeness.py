import numpy as np
import pytest
import scipy.sparse as sp

from core.auto import likeness
from core.auto.candidates import graph_seconds
from core.auto.likeness import find_likeness
from core.classifiers.seed_expansion import SeedExpansion
from core.kernels import knn_graph as module
from core.kernels.left_out_ranks import left_out_ranks
from core.pipeline import make_text_classifier
from core.progress import listening
from core.shared_work import sharing

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


def test_a_graph_is_a_part_of_the_work():
    shares = []
    with listening(lambda _, share: shares.append(share)):
        find_likeness(COUNTS, random_state=0)
    assert (sorted(set(shares)), shares[-1]) == ([likeness.GRAPH, 1], 1)


def test_copies_of_a_positive_count_once():
    rows = np.append(np.arange(80), np.zeros(3, dtype=int))
    found = find_likeness(COUNTS[rows], random_state=0)
    ranks = found.left_out_ranks(POSITIVE[rows], NOBODY[rows], random_state=0)
    assert [len(each) for each in ranks] == [6, 74]


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
