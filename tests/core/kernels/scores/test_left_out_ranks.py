import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.datasets import make_pu_data
from core.errors import NoUnlabeled, TooFewPositives
from core.kernels.graphs.knn_graph import N_NEIGHBORS, knn_graph
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores import left_out_ranks as module
from core.kernels.scores.left_out_ranks import OF_GRAPH, left_out_ranks, rows_to_rank
from core.progress import listening
from core.validation import canonical_csr
from tests.core.texts_with_copies import texts_with_copies

X, Y, Y_TRUE = make_pu_data(500, 60, class_prior=0.4, label_frequency=0.2, random_state=0)
# In the order of their contents: of neighbors that are equally near, the first are taken.
ORDER = content_order(canonical_csr(X))
X, Y, Y_TRUE = X[ORDER], Y[ORDER], Y_TRUE[ORDER]


def test_left_out_positives_rank_as_hidden_ones_do():
    ranks = left_out_ranks(X, Y == 1, random_state=0)
    hidden = ranks.unlabeled[Y_TRUE[Y == 0] == 1]
    # Standard error of the mean of 40 shares: below 0.05.
    assert_allclose(ranks.positive.mean(), hidden.mean(), atol=0.1)
    assert hidden.mean() > ranks.unlabeled.mean() + 0.1


def test_a_graph_made_before_changes_nothing():
    graph = knn_graph(unit_rows(canonical_csr(X)), N_NEIGHBORS)
    shared = left_out_ranks(X, Y == 1, graph=graph, random_state=0)
    alone = left_out_ranks(X, Y == 1, random_state=0)
    assert_array_equal(np.concatenate(shared), np.concatenate(alone))


def test_labels_that_mean_nothing_do_not_lift_ranks():
    is_positive = np.random.default_rng(0).permutation(500) < 60
    ranks = left_out_ranks(X, is_positive, random_state=0)
    # Standard error of the mean of 60 shares: 0.04.
    assert_allclose(ranks.positive.mean(), 0.5, atol=0.12)


def test_copies_do_not_give_each_other_away():
    chosen = np.random.default_rng(0).permutation(500)[:60]
    rows = sp.vstack([X, X[chosen]], format="csr")
    is_positive = np.append(np.isin(np.arange(500), chosen), np.ones(60, dtype=bool))
    ranks = left_out_ranks(rows, is_positive, random_state=0)
    assert_allclose(ranks.positive.mean(), 0.5, atol=0.12)


def test_near_copies_do_not_give_each_other_away():
    rows, is_positive = texts_with_copies(200, 6, 8)
    ranks = left_out_ranks(rows, is_positive, random_state=0)
    # The texts have nothing in common but by chance; a copy that stayed would lift them to the top.
    assert ranks.positive.max() < 0.9


def test_copies_of_one_positive_are_left_out_one_by_one():
    rows = sp.vstack([X[[0] * 5], X[100:200]], format="csr")
    ranks = left_out_ranks(rows, np.arange(105) < 5, random_state=0)
    assert ranks.positive.min() > 0.98  # at most one of a hundred is nearer


def test_ranks_of_the_unlabeled_are_spread_evenly():
    ranks = left_out_ranks(X, Y == 1, random_state=0)
    n = len(ranks.unlabeled)
    assert_allclose(np.sort(ranks.unlabeled), (np.arange(n) + 0.5) / n, atol=2 / n)


def test_samples_without_features_are_taken():
    rows = X.copy()
    rows.data[: rows.indptr[5]] = 0
    rows.eliminate_zeros()
    ranks = left_out_ranks(rows, Y == 1, random_state=0)
    assert np.isfinite(np.concatenate(ranks)).all()


@pytest.mark.parametrize(("n_positive", "error"), [(1, TooFewPositives), (30, NoUnlabeled)])
def test_too_few_of_either_kind_are_refused(n_positive, error):
    with pytest.raises(error):
        left_out_ranks(X[:30], np.arange(30) < n_positive)


def test_of_many_unlabeled_samples_some_are_ranked(monkeypatch):
    of_all = left_out_ranks(X, Y == 1, random_state=0)
    monkeypatch.setattr(module, "MAX_RANKED", 200)
    rows = rows_to_rank(X, Y == 1, np.ones(len(Y), dtype=bool), np.random.RandomState(0))
    assert set(np.flatnonzero(Y == 1)) <= set(rows)
    assert len(np.unique(rows)) == len(rows) == (Y == 1).sum() + 200
    ranks = left_out_ranks(X, Y == 1, random_state=0)
    assert len(ranks.unlabeled) == 200
    # Standard error of a share of 200: below 0.04; the latent directions change, too.
    assert_allclose(ranks.positive.mean(), of_all.positive.mean(), atol=0.1)


def test_making_graph_and_singular_vectors_is_told_of_in_turn():
    X, y, _ = make_pu_data(300, 20, random_state=0)
    heard = []
    with listening(lambda stage, share: heard.append(share)):
        left_out_ranks(X, y == 1, random_state=0)
    assert heard == sorted(heard)
    # The graph is made first; then two for each pass, of at least four.
    assert heard[0] <= OF_GRAPH < heard[-8]
    assert heard[-1] == 1.0
