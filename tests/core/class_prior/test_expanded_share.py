import numpy as np
import pytest
import scipy.sparse as sp

from core.class_prior.consensus import consensus_value
from core.class_prior.expanded_share import (
    AgreedShare,
    GivenShare,
    ShareOfOne,
    ShareOfSome,
)
from core.class_prior.prior_shift import shifted_prior
from core.kernels.scores.left_out_ranks import PairedRanks

LOG_ODDS = np.array([3.0, 2.5, -1, -2, -2.5, -3])
IS_POSITIVE = np.arange(6) == 0
IS_CANDIDATE = ~IS_POSITIVE
#: 0 - 1, 2 - 3 - 4 - 5.
CHAIN = np.array([[0, 1], [2, 3], [3, 4], [4, 5]]).T
NO_EDGES = sp.csr_array((6, 6))
RANKS = PairedRanks(np.array([0.9, 0.7]), (np.arange(5) + 0.5) / 5)


def graph():
    edges = sp.csr_array((np.ones(CHAIN.shape[1]), CHAIN), shape=(6, 6))
    return (edges + edges.T).tocsr()


def test_a_given_share_is_that():
    assert GivenShare(0.3)(LOG_ODDS) == 0.3


def test_two_estimates_meet_in_the_geometric_mean():
    agreed = shifted_prior(4 * LOG_ODDS[IS_CANDIDATE])
    by_ranks = consensus_value(RANKS)
    assert AgreedShare(RANKS, IS_CANDIDATE)(LOG_ODDS) == pytest.approx(np.sqrt(by_ranks * agreed))


def test_before_anything_is_learned_a_given_share_or_the_ranks_or_nothing_tells():
    assert GivenShare(0.3).at_first == 0.3
    assert AgreedShare(RANKS, IS_CANDIDATE).at_first == consensus_value(RANKS)
    assert ShareOfOne(graph(), IS_POSITIVE, IS_CANDIDATE).at_first == 1


def test_what_ranks_above_the_left_out_positives_twice_over_is_learned_from():
    assert AgreedShare(RANKS, IS_CANDIDATE).most == pytest.approx(2 * (1 - 0.7))


def test_from_one_positive_the_cut_goes_where_no_edge_leaves():
    share = ShareOfOne(graph(), IS_POSITIVE, IS_CANDIDATE)
    assert share(LOG_ODDS) == 1 / 5
    assert share.source == "log_odds, conductance"


def test_without_edges_the_log_odds_decide():
    share = ShareOfOne(NO_EDGES, IS_POSITIVE, IS_CANDIDATE)
    near = 1.5 * shifted_prior(16 * LOG_ODDS[IS_CANDIDATE])
    assert share(LOG_ODDS) == share.at_cut(LOG_ODDS, LOG_ODDS) == pytest.approx(near)
    assert share.source == "log_odds"
    assert ShareOfOne(NO_EDGES, IS_POSITIVE, IS_CANDIDATE)(-LOG_ODDS) == 1


def test_from_one_positive_the_first_scores_decide():
    share = ShareOfOne(NO_EDGES, IS_POSITIVE, IS_CANDIDATE)
    assert share(LOG_ODDS) == share(-LOG_ODDS)


def test_from_one_positive_the_cut_is_by_the_last_ranking_near_the_share_of_the_first():
    share = ShareOfOne(graph(), IS_POSITIVE, IS_CANDIDATE)
    assert share(LOG_ODDS) == 1 / 5
    # Its neighbor ranks last: edges that leave over those at the smaller side, counted by hand.
    later = np.array([3.0, -3, 2.5, 2, 1.5, 1])
    near = 1.5 * shifted_prior(16 * LOG_ODDS[IS_CANDIDATE])
    conductance = np.array([1, 2 / 4, 2 / 2, 1 / 1, 1])
    costs = np.log(conductance) + 2 * np.log(np.arange(1, 6) / (5 * near)) ** 2
    assert share.at_cut(LOG_ODDS, later) == (1 + np.argmin(costs)) / 5 != share(later)


def test_of_two_positives_the_cut_is_by_the_last_log_odds_alone():
    share = AgreedShare(RANKS, IS_CANDIDATE)
    assert share.at_cut(-LOG_ODDS, LOG_ODDS) == share(-LOG_ODDS) != share(LOG_ODDS)


@pytest.mark.parametrize(
    "share",
    [
        GivenShare(0.3),
        AgreedShare(RANKS, IS_CANDIDATE),
        ShareOfOne(graph(), IS_POSITIVE, IS_CANDIDATE),
    ],
    ids=lambda share: type(share).__name__,
)
def test_some_samples_speak_for_all(share):
    rows = np.array([7, 0, 1, 4, 5, 2])
    log_odds, scores = np.full(8, 9.0), np.full(8, -9.0)
    log_odds[rows], scores[rows] = LOG_ODDS, LOG_ODDS - 1
    of_some = ShareOfSome(share, rows)
    assert of_some(log_odds) == share(LOG_ODDS)
    assert of_some.at_cut(log_odds, scores) == share.at_cut(LOG_ODDS, LOG_ODDS - 1)
    assert of_some.source == share.source
    assert (of_some.most, of_some.at_first) == (share.most, share.at_first)
    assert of_some.without_graph()(log_odds) == share.without_graph()(LOG_ODDS)


def test_without_a_graph_nothing_is_remembered_of_it():
    share = ShareOfOne(graph(), IS_POSITIVE, IS_CANDIDATE)
    share(LOG_ODDS)
    expected = ShareOfOne(NO_EDGES, IS_POSITIVE, IS_CANDIDATE)(LOG_ODDS)
    assert share.without_graph()(LOG_ODDS) == expected
