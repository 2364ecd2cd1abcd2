"""Where judged samples rank by classifiers that do not know how they were judged."""

from typing import NamedTuple

import numpy as np

from core.errors import NoUnlabeled, TooFewPositives
from core.evaluation.hidden_trainings import dealt_out, hidden_trainings
from core.evaluation.hide_positives import N_SPLITS
from core.kernels.rows.masks import as_mask, rows_and_masks
from core.kernels.rows.near_copies import groups_among
from core.kernels.rows.row_blocks import has_entries
from core.options import AT_LEAST_TWO, validate_params


class Judged(NamedTuple):
    """Scores of judged samples, on one scale, and which were judged to be positive."""

    scores: np.ndarray
    is_positive: np.ndarray


class HiddenJudgements(NamedTuple):
    """Where judged samples came out beside the unlabeled ones, as if nobody had judged them.

    Attributes
    ----------
    judged : list of ndarrays
        Of each training: scores of the samples whose judgements were hidden from it.
    unlabeled : list of ndarrays
        Scores of the unlabeled samples that are not empty.
    is_positive : ndarray of bool of shape (n_judged,)
        What the judgements were, in the order of ``judged``.
    """

    judged: list[np.ndarray]
    unlabeled: list[np.ndarray]
    is_positive: np.ndarray

    def beside(self, scores):
        """Return the judged samples on the scale of a classifier that knows all judgements.

        Parameters
        ----------
        scores : ndarray of shape (n_unlabeled,)
            Its scores of the unlabeled samples that are not empty.

        Returns
        -------
        Judged
            The scores of each training are moved and stretched until those of the unlabeled samples
            have the same mean and the same deviation.
        """
        pairs = zip(self.judged, self.unlabeled, strict=True)
        moved = [_moved(judged, unlabeled, scores) for judged, unlabeled in pairs]
        return Judged(np.concatenate(moved), self.is_positive)


@validate_params({"n_splits": [AT_LEAST_TWO]}, prefer_skip_nested_validation=False)
def hide_judgements(
    classifier, X, is_positive, is_negative, is_judged, *, n_splits=N_SPLITS, random_state=None
):
    """Train again and again, each time with some judgements hidden: those samples are unlabeled.

    Parameters
    ----------
    classifier : BasePUClassifier
        Its parameters are used; it is left as it is.
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        All samples.
    is_positive, is_negative : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled positive, and which were judged not to be.
    is_judged : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which of these labels are judgements of unlabeled samples; each is hidden once, near
        copies together.
    n_splits : int in [2, inf), default=5
        Trainings; at most one per group of copies.
    random_state : int, RandomState instance or None, default=None
        Deals the judgements out.

    Returns
    -------
    HiddenJudgements

    Raises
    ------
    NoUnlabeled
        If no unlabeled sample has an entry.
    TooFewPositives
        If fewer than two different samples were judged, or a training would be left without a
        positive one.
    ValueError
        If a mask or ``n_splits`` is out of range, or X holds what is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation import hide_judgements
    >>> from core.registry import ALGORITHMS
    >>> X, y, truth = make_pu_data(400, 10, class_prior=0.3, random_state=0)
    >>> is_judged = (y == 0) & (np.arange(400) % 4 == 0)
    >>> is_positive, is_negative = (y == 1) | (is_judged & (truth == 1)), is_judged & (truth == 0)
    >>> prototype = ALGORITHMS["prototype"]()
    >>> hidden = hide_judgements(prototype, X, is_positive, is_negative, is_judged, random_state=0)
    >>> len(hidden.judged), int(is_judged.sum()) == len(hidden.is_positive)
    (5, True)
    """
    X, is_positive, is_negative = rows_and_masks(X, is_positive, is_negative=is_negative)
    is_labeled = is_positive | is_negative
    has_terms = has_entries(X)
    is_judged = as_mask(is_judged, "is_judged", X.shape[0]) & is_labeled & has_terms
    unlabeled = np.flatnonzero(~is_labeled & has_terms)
    if not len(unlabeled):
        raise NoUnlabeled("no unlabeled sample with an entry is left.")
    rows, groups = np.flatnonzero(is_judged), groups_among(X, is_judged)
    # The positives first, so that they are spread over the trainings.
    deals, _ = dealt_out(X, rows, groups, n_splits, random_state, is_dealt_first=is_positive)
    labelings = [(is_positive & ~deal, is_negative & ~deal) for deal in deals]
    if len(deals) < 2 or not all((positive & has_terms).any() for positive, _ in labelings):
        raise TooFewPositives(
            "judgements are hidden in turn: this needs two different ones, and a positive that "
            "stays labeled."
        )
    hidden = [np.flatnonzero(deal) for deal in deals]
    found = hidden_trainings(classifier, X, labelings, hidden, unlabeled)
    pairs = [np.split(scores, [-len(unlabeled)]) for scores, _ in found]
    judged, of_unlabeled = map(list, zip(*pairs, strict=True))
    return HiddenJudgements(judged, of_unlabeled, is_positive[np.concatenate(hidden)])


def _moved(judged, unlabeled, scores):
    deviation = unlabeled.std()
    stretch = scores.std() / deviation if deviation > 0 else 1.0
    return scores.mean() + stretch * (judged - unlabeled.mean())
