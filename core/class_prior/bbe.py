"""The class prior from the best bin of two samples of scores (best bin estimation, BBE)."""

import numpy as np

from core.class_prior.checked_scores import checked_scores

#: Fewest positives from the best score down to the end of a bin.
MIN_POSITIVE = 2
#: Probability with which the bound may fail, and its slack.
DELTA, GAMMA = 0.1, 0.01


def best_bin_prior(positive_scores, unlabeled_scores):
    """Return the share of positives among the unlabeled, estimated from the top of both samples.

    Where hardly a negative scores above z, the share of the unlabeled above z over that of the
    positives is the class prior. The z is taken at which an upper bound of this ratio is least.

    Parameters
    ----------
    positive_scores : ndarray of shape (n_positive,)
        Scores of positives by a model that did not see them.
    unlabeled_scores : ndarray of shape (n_unlabeled,)
        Scores of unlabeled samples by a model that did not see them.

    Returns
    -------
    float in [0, 1]
        Too large where negatives are found at every score of positives. NaN for fewer than two
        positives.

    References
    ----------
    S. Garg, Y. Wu, A. Smola, S. Balakrishnan and Z. Lipton, "Mixture proportion estimation and PU
    learning: a modern approach", NeurIPS 2021.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import best_bin_prior
    >>> unlabeled = np.array([0.95, 0.85, 0.75, 0.5, 0.4, 0.3, 0.2, 0.1])
    >>> best_bin_prior(np.array([0.9, 0.8, 0.7, 0.6]), unlabeled)
    0.375
    """
    positive_scores, unlabeled_scores = checked_scores(positive_scores, unlabeled_scores)
    positive, unlabeled = np.sort(positive_scores), np.sort(unlabeled_scores)
    ends = np.unique(np.concatenate([positive, unlabeled]))
    n_positive = len(positive) - np.searchsorted(positive, ends)
    n_unlabeled = len(unlabeled) - np.searchsorted(unlabeled, ends)
    is_bin = n_positive >= MIN_POSITIVE
    if not is_bin.any():
        return np.nan
    share_positive = n_positive[is_bin] / len(positive)
    ratio = n_unlabeled[is_bin] / len(unlabeled) / share_positive
    noise = sum(np.sqrt(np.log(4 / DELTA) / (2 * len(side))) for side in (positive, unlabeled))
    slack = (1 + GAMMA) / share_positive * noise
    return float(min(1.0, ratio[np.argmin(ratio + slack)]))
