import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import block_diag
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_info

from core.calibration import cuts
from core.calibration.cuts import (
    budget_cut,
    class_prior_cut,
    conductance_cut,
    lee_liu_cut,
    mixture_cut,
)
from core.kernels.graphs.conductance import Neighbors

SCORES = np.random.default_rng(0).permutation(np.linspace(-1, 1, 41))


def n_accepted(cut, scores=SCORES):
    return int((scores >= cut.offset).sum())


@pytest.mark.parametrize(("asked", "accepted"), [(0, 0), (1, 1), (7, 7), (41, 41), (1000, 41)])
def test_budget_accepts_as_many_as_asked_or_all(asked, accepted):
    assert n_accepted(budget_cut(SCORES, asked)) == accepted


def test_budget_accepts_all_of_equal_scores_at_the_cut():
    scores = np.array([3.0, 2, 2, 2, 1])
    assert n_accepted(budget_cut(scores, 2), scores) == 4


def test_class_prior_accepts_its_share():
    assert n_accepted(class_prior_cut(SCORES, 10 / 41)) == 10
    assert class_prior_cut(SCORES, None) == (None, "class_prior_unknown")
    assert class_prior_cut(SCORES, None, "too_few_positives") == (None, "too_few_positives")


def test_lee_liu_is_the_best_of_all_cuts():
    ranks = np.random.default_rng(1).beta(6, 1, size=12)
    places = np.sort(SCORES)
    scores_of_cuts = []
    for n in range(1, 42):
        recall = (ranks >= 1 - n / 41 - 1e-9).mean()
        scores_of_cuts.append(recall**2 / (n / 41))
    best = lee_liu_cut(SCORES, ranks)
    assert scores_of_cuts[n_accepted(best, places) - 1] == pytest.approx(max(scores_of_cuts))


def test_lee_liu_accepts_no_more_where_a_share_is_not_exact():
    # (1 - 0.7) * 10 is a little above 3 in floating point.
    assert lee_liu_cut(np.arange(10.0), np.array([0.7])).offset == 6.5


def test_lee_liu_counts_all_equal_scores_as_accepted():
    # Fifty of their own, then 300 alike, in whose middle eleven of twenty positives rank: to accept
    # all of these gives 1 / 350, the fifty alone .45² / 50.
    scores = np.concatenate([np.zeros(650), np.ones(300), np.arange(2.0, 52)])
    ranks = np.repeat([0.95, 0.8], [9, 11])
    assert n_accepted(lee_liu_cut(scores, ranks), scores) == 50


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_mixture_parts_two_heaps_at_any_scale(scale):
    random = np.random.default_rng(2)
    scores = scale * np.concatenate([random.normal(0, 1, 300), random.normal(12, 1, 60)])
    assert n_accepted(mixture_cut(scores, random_state=0), scores) == 60


def test_mixture_accepts_nothing_of_the_lower_tail_that_is_nearer_to_a_wide_upper_heap():
    random = np.random.default_rng(1)
    scores = np.concatenate([random.normal(0, 1, 100), random.normal(1, 4, 30)])
    mixture = GaussianMixture(2, random_state=0).fit(scores[:, None])
    assert mixture.predict([[scores.min()]]) == np.argmax(mixture.means_)
    assert mixture_cut(scores, random_state=0).offset > mixture.means_.min()


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32])
def test_scores_may_be_whole_numbers(dtype):
    scores = np.arange(5, dtype=dtype)
    assert [budget_cut(scores, n).offset for n in (5, 2)] == [-1, 2.5]


def test_mixture_is_fitted_by_one_thread(monkeypatch):
    """k-means sets a limit of its own: beside another thread's it would stay."""

    class Watched(GaussianMixture):
        def fit(self, X):
            numbers = {
                each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"
            }
            assert numbers == {1}
            return super().fit(X)

    monkeypatch.setattr(cuts, "GaussianMixture", Watched)
    assert mixture_cut(np.array([0.0, 0.1, 0.2, 5, 5.1]), random_state=0).offset > 0.2


def test_mixture_of_equal_scores_has_no_cut():
    assert mixture_cut(np.ones(5)) == (None, "equal_scores")
    assert mixture_cut(np.array([0, 1e-320])) == (None, "equal_scores")


@pytest.fixture
def cliques():
    """Ten samples that are all neighbors, thirty others that are, and one edge between them."""
    graph = block_diag(np.ones((10, 10)), np.ones((30, 30))) - np.eye(40)
    graph[9, 10] = graph[10, 9] = 1
    return sp.csr_array(graph)


@pytest.mark.parametrize("class_prior", [None, 0.15, 0.4])
def test_conductance_cuts_where_few_edges_leave(cliques, class_prior):
    is_positive = np.arange(40) == 0
    scores = -np.arange(40.0)
    cut = conductance_cut(
        scores, is_positive, ~is_positive, Neighbors(cliques), class_prior=class_prior
    )
    assert n_accepted(cut, scores[1:]) == 9


def test_conductance_of_some_samples_cuts_all(cliques):
    # Two samples beside each that is a neighbor of others.
    is_positive, scores = np.arange(120) < 2, -np.arange(120.0)
    some = Neighbors(cliques, rows=np.arange(40) * 3)
    cut = conductance_cut(scores, is_positive, ~is_positive, some, class_prior=0.25)
    assert -30 < cut.offset < -27


def test_conductance_needs_a_graph():
    nobody = np.zeros(41, dtype=bool)
    assert conductance_cut(SCORES, nobody, ~nobody, None) == (None, "no_graph")
