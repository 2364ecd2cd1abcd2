"""How high positives rank by a logistic regression that did not see them."""

import numpy as np

from core.errors import TooFewPositives
from core.kernels.linear.cross_fit import cross_fitted_probabilities
from core.kernels.linear.training_space import training_space
from core.kernels.rows.masks import rows_and_masks
from core.kernels.rows.row_hash import content_order
from core.kernels.scores.left_out_ranks import MAX_RANKED, PairedRanks, shares_below


def cross_fitted_ranks(X, is_positive, is_unlabeled):
    """Rank positives and unlabeled samples by a regression of the former against the latter.

    It is that of :func:`~core.class_prior.elkan_noto.elkan_noto_prior`: each sample is left out of
    training in one of five parts. Which rank a positive has is known much better than how probable
    a label is for it, which a penalty keeps low.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array; it is not copied, for what takes no part.
    is_positive, is_unlabeled : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled and which are not, at least two of each. Others take no part.

    Returns
    -------
    PairedRanks
        Shares of the unlabeled samples that are less probable, half of the equal ones included;
        those of the unlabeled samples are ascending, and ``MAX_RANKED`` of them at most.

    Raises
    ------
    TooFewPositives
        If there is a single positive: then none can be left out.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.class_prior.cross_fitted_ranks import cross_fitted_ranks
    >>> X = sp.csr_array([[2.0, 0], [1, 0], [1, 0], [0, 1], [0, 3]])
    >>> is_positive = np.array([True, True, False, False, False])
    >>> ranks = cross_fitted_ranks(X, is_positive, ~is_positive)
    >>> bool(ranks.positive.min() > 0.5), len(ranks.unlabeled)
    (True, 3)
    """
    X, is_positive, is_unlabeled = rows_and_masks(X, is_positive, is_unlabeled=is_unlabeled)
    if is_positive.sum() < 2:
        raise TooFewPositives("an estimate of the class prior needs at least two positives.")
    order = content_order(X, is_positive)
    labeled = cross_fitted_probabilities(
        training_space(X).Z, is_positive, is_unlabeled, order=order
    )
    ascending = np.sort(labeled[is_unlabeled])
    step = -(-len(ascending) // MAX_RANKED)
    return PairedRanks(
        shares_below(labeled[is_positive], ascending),
        shares_below(ascending[step // 2 :: step], ascending),
    )
