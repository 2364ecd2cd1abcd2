import numpy as np
import pytest

from core.class_prior.alpha_max import alpha_max_prior
from core.class_prior.bbe import best_bin_prior
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.kernel_mean import kernel_mean_prior
from core.class_prior.largest_admissible import largest_admissible_prior
from core.class_prior.pen_l1 import pen_l1_prior

PRIORS = [
    alpha_max_prior,
    best_bin_prior,
    dedpul_prior,
    kernel_mean_prior,
    largest_admissible_prior,
    pen_l1_prior,
]
SCORES = np.linspace(0.01, 0.99, 50)
OF_SHARES = [alpha_max_prior, dedpul_prior, kernel_mean_prior, pen_l1_prior]


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_that_are_no_numbers_are_refused(prior, bad):
    with pytest.raises(ValueError, match="positive_scores contains"):
        prior(np.append(SCORES, bad), SCORES)
    with pytest.raises(ValueError, match="unlabeled_scores contains"):
        prior(SCORES, np.append(SCORES, bad))


@pytest.mark.parametrize("prior", PRIORS)
def test_lists_are_taken_and_none_is_refused(prior):
    assert prior(SCORES.tolist(), SCORES.tolist()) == prior(SCORES, SCORES)
    with pytest.raises(ValueError, match="no score of an unlabeled sample"):
        prior(SCORES, [])
    with pytest.raises(ValueError, match="no score of a positive"):
        prior([], SCORES)


@pytest.mark.parametrize("prior", OF_SHARES)
def test_scores_that_are_no_shares_are_refused(prior):
    """They were cut to [0, 1], so that decisions gave another prior than their own ranks."""
    with pytest.raises(
        ValueError, match=r"^positive_scores must be in \[0, 1\], got some in \[0.0"
    ):
        prior(np.append(SCORES, 2.5), SCORES)
    with pytest.raises(
        ValueError, match=r"^unlabeled_scores must be .* in \[-1, 0.99\]: give prob"
    ):
        prior(SCORES, np.append(SCORES, -1.0))
    assert prior(np.append(SCORES, 1 + 1e-15), SCORES) == prior(np.append(SCORES, 1.0), SCORES)


@pytest.mark.parametrize("prior", [best_bin_prior, largest_admissible_prior])
def test_where_the_order_counts_alone_any_scores_do(prior):
    assert prior(100 * SCORES - 50, 100 * SCORES - 50) == prior(SCORES, SCORES)
