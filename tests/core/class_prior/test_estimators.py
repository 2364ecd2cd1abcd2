import pickle
import pydoc
from functools import cache

import numpy as np
import pytest
from scipy.sparse import csr_array

from core.class_prior.consensus import consensus_of_ranks, consensus_prior, consensus_value
from core.class_prior.estimators import bounded_estimate, without_copies
from core.class_prior.largest_admissible import largest_admissible_prior
from core.datasets import make_pu_data
from core.errors import NoUnlabeled
from core.kernels.graphs.conductance import candidate_conductance
from core.kernels.graphs.knn_graph import N_NEIGHBORS, knn_graph
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores.left_out_ranks import PairedRanks, left_out_ranks
from core.progress import listening
from core.registry import CLASS_PRIOR_ESTIMATORS

X, Y, Y_TRUE = make_pu_data(200, 60, class_prior=0.4, random_state=0)
IS_POSITIVE = Y == 1

each = pytest.mark.parametrize("name", sorted(CLASS_PRIOR_ESTIMATORS))


@pytest.fixture(scope="module")
def ranks():
    return left_out_ranks(X, IS_POSITIVE, random_state=0)


def without_graph(ranks):
    return ranks._replace(conductance=None)


@pytest.fixture(scope="module")
def estimated(ranks):
    """Return what estimates by a name from ranks, once, and the shares of progress it told."""

    @cache
    def estimate(name):
        heard = []
        with listening(lambda stage, share: heard.append(share)):
            found = CLASS_PRIOR_ESTIMATORS[name](X, IS_POSITIVE, ranks=ranks, random_state=0)
        return found, heard

    return estimate


@cache
def estimated_alone(name):
    """Return the estimate by a name that makes its ranks itself."""
    return CLASS_PRIOR_ESTIMATORS[name](X, IS_POSITIVE, random_state=0)


@each
def test_estimates_lie_in_their_intervals(name, estimated):
    estimate, _ = estimated(name)
    edge = 1 / (~IS_POSITIVE).sum()
    assert edge <= estimate.low <= estimate.value <= estimate.high <= 1 - edge
    assert estimate.reason is None
    assert 0 < estimate.largest_admissible < 1


@each
def test_an_estimator_tells_how_far_it_is(name, estimated):
    _, heard = estimated(name)
    assert heard == sorted(heard)
    assert (len(heard) >= 5, heard[-1]) == (True, 1.0)


@each
def test_help_tells_how_it_estimates_and_what_it_takes(name):
    told = pydoc.render_doc(CLASS_PRIOR_ESTIMATORS[name], renderer=pydoc.plaintext)
    assert "share of positives among the unlabeled" in told
    assert "PriorEstimate" in told
    assert "partial(func" not in told  # what help() has for a partial function


@each
def test_an_estimator_can_be_sent_to_another_process(name, ranks, estimated):
    estimate = pickle.loads(pickle.dumps(CLASS_PRIOR_ESTIMATORS[name]))
    assert estimate(X, IS_POSITIVE, ranks=ranks, random_state=0) == estimated(name)[0]
    assert estimate.__doc__ == CLASS_PRIOR_ESTIMATORS[name].__doc__


@each
def test_seed_decides(name):
    again = CLASS_PRIOR_ESTIMATORS[name](X, IS_POSITIVE, random_state=0)
    assert again == estimated_alone(name)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *((name, bool) for name in sorted(CLASS_PRIOR_ESTIMATORS)),
        ("ted", np.int8),
        ("ted", np.int64),
    ],
)
def test_sparse_whole_numbers_are_numbers(name, dtype):
    rows, estimate = X.astype(dtype), CLASS_PRIOR_ESTIMATORS[name]
    expected = estimate(rows.astype(float), IS_POSITIVE, random_state=0)
    assert estimate(rows, IS_POSITIVE, random_state=0) == expected


@each
def test_one_positive_has_no_estimate(name):
    one = np.arange(200) == np.flatnonzero(IS_POSITIVE)[0]
    estimate = CLASS_PRIOR_ESTIMATORS[name](X, one, random_state=0)
    assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
    assert estimate.reason == "too_few_positives"


