"""Two samples of scores, checked: what estimators of the class prior begin with."""

import numpy as np
from sklearn.utils import assert_all_finite, column_or_1d

from core.errors import NoPositives, NoUnlabeled, Refused

#: Shares of a part may be beyond 0 and 1 by a rounding error.
ROUNDING = 1e-9


def checked_scores(positive_scores, unlabeled_scores, *, are_shares=False):
    """Return both as arrays of float; ``are_shares`` refuses those that are not in [0, 1].

    Raises
    ------
    ValueError
        If one is no list of numbers, or a score is not finite or not in [0, 1] where it has to be.
    NoPositives, NoUnlabeled
        If there is no score of the one or the other.

    Examples
    --------
    >>> from core.class_prior.checked_scores import checked_scores
    >>> [scores.tolist() for scores in checked_scores([1], [0, 0.5])]
    [[1.0], [0.0, 0.5]]
    """
    positive, unlabeled = (
        column_or_1d(np.asarray(scores, dtype=np.float64))
        for scores in (positive_scores, unlabeled_scores)
    )
    assert_all_finite(positive, input_name="positive_scores")
    assert_all_finite(unlabeled, input_name="unlabeled_scores")
    if not len(positive):
        raise NoPositives("there is no score of a positive.")
    if not len(unlabeled):
        raise NoUnlabeled("there is no score of an unlabeled sample.")
    if are_shares:
        _check_shares(positive, "positive_scores")
        _check_shares(unlabeled, "unlabeled_scores")
    return positive, unlabeled


def _check_shares(scores, name):
    low, high = scores.min(), scores.max()
    if low < -ROUNDING or high > 1 + ROUNDING:
        raise Refused(
            f"{name} must be in [0, 1], got some in [{low:.3g}, {high:.3g}]: give probabilities or "
            "ranks, as the share of the unlabeled samples that score lower. best_bin_prior takes "
            "any scores."
        )
