"""The class prior of a classifier that needs one, given or not."""

from core.class_prior.clamp import clamp_prior, smallest_prior
from core.class_prior.consensus import consensus_value
from core.class_prior.cross_fitted_ranks import cross_fitted_ranks
from core.errors import NoUnlabeled
from core.kernels.rows.masks import rows_and_masks
from core.kernels.rows.near_copies import are_distinct
from core.kernels.rows.shared_features import shares_features

#: What is taken where nothing tells: of shares from .02 to .5, text was ranked and cut best with .1
#: and .2, and what is looked for is rarely more (ADR 35).
UNKNOWN = 0.1


def given_or_estimated_prior(class_prior, X, is_positive, is_negative):
    """Return the class prior to learn with, and where it comes from.

    Parameters
    ----------
    class_prior : float in [0, 1] or None
        The parameter of the classifier; None asks for an estimate.
    X : sparse array of shape (n_samples, n_features)
        Training samples.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled positive.
    is_negative : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples were judged not to be; they are left out.

    Returns
    -------
    class_prior : float
        Share of positives among the unlabeled, in [1 / n_U, 1 - 1 / n_U].
    source : {"given", "cross_fitted_ranks", "unknown"}
        "unknown" where no positive can be left out, as there is one or others are its copies, where
        positives share nothing with the unlabeled, or where the estimate is at the edge of what is
        possible: then the class prior is ``UNKNOWN``.

    Raises
    ------
    NoUnlabeled
        If all samples are labeled or judged.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.class_prior.given_or_estimated import given_or_estimated_prior
    >>> is_positive = np.array([True, False, False, False, False])
    >>> given_or_estimated_prior(0.1, sp.csr_array((5, 1)), is_positive, ~is_positive & False)
    (0.25, 'given')
    """
    X, is_positive, is_negative = rows_and_masks(X, is_positive, is_negative=is_negative)
    is_unlabeled = ~(is_positive | is_negative)
    n_unlabeled = int(is_unlabeled.sum())
    if not n_unlabeled:
        raise NoUnlabeled("all samples are labeled positive or judged negative: none is unlabeled.")
    if class_prior is not None:
        return clamp_prior(class_prior, n_unlabeled), "given"
    # A copy is no further draw: one that stays in training would give the other away.
    is_distinct = is_positive & are_distinct(X, is_positive)
    can_leave_out = min(is_distinct.sum(), n_unlabeled) > 1
    if can_leave_out and shares_features(X, is_distinct, is_unlabeled):
        estimate = consensus_value(cross_fitted_ranks(X, is_distinct, is_unlabeled))
        edge = smallest_prior(n_unlabeled)
        if edge < estimate < 1 - edge:
            return estimate, "cross_fitted_ranks"
    return clamp_prior(UNKNOWN, n_unlabeled), "unknown"