@each
def test_one_unlabeled_sample_has_no_estimate(name):
    estimate = CLASS_PRIOR_ESTIMATORS[name](X, np.arange(200) > 0, random_state=0)
    assert (estimate.value, estimate.reason) == (None, "too_few_unlabeled")


@each
def test_samples_without_features_have_no_estimate(name):
    estimate = CLASS_PRIOR_ESTIMATORS[name](csr_array(X.shape), IS_POSITIVE, random_state=0)
    assert (estimate.value, estimate.reason) == (None, "no_features")


@each
def test_few_unlabeled_samples_are_enough_or_said_to_be_too_few(name):
    estimate = CLASS_PRIOR_ESTIMATORS[name](X, np.arange(200) > 1, random_state=0)
    assert estimate.value is not None or estimate.reason == "too_few_unlabeled"


@each
def test_labeled_samples_are_none_of_those_that_the_bounds_count(name):
    X, _, _ = make_pu_data(120, 60, class_prior=0.9, random_state=0)
    is_positive = np.arange(120) < 100
    estimate = CLASS_PRIOR_ESTIMATORS[name](X, is_positive, random_state=0)
    for value in (estimate.value, estimate.low, estimate.high):
        assert 1 / 20 <= value <= 1 - 1 / 20
    assert ("at_bound" in estimate.flags) == (estimate.value in (1 / 20, 1 - 1 / 20))


@each
def test_samples_that_are_all_labeled_are_refused(name):
    with pytest.raises(NoUnlabeled):
        CLASS_PRIOR_ESTIMATORS[name](X[IS_POSITIVE], np.ones(IS_POSITIVE.sum(), dtype=bool))


def test_consensus_is_the_geometric_mean_of_its_members(ranks):
    estimate = consensus_prior(X, IS_POSITIVE, ranks=without_graph(ranks), random_state=0)
    assert estimate.value == pytest.approx(np.exp(np.mean(np.log([*estimate.details.values()]))))


def test_consensus_without_an_interval_is_the_same(ranks):
    assert consensus_value(ranks) == consensus_of_ranks(without_graph(ranks)).value


@pytest.mark.parametrize("relative", [0.1, 0.7])
def test_consensus_is_corrected_by_how_well_the_share_is_separated(relative, ranks):
    n = len(ranks.unlabeled)
    share = np.arange(1, n + 1) / n
    plain = consensus_of_ranks(without_graph(ranks), random_state=0)
    conductance = np.where(share <= 0.5, relative * (1 - share), 1)
    estimate = consensus_of_ranks(ranks._replace(conductance=conductance), random_state=0)
    correction = 0.3 - 3 * relative**2
    # Four deviations below the mean without a graph.
    deviation = np.log(plain.value / plain.low) / 4
    center = np.log(plain.value) + correction
    low = np.exp(center - 3 * np.hypot(deviation, 0.4 * correction))
    assert estimate.low == pytest.approx(low)
    assert np.exp(center) <= estimate.value < 1.25 * np.exp(center)
    assert estimate.details == plain.details


def test_ranks_of_left_out_positives_know_the_graph_of_neighbors(ranks):
    Z = unit_rows(X)
    scores = np.zeros(len(IS_POSITIVE))
    scores[~IS_POSITIVE] = ranks.unlabeled
    graph = knn_graph(Z, N_NEIGHBORS)
    expected = candidate_conductance(graph, scores, IS_POSITIVE, ~IS_POSITIVE)
    # Of equal ones any may come first: sets end where ranks differ.
    in_order = np.sort(ranks.unlabeled)[::-1]
    ends = np.flatnonzero(np.diff(in_order))
    assert len(ends) > 100
    # Graphs of rows in another order choose among equally near neighbors.
    np.testing.assert_allclose(ranks.conductance[ends], expected[ends], rtol=0.005)
    assert consensus_of_ranks(without_graph(ranks)) != consensus_of_ranks(ranks)


