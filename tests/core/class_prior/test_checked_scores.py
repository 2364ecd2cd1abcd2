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
