"""Choice of parameters and cuts on samples that are left out of training, without negatives."""

import numpy as np
from sklearn.utils import check_random_state

from core.metrics import lee_liu_score

#: With fewer positives one split says little: the mean over several is taken.
ENOUGH_FOR_ONE_SPLIT = 5
#: Splits where one is not enough.
N_SPLITS = 5


def held_out_splits(is_positive, *, order=None, share=0.3, n_splits=None, random_state=None):
    """Split the samples into those to train on and those to judge by.

    Parameters
    ----------
    is_positive : ndarray of bool of shape (n_samples,)
        At least two positives and an unlabeled sample.
    order : ndarray of int of shape (n_samples,), default=None
        Samples in the order that they are drawn from; None means the order they have.
    share : float in (0, 1), default=0.3
        Share of the positives and of the unlabeled samples that are held out, at least one of
        each. A single unlabeled sample is on both sides.
    n_splits : int in [1, inf), default=None
        How many; None means five for fewer than five positives, else one.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    list of tuples of two ndarrays
        Indices of training and held-out samples.

    Examples
    --------
    >>> import numpy as np
    >>> from core.classifier_bases.held_out import held_out_splits
    >>> [(training, held_out)] = held_out_splits(np.arange(30) < 10, random_state=0)
    >>> len(training), len(held_out), int((held_out < 10).sum())
    (21, 9, 3)
    """
    random = check_random_state(random_state)
    order = np.arange(len(is_positive)) if order is None else order
    if n_splits is None:
        n_splits = N_SPLITS if is_positive.sum() < ENOUGH_FOR_ONE_SPLIT else 1
    splits = []
    for _ in range(n_splits):
        training, held_out = [], []
        for mask in (is_positive, ~is_positive):
            rows = random.permutation(order[mask[order]])
            n_held_out = max(1, round(share * len(rows)))
            held_out.append(rows[:n_held_out])
            training.append(rows[n_held_out:] if len(rows) > 1 else rows)
        splits.append((np.sort(np.concatenate(training)), np.sort(np.concatenate(held_out))))
    return splits


def mean_lee_liu(score, is_positive, splits):
    """Return the mean Lee-Liu score of the held-out samples.

    Parameters
    ----------
    score : callable
        From training rows and held-out rows to scores of the latter; 0 and more is positive.
    is_positive : ndarray of bool of shape (n_samples,)
        Labels.
    splits : list of tuples of two ndarrays
        Those of :func:`held_out_splits`.

    Returns
    -------
    float in [0, inf)
        The higher, the better; 0 where nothing is predicted positive.
    """
    values = [
        lee_liu_score(
            is_positive[held_out], score(training, held_out) >= 0, single_set=True, pos_label=True
        )
        for training, held_out in splits
    ]
    return float(np.mean(values))


def best_held_out_cut(scores, is_positive):
    """Return the cut at which the Lee-Liu score is largest; of equal ones the lowest.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
        Scores of held-out samples.
    is_positive : ndarray of bool of shape (n_samples,)
        At least one is.

    Returns
    -------
    float
        The score of a positive.

    Examples
    --------
    >>> import numpy as np
    >>> from core.classifier_bases.held_out import best_held_out_cut
    >>> best_held_out_cut(np.array([5.0, 4, 3, 2, 1]), np.array([True, True, False, False, True]))
    4.0
    """
    cuts = np.unique(scores[is_positive])
    hits = is_positive.sum() - np.searchsorted(np.sort(scores[is_positive]), cuts)
    accepted = len(scores) - np.searchsorted(np.sort(scores), cuts)
    # Of numbers, not of shares: rounding these would decide between equal ones.
    return float(cuts[(hits**2 / accepted).argmax()])
