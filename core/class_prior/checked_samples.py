"""Samples and their labels, checked: what estimators of the class prior begin with."""

from core.errors import NoPositives, NoUnlabeled, Refused
from core.kernels.rows.masks import rows_and_masks


def checked_samples(X, is_positive, *, min_each=1):
    """Return a canonical CSR array and a mask, with enough samples of both kinds.

    Raises
    ------
    NoPositives, NoUnlabeled
        If no sample is labeled, or all are.
    Refused
        If there are fewer than ``min_each`` of either kind.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.checked_samples import checked_samples
    >>> checked_samples(np.eye(2), np.array([True, False]))[1].tolist()
    [True, False]
    """
    X, is_positive = rows_and_masks(X, is_positive)
    n_positive, n_unlabeled = int(is_positive.sum()), int((~is_positive).sum())
    if not n_positive:
        raise NoPositives("no sample is labeled positive.")
    if not n_unlabeled:
        raise NoUnlabeled("all samples are labeled positive: none is unlabeled.")
    if min(n_positive, n_unlabeled) < min_each:
        raise Refused(
            f"this takes at least {min_each} positives and {min_each} unlabeled samples, got "
            f"{n_positive} and {n_unlabeled}."
        )
    return X, is_positive