def test_interval_of_the_consensus_ends_at_the_largest_admissible_value(ranks):
    estimate = consensus_prior(X, IS_POSITIVE, ranks=without_graph(ranks), random_state=0)
    # Two deviations above, on a scale of logarithms, where low is four below.
    uncut = estimate.value * np.sqrt(estimate.value / estimate.low)
    assert estimate.value < estimate.high == estimate.largest_admissible < uncut


def test_an_interval_holds_the_largest_admissible_value_where_all_of_it_is_above():
    ranks = PairedRanks(np.full(30, 0.9995), (np.arange(1000) + 0.5) / 1000)
    largest = largest_admissible_prior(ranks.positive, ranks.unlabeled)
    estimate = bounded_estimate(0.3, 0.2, 0.4, ranks, 1000)
    assert (estimate.value, estimate.low, estimate.high) == (0.3, largest, 0.4)
    assert largest < 0.01
    below = bounded_estimate(0.3, 0.001, 0.4, ranks, 1000)
    assert below.low == 0.001


def test_consensus_finds_a_hidden_share():
    estimate = consensus_prior(X, IS_POSITIVE, random_state=0)
    assert estimate.low <= Y_TRUE[~IS_POSITIVE].mean() <= estimate.high
    assert estimate.value == pytest.approx(Y_TRUE[~IS_POSITIVE].mean(), abs=0.1)


def test_wide_intervals_are_told():
    unlabeled = (np.arange(500) + 0.5) / 500
    spread = PairedRanks(np.array([0.999, 0.95, 0.5, 0.3]), unlabeled)
    assert "wide_interval" in consensus_of_ranks(spread, random_state=0).flags


@each
def test_copies_of_a_positive_count_once(name):
    positives = np.flatnonzero(IS_POSITIVE)
    rows = np.concatenate([np.arange(200), np.repeat(positives[0], 30)])
    with_copies = CLASS_PRIOR_ESTIMATORS[name](X[rows], IS_POSITIVE[rows], random_state=0)
    assert with_copies == estimated_alone(name)


@each
def test_copies_of_one_positive_have_no_estimate(name):
    rows = np.concatenate([np.repeat(np.flatnonzero(IS_POSITIVE)[0], 6), np.flatnonzero(Y == 0)])
    estimate = CLASS_PRIOR_ESTIMATORS[name](X[rows], np.arange(len(rows)) < 6, random_state=0)
    assert (estimate.value, estimate.reason) == (None, "too_few_positives")


def test_near_copies_of_a_positive_count_once_too():
    random = np.random.default_rng(0)
    texts = [random.choice(400, 15, replace=False) for _ in range(60)]
    # The first once more, with a word of its own each time; one of these nobody has labeled.
    texts += [np.append(texts[0], 400 + i) for i in range(6)]
    X = np.zeros((66, 406))
    for row, words in zip(X, texts, strict=True):
        row[words] = 1.0
    is_positive = np.isin(np.arange(66), [*range(10), *range(60, 65)])
    kept, is_kept_positive = without_copies(csr_array(X), is_positive)
    assert (kept.shape[0], is_kept_positive.sum()) == (61, 10)
    estimate = consensus_prior(kept, is_kept_positive, random_state=0)
    assert consensus_prior(csr_array(X), is_positive, random_state=0) == estimate


@each
def test_positives_without_a_feature_of_the_others_tell_nothing_of_them(name):
    rows = csr_array(np.kron(np.eye(2), np.random.default_rng(0).random((20, 5)) + 0.1))
    estimate = CLASS_PRIOR_ESTIMATORS[name](rows, np.arange(40) < 20, random_state=0)
    assert (estimate.value, estimate.reason) == (None, "nothing_shared")


@pytest.mark.parametrize("seed", range(3))
def test_a_share_of_most_of_the_pile_is_kept(seed):
    X, y, y_true = make_pu_data(1000, 60, class_prior=0.95, random_state=seed)
    estimate = consensus_prior(X, y == 1, random_state=0)
    share = y_true[y == 0].mean()
    assert estimate.low <= share <= estimate.high
    assert estimate.value == pytest.approx(share, abs=0.1)
