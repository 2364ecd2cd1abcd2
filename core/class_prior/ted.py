"""The class prior and a classifier in turns: transform, estimate, discard ((TED)^n)."""

import numpy as np
from sklearn.utils import check_random_state

from core.class_prior.bbe import best_bin_prior
from core.class_prior.checked_samples import checked_samples
from core.class_prior.clamp import clamp_prior
from core.kernels.linear.cross_fit import stratified_folds
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.linear.training_space import training_space
from core.kernels.rows.row_hash import content_order

#: Rounds of estimating the prior and leaving out the likeliest positives.
N_ROUNDS = 20


def ted_prior(X, is_positive, *, random_state=None):
    """Return the share of positives among the unlabeled, by leaving likely ones out of training.

    A logistic regression tells positives from unlabeled samples; the class prior is estimated from
    its scores of samples left out (:func:`~core.class_prior.bbe.best_bin_prior`); that share of
    the unlabeled samples, those of the highest scores, is left out of the next regression. Both
    halves of the samples serve for training and for estimating, in turn.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array: positives and unlabeled samples.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled; at least four, and four that are not.
    random_state : int, RandomState instance or None, default=None
        Deals out the halves.

    Returns
    -------
    float in [1 / n_U, 1 - 1 / n_U]
        Too large for few positives, as the bound of the best bin then reaches far down.

    References
    ----------
    S. Garg, Y. Wu, A. Smola, S. Balakrishnan and Z. Lipton, "Mixture proportion estimation and PU
    learning: a modern approach", NeurIPS 2021, algorithms 1 to 3.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import ted_prior
    >>> from core.datasets import make_pu_data
    >>> X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    >>> bool(abs(ted_prior(X, y == 1, random_state=0) - y_true[y == 0].mean()) < 0.1)
    True
    """
    X, is_positive = checked_samples(X, is_positive, min_each=4)
    random = check_random_state(random_state)
    order = content_order(X, is_positive)
    half = stratified_folds([is_positive, ~is_positive], 2, random, order) == 0
    Z = training_space(X).Z
    priors = [
        _half_prior(Z[in_half], is_positive[in_half], Z[~in_half], is_positive[~in_half])
        for in_half in (half, ~half)
    ]
    return clamp_prior(float(np.mean(priors)), int((~is_positive).sum()))


def _half_prior(Z, is_positive, Z_held_out, is_held_out_positive):
    is_kept = np.ones(len(is_positive), dtype=bool)
    unlabeled = np.flatnonzero(~is_positive)
    model = None
    for _ in range(N_ROUNDS):
        model = _fit(Z[is_kept], is_positive[is_kept], model)
        coef, intercept = model
        scores = Z_held_out @ coef + intercept
        prior = best_bin_prior(scores[is_held_out_positive], scores[~is_held_out_positive])
        n_left_out = min(int(prior * len(unlabeled)), len(unlabeled) - 1)
        order = unlabeled[np.argsort(-(Z[unlabeled] @ coef), kind="stable")]
        before, is_kept = is_kept, np.ones(len(is_positive), dtype=bool)
        is_kept[order[:n_left_out]] = False
        if (before == is_kept).all():
            break
    return prior


def _fit(Z, is_positive, start):
    n_positive = is_positive.sum()
    weights = np.where(is_positive, 0.5 / n_positive, 0.5 / (len(is_positive) - n_positive))
    return fit_soft_logistic(Z, is_positive, weights * len(is_positive), start=start)
