"""What two-step methods share when they pick reliable negatives among the unlabeled samples."""

import math

import numpy as np

from core.kernels.rows.row_blocks import has_entries


def usable_rows(X, is_positive):
    """Return the masks of the positives and of the unlabeled samples that are not empty."""
    has_terms = has_entries(X)
    return has_terms & is_positive, has_terms & ~is_positive


def lowest(scores, is_candidate, n_chosen, order=None):
    """Return the mask of the candidates with the lowest scores.

    Ties are in the ``order`` of all rows, as of ``content_order`` where many are alike, or in that
    of their numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.two_step.reliable_negatives import lowest
    >>> lowest(np.array([0.5, 0.1, 0.1, 0]), np.array([True, True, True, False]), 1).tolist()
    [False, True, False, False]
    """
    order = np.arange(len(scores)) if order is None else order
    candidates = order[is_candidate[order]]
    chosen = candidates[np.argsort(scores[candidates], kind="stable")[:n_chosen]]
    is_chosen = np.zeros(len(is_candidate), dtype=bool)
    is_chosen[chosen] = True
    return is_chosen


def fallback_size(n_positive, n_unlabeled):
    """Return how many reliable negatives are taken where a method finds none."""
    return max(n_positive, math.ceil(0.05 * n_unlabeled))


def count_terms(X, is_counted):
    """Return how many distinct terms of a mask occur in each row, of shape (n_samples,)."""
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    return np.bincount(rows[is_counted[X.indices]], minlength=X.shape[0])
