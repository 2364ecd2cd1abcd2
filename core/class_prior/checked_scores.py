"""Two samples of scores, checked: what estimators of the class prior begin with."""

import numpy as np
from sklearn.utils import assert_all_finite, column_or_1d

from core.errors import NoPositives, NoUnlabeled


def checked_scores(positive_scores, unlabeled_scores):
    """Return both as arrays of float.

    Raises
    ------
    ValueError
        If one is no list of numbers, or a score is not finite.
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
    return positive, unlabeled
