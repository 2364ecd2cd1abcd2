import numpy as np
import pytest

from core.class_prior.bbe import best_bin_prior
from core.class_prior.hidden_positives import hidden_positives_prior
from core.class_prior.kernel_mean import kernel_mean_prior
from core.kernels.left_out_ranks import HiddenRanks


@pytest.fixture
def ranks():
    """Positives that rank among the first fifth of the unlabeled samples, where theirs are."""
    random = np.random.default_rng(0)
    return HiddenRanks(1 - 0.2 * random.random(60), (np.arange(1000) + 0.5) / 1000)


def test_value_is_the_geometric_mean_of_the_estimates(ranks):
    estimate = hidden_positives_prior(ranks, ranks, accepted=0.3)
    each = [best_bin_prior(*ranks), kernel_mean_prior(*ranks), 0.3]
    assert estimate.value == pytest.approx(np.prod(each) ** (1 / 3))
    assert list(estimate.details.values()) == pytest.approx(each)


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
