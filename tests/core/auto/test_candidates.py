import numpy as np
import pytest
import scipy.sparse as sp

from core.auto import candidates
from core.auto.candidates import (
    LINEAR,
    MOST_WITH_GRAPH,
    PAIRS_PER_SECOND,
    SAMPLED,
    auto_candidates,
    graph_seconds,
    rows_in_graph,
)
from core.review.choice import MAX_LATENT

COUNTS = sp.csr_array(np.random.default_rng(0).poisson(0.5, size=(300, 40)))


def test_work_on_a_graph_is_that_of_all_pairs_with_a_common_term():
    shared = (COUNTS > 0).astype(int)
    assert graph_seconds(COUNTS) * PAIRS_PER_SECOND == (shared @ shared.T).sum()


@pytest.mark.parametrize(
    ("times", "most_with_graph", "expected"),
    [(1, 300, 300), (1, 299, 150), (0.25, 300, 150), (0.16, 300, 120), (0.02, 300, 0)],
)
def test_so_many_documents_are_in_the_graph_as_there_is_time_for(
    monkeypatch, times, most_with_graph, expected
):
    monkeypatch.setattr(candidates, "MOST_WITH_GRAPH", most_with_graph)
    monkeypatch.setattr(candidates, "MOST_SAMPLED", 150)
    monkeypatch.setattr(candidates, "LEAST_SAMPLED", 50)
    # The graph may take a fifth.
    seconds = 5 * times * graph_seconds(COUNTS) * (1 + 1e-9)
    assert rows_in_graph(COUNTS, seconds) == expected


def test_without_a_term_a_graph_takes_no_time():
    assert rows_in_graph(sp.csr_array((9, 4)), 0.0) == 9


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "seconds", "favourite", "params"),
    [
        (5, 0, np.inf, "seed_expansion", {}),
        (5, 14, np.inf, "seed_expansion", {}),
        (5, 15, np.inf, "judged_svm", {}),
        (290, 0, np.inf, "seed_expansion", {}),
        (5, 0, 0.1, "seed_expansion", LINEAR),
        (5, 0, 1e-9, "prototype", {}),
        (5, 15, 1e-9, "judged_svm", {}),
        (5, 295, np.inf, "judged_svm", {}),
    ],
)
def test_the_favourite_suits_the_task(n_positive, n_negative, seconds, favourite, params):
    candidates, _ = auto_candidates(COUNTS, n_positive, n_negative, seconds=seconds)
    assert candidates[0].algorithm == favourite
    assert candidates[0].params == params


@pytest.mark.parametrize("seconds", [np.inf, 1e-9])
def test_each_takes_part_once_and_baselines_come_last(seconds):
    candidates, _ = auto_candidates(COUNTS, 5, 0, seconds=seconds)
    names = [candidate.algorithm for candidate in candidates]
    assert len(set(names)) == len(names)
    assert [c.is_baseline for c in candidates] == sorted(c.is_baseline for c in candidates)
    assert sum(c.is_baseline for c in candidates) == 3


@pytest.mark.parametrize(("n_more", "params", "of_rival"), [(0, {}, {}), (1, LINEAR, SAMPLED)])
def test_of_many_documents_some_are_learned_from_without_neighbors(n_more, params, of_rival):
    counts = sp.csr_array((MOST_WITH_GRAPH + n_more, 3))
    candidates, _ = auto_candidates(counts, 5, 0)
    assert candidates[:2] == [
        ("seed_expansion", params, False),
        ("weighted_logistic_regression", of_rival, False),
    ]
    assert candidates[3] == ("naive_logistic_regression", of_rival, True)


def test_of_a_large_pile_judgements_are_learned_without_latent_directions():
    for n_more, params in ((0, {}), (1, {"n_components": 0})):
        counts = sp.csr_array((MAX_LATENT + n_more, 3))
        judged = auto_candidates(counts, 5, 100)[0][0]
        assert (judged.algorithm, judged.params) == ("judged_svm", params)
