import numpy as np
import pytest

from core.class_prior.bbe import best_bin_prior
from core.class_prior.consensus import consensus_of_ranks
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.hidden_positives import hidden_positives_prior
from core.class_prior.largest_admissible import largest_admissible_prior
from core.kernels.scores.left_out_ranks import PairedRanks


@pytest.fixture
def ranks():
    """Positives that rank among the first fifth of the unlabeled samples, where theirs are."""
    random = np.random.default_rng(0)
    return PairedRanks(1 - 0.2 * random.random(60), (np.arange(1000) + 0.5) / 1000)


@pytest.fixture
def of_classifier():
    """Positives that a classifier ranks somewhat lower."""
    random = np.random.default_rng(1)
    return PairedRanks(1 - 0.3 * random.random(60), (np.arange(1000) + 0.5) / 1000)


def test_value_is_the_geometric_mean_in_which_the_share_accepted_counts_twice(ranks, of_classifier):
    estimate = hidden_positives_prior(ranks, of_classifier, accepted=0.3)
    each = [
        best_bin_prior(*ranks[:2]),
        best_bin_prior(*of_classifier[:2]),
        dedpul_prior(*of_classifier[:2]),
    ]
    assert estimate.value == pytest.approx((np.prod(each) * 0.3**2) ** (1 / 5))
    assert list(estimate.details.values()) == pytest.approx([*each, 0.3])
    alone = hidden_positives_prior(ranks, of_classifier)
    assert alone.value == pytest.approx(np.prod(each) ** (1 / 3))


def test_interval_is_that_of_the_five_and_at_least_of_what_agrees(ranks, of_classifier):
    estimate = hidden_positives_prior(ranks, of_classifier, accepted=0.05)
    *three, accepted = estimate.details.values()
    logs = np.log([*three, accepted, accepted])
    deviation = np.sqrt(0.3**2 + logs.var(ddof=1))
    low, high = np.exp(logs.mean() + deviation * np.array([-3.3, 1.64]))
    assert (estimate.low, estimate.high) == pytest.approx((low, high))


def conductance_of(relative, n=1000):
    """Conductance of a ranking of which beginnings up to half are so well separated."""
    share = np.arange(1, n + 1) / n
    return np.where(share <= 0.5, relative * (1 - share), 1)


@pytest.mark.parametrize("relative", [0.05, 0.4, 0.8])
def test_a_worse_separated_share_is_less_and_less_sure(ranks, of_classifier, relative):
    plain = hidden_positives_prior(ranks, of_classifier, accepted=0.2)
    estimate = hidden_positives_prior(
        ranks, of_classifier, accepted=0.2, conductance=conductance_of(relative)
    )
    correction = 0.3 - 3 * relative**2
    *three, accepted = plain.details.values()
    logs = np.log([*three, accepted, accepted])
    deviation = np.sqrt(0.35**2 + logs.var(ddof=1) + (0.4 * correction) ** 2)
    center = logs.mean() + correction
    expected = np.exp(center + deviation * np.array([-2.4, 1.64]))
    assert (estimate.low, estimate.high) == pytest.approx(expected)
    # Few edges leave the larger ones of these sets, too: the value is somewhat larger.
    assert np.exp(center) <= estimate.value < 1.25 * np.exp(center)
    assert estimate.details == plain.details


def test_the_share_near_the_mean_that_few_edges_leave_is_taken(ranks):
    plain = hidden_positives_prior(ranks, ranks, accepted=0.2)
    conductance = conductance_of(0.3)
    conductance[239] = 0.0
    estimate = hidden_positives_prior(ranks, ranks, accepted=0.2, conductance=conductance)
    assert abs(np.log(0.24 / plain.value)) < 0.3
    assert estimate.value == 0.24


@pytest.mark.parametrize("lowest", [0.2, 0.6, 0.9])
def test_in_a_small_pile_ranks_count_for_the_share_that_they_tell(lowest):
    highest = np.linspace(lowest, 0.99, 600)
    others = {"accepted": 0.05, "conductance": conductance_of(0.6, 6000)}
    large = PairedRanks(highest, (np.arange(6000) + 0.5) / 6000)
    small = PairedRanks(highest, large.unlabeled[:-1])
    # Those of all are told by the large pile, whose ranks are nearly the same.
    of_all = hidden_positives_prior(large, large, **others)
    of_ranks = hidden_positives_prior(large, large)
    weight = of_ranks.value
    expected = np.log(of_all[:3]) * (1 - weight) + np.log(of_ranks[:3]) * weight
    estimate = hidden_positives_prior(small, small, **others)
    assert np.log(estimate[:3]) == pytest.approx(expected, abs=0.02)
    assert estimate.details.keys() == of_all.details.keys()


def test_corrected_shares_are_none_of_more_than_all(ranks):
    everywhere = PairedRanks(np.linspace(0.01, 0.99, 60), ranks.unlabeled)
    estimate = hidden_positives_prior(everywhere, everywhere, conductance=np.zeros(1000))
    assert estimate.value <= estimate.high <= 1


def test_share_of_well_separated_positives_is_found(ranks):
    estimate = hidden_positives_prior(ranks, ranks)
    assert estimate.value == pytest.approx(0.2, abs=0.05)
    assert estimate.low < 0.2 < estimate.high


def test_interval_is_wider_where_estimates_disagree(ranks):
    agree = hidden_positives_prior(ranks, ranks, accepted=0.2)
    apart = hidden_positives_prior(ranks, ranks, accepted=0.02)
    assert apart.high / apart.low > agree.high / agree.low > np.exp((3.3 + 1.64) * 0.3) - 1e-9


def test_nothing_accepted_counts_as_one_sample(ranks):
    estimate = hidden_positives_prior(ranks, ranks, accepted=0.0)
    one = hidden_positives_prior(ranks, ranks, accepted=1 / 1000)
    assert estimate.value == pytest.approx(one.value)


def test_the_largest_admissible_is_that_of_the_classifier_and_of_likeness_without_one(
    ranks, of_classifier
):
    bounds = [largest_admissible_prior(*one[:2]) for one in (ranks, of_classifier)]
    assert bounds[0] != bounds[1]
    assert consensus_of_ranks(ranks, random_state=0).largest_admissible == bounds[0]
    assert hidden_positives_prior(ranks, of_classifier).largest_admissible == bounds[1]
