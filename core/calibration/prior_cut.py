"""Cuts that accept a share of the unlabeled samples, the class prior."""

import numpy as np


def prior_cut(scores, class_prior, n_unlabeled=None):
    """Return a cut just below :func:`prior_threshold`, half-way to the next lower score.

    The threshold itself is the score of a sample: a rounding error would decide about it. Where
    many samples have that score, and the share is nearer to those above it alone, the cut is above
    them: thousands of copies of one text are not accepted for the sake of one. Some sample always
    is.

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.prior_cut import prior_cut
    >>> prior_cut(np.array([4.0, 3, 1, 1, 1, 1, 1]), 3 / 7)
    2.0
    """
    threshold = prior_threshold(scores, class_prior, n_unlabeled)
    above = scores[scores > threshold]
    n_not_below = int((scores >= threshold).sum())
    n_wanted = class_prior * (len(scores) if n_unlabeled is None else n_unlabeled)
    is_tied = n_not_below > len(above) + 1
    if is_tied and len(above) and n_wanted - len(above) < n_not_below - n_wanted:
        threshold = above.min()
    return cut_below(scores, threshold)


def cut_below(scores, threshold):
    """Return the middle between a score and the next lower one; 1 below where there is none."""
    threshold, lower = float(threshold), scores[scores < threshold]
    below = float(lower.max()) if len(lower) else -np.inf
    if not np.isfinite(below):
        return threshold - 1
    middle = (threshold + below) / 2
    # Nothing lies between neighboring floats: their middle is rounded to one of them.
    return middle if middle > below else threshold


def prior_threshold(scores, class_prior, n_unlabeled=None):
    """Return the score such that a share ``class_prior`` of the scores is not below it.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates,)
        Scores of the unlabeled samples that are not empty.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.
    n_unlabeled : int, default=None
        How many unlabeled samples there are, empty ones included; these are never positive. None
        means that none is empty.

    Returns
    -------
    float
        ``sort(scores)[floor(n_unlabeled (1 - class_prior))]``.

    References
    ----------
    M. Kato, T. Teshima and J. Honda, "Learning from positive and unlabeled data with a selection
    bias", ICLR 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.prior_cut import prior_threshold
    >>> prior_threshold(np.array([0.1, 0.9, 0.4, 0.7, 0.2]), 0.4)
    0.7
    """
    # A product such as 10 * (1 - 0.9) falls short of its whole number by a rounding error.
    n_unlabeled = len(scores) if n_unlabeled is None else n_unlabeled
    n_rejected = int(n_unlabeled * (1 - class_prior) + 1e-9) - (n_unlabeled - len(scores))
    return float(np.sort(scores)[np.clip(n_rejected, 0, len(scores) - 1)])
