"""Judging a classifier by positives hidden among the unlabeled samples, without negatives."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from core.base import BasePUClassifier
from core.errors import NoUnlabeled, TooFewPositives
from core.evaluation.hidden_trainings import dealt_out, hidden_trainings
from core.kernels.rows.masks import as_mask, rows_and_masks
from core.kernels.rows.near_copies import groups_among
from core.kernels.rows.row_blocks import has_entries
from core.options import AT_LEAST_TWO, SHARE, validate_params

#: Trainings that positives are hidden from, unless asked otherwise.
N_SPLITS = 5


class HiddenPositives(NamedTuple):
    """Where hidden positives came out beside the unlabeled samples.

    Attributes
    ----------
    scores : list of ndarrays
        Of each training: scores of the positives that were hidden from it, then those of the
        unlabeled samples.
    is_accepted : list of ndarrays of bool
        Which of them are above the cut of that training.
    n_hidden : list of int
        Positives that were hidden from each training.
    has_cut : bool, default=True
        False where the share to accept comes to no sample, so that nothing can be found.
    """

    scores: list[np.ndarray]
    is_accepted: list[np.ndarray]
    n_hidden: list[int]
    has_cut: bool = True

    def __repr__(self):
        return f"HiddenPositives(n_hidden={self.n_hidden}, ...)"  # scores fill pages

    @property
    def n_unlabeled(self):
        """Unlabeled samples, as many for each training."""
        return len(self.scores[0]) - self.n_hidden[0]

    @property
    def is_hidden(self):
        """Which scores of each training are of hidden positives, a list of ndarrays of bool."""
        return [np.arange(len(s)) < n for s, n in zip(self.scores, self.n_hidden, strict=True)]

    def pairs(self):
        """Yield the scores of hidden positives, and of unlabeled samples, of each training."""
        for scores, n_hidden in zip(self.scores, self.n_hidden, strict=True):
            yield scores[:n_hidden], scores[n_hidden:]

    @property
    def recall(self):
        """Share of the hidden positives above the cut of the training; None without a cut."""
        if not self.has_cut:
            return None
        is_hidden = np.concatenate(self.is_hidden)
        return float(np.concatenate(self.is_accepted)[is_hidden].mean())

    @property
    def accepted(self):
        """Share of the unlabeled samples that is above the cut, mean of the trainings."""
        trainings = zip(self.is_accepted, self.is_hidden, strict=True)
        return float(np.mean([accepted[~hidden].mean() for accepted, hidden in trainings]))


@validate_params(
    {"share": [SHARE, None], "n_splits": [AT_LEAST_TWO]}, prefer_skip_nested_validation=False
)
def hide_positives(
    classifier,
    X,
    is_positive,
    is_negative=None,
    *,
    is_hideable=None,
    share=None,
    n_splits=N_SPLITS,
    groups=None,
    random_state=None,
    beside=None,
):
    """Train again and again, each time with some positives hidden among the unlabeled samples.

    Each positive is hidden once. It is then treated exactly like those that nobody has labeled:
    the classifier may see it, as unlabeled. Near copies are hidden together, since one that stays
    labeled would give the other away, and count once.

    Parameters
    ----------
    classifier : BasePUClassifier
        Its parameters are used; it is left as it is.
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        All samples.
    is_positive, is_negative : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled, and which were judged not to be positive; None means none.
    is_hideable : array-like of bool or of 0 and 1, of shape (n_samples,), default=None
        Which positives are hidden in turn, at least two; the others are labeled in each training.
        None means all.
    share : float in [0, 1], default=None
        Share of the unlabeled samples that each training accepts, besides hidden positives that
        score as high; None leaves that to the cut of the training. Where the share comes to no
        sample, there is no cut.
    n_splits : int in [2, inf), default=5
        Trainings; at most one per group of positives.
    groups : array-like of int of shape (n_samples,), default=None
        Positives of the same number are hidden together; one of them is scored. None: equal rows
        of ``X``, and those of nearly the same words.
    random_state : int, RandomState instance or None, default=None
        Deals the positives out.
    beside : callable, default=None
        What else one of the threads does, without arguments, such as another training.

    Returns
    -------
    HiddenPositives

    Raises
    ------
    NoUnlabeled, TooFewPositives
        Also if the positives are all the same, or fewer are left than the classifier needs.
    TypeError
        If the classifier is of another kind, or takes texts.
    ValueError
        If a mask, ``groups``, ``share`` or ``n_splits`` is out of range or of another length, or X
        holds what is not finite.

    Examples
    --------
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation import hide_positives
    >>> from core.registry import ALGORITHMS
    >>> X, y, _ = make_pu_data(200, 10, random_state=0)
    >>> hidden = hide_positives(ALGORITHMS["prototype"](), X, y == 1, random_state=0)
    >>> len(hidden.n_hidden), sum(hidden.n_hidden) == int((y == 1).sum())
    (5, True)
    """
    if not isinstance(classifier, BasePUClassifier):
        raise TypeError(
            f"{type(classifier).__name__} is not one of ALGORITHMS and does not extend "
            "core.base.BasePUClassifier. Of a pipeline, such as the pipeline_ of a fitted "
            "AutoTextClassifier, pass the last step, and as X what the steps before it return."
        )
    X, is_positive, is_negative = rows_and_masks(X, is_positive, is_negative=is_negative)
    unlabeled = np.flatnonzero(~(is_positive | is_negative))
    if not len(unlabeled):
        raise NoUnlabeled(
            "every sample is labeled or judged: none is left to hide positives among."
        )
    positives = np.flatnonzero(is_positive)
    if is_hideable is not None:
        positives = positives[as_mask(is_hideable, "is_hideable", X.shape[0])[positives]]
    deals, hidden = _dealt(X, is_positive, positives, groups, n_splits, random_state)
    has_cut = share is None or round(share * len(unlabeled)) > 0
    outcome = HiddenPositives([], [], [], has_cut)
    labelings = [(is_positive & ~deal, is_negative) for deal in deals]
    trainings = hidden_trainings(classifier, X, labelings, hidden, unlabeled, beside=beside)
    for (scores, offset), own in zip(trainings, hidden, strict=True):
        outcome.scores.append(scores)
        outcome.is_accepted.append(scores >= _cut(scores[len(own) :], offset, share))
        outcome.n_hidden.append(len(own))
    return outcome


def _dealt(X, is_positive, positives, groups, n_splits, random_state):
    """Return masks of the positives that each training hides, and which of them it scores."""
    groups = groups_among(X, is_positive) if groups is None else column_or_1d(groups)
    check_consistent_length(X, groups)
    deals, firsts = dealt_out(X, positives, groups, n_splits, random_state)
    if len(deals) < 2:
        raise TooFewPositives(
            "positives are hidden in turn: at least two different ones are needed."
        )
    has_terms = has_entries(X)
    if not all((is_positive & ~deal & has_terms).any() for deal in deals):
        raise TooFewPositives("every positive is empty but one and its copies: none would be left.")
    return deals, [firsts[deal[firsts]] for deal in deals]


def _cut(scores, offset, share):
    """Return the cut of a training, or the one that accepts a share of the unlabeled samples."""
    if share is None:
        return offset
    n_accepted = round(share * len(scores))
    return np.sort(scores)[-n_accepted] if n_accepted else np.inf
