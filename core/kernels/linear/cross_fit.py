"""Probabilities of a label by models that did not see the sample."""

import numpy as np
from scipy.special import expit

from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.rows.row_blocks import row_products
from core.progress import report


def stratified_folds(strata, n_folds, random=None, order=None):
    """Return the number of the fold of each sample, of shape (n_samples,); -1 without a stratum.

    Parameters
    ----------
    strata : sequence of ndarray of bool of shape (n_samples,)
        Masks, of which no two hold a sample; every fold gets its share of each.
    n_folds : int in [1, inf)
        Number of folds.
    random : RandomState, default=None
        Deals the samples out; None deals them out in turn, so that sorted ones are spread evenly.
    order : ndarray of int of shape (n_samples,), default=None
        Samples in the order of the turns; None means the order they have.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.linear.cross_fit import stratified_folds
    >>> is_positive = np.array([True, False, False, True, True])
    >>> stratified_folds([is_positive, ~is_positive], 2).tolist()
    [0, 0, 1, 1, 0]
    """
    fold = np.full(len(strata[0]), -1)
    order = np.arange(len(fold)) if order is None else order
    for mask in strata:
        rows = order[mask[order]]
        fold[rows if random is None else random.permutation(rows)] = np.arange(len(rows)) % n_folds
    return fold


def cross_fitted_probabilities(
    X, is_positive, is_unlabeled=None, *, n_folds=5, C=10.0, random=None, order=None
):
    """Return how probable a label is for each row, by a logistic regression without that row.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled; not all and not none.
    is_unlabeled : ndarray of bool of shape (n_samples,), default=None
        The others to tell them from; None means all. What is neither is not trained on.
    n_folds : int in [2, inf), default=5
        Folds that are left out in turn, each with its share of the labeled; at most one per labeled
        and per other sample. Where there is one of a kind, it cannot be left out: then all rows
        are trained on.
    C : float in (0, inf), default=10.0
        How much the likelihood counts against the length of the weights.
    random, order
        As in :func:`stratified_folds`.

    Returns
    -------
    ndarray of shape (n_samples,)
        Probabilities; NaN for samples that are neither.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.cross_fit import cross_fitted_probabilities
    >>> X = sp.csr_array(np.repeat([[1.0, 0], [0, 1]], [60, 40], axis=0))
    >>> labeled = cross_fitted_probabilities(X, np.arange(100) < 20, C=1e4)
    >>> labeled[[0, -1]].round(2).tolist()
    [0.33, 0.0]
    """
    sides = is_positive, ~is_positive if is_unlabeled is None else is_unlabeled
    n_folds = min(n_folds, *(int(side.sum()) for side in sides))
    fold = stratified_folds(sides, n_folds, random, order)
    labeled = np.full(len(is_positive), np.nan)
    for k in range(n_folds):
        report("cross-fit", k / n_folds)
        is_left_out = fold == k
        is_training = (fold >= 0) & ~is_left_out if n_folds > 1 else is_left_out
        # Weights of 0 leave rows out without a copy of the others.
        coef, intercept = fit_soft_logistic(X, is_positive, is_training.astype(float), C=C)
        labeled[is_left_out] = expit(row_products(X, coef)[is_left_out] + intercept)
    return labeled
