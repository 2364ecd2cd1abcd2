"""Risks of samples whose label was kept with a known probability, the propensity."""

import numpy as np

from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.rows.row_blocks import row_products
from core.progress import report

#: A smaller propensity would give a single sample more weight than twenty.
MIN_PROPENSITY = 0.05
#: Largest share of positives among all samples.
MAX_SHARE = 0.95
#: Mean risk of the negatives that is taken for 0.
ENOUGH = 1e-6
#: Halvings of the interval in which the weight of the negatives is sought.
N_BISECTIONS = 40


def propensity_targets(is_labeled, propensity):
    """Return what each sample counts as a positive; it counts one minus that as a negative.

    Parameters
    ----------
    is_labeled : ndarray of bool of shape (n_samples,)
        Which samples are labeled positive.
    propensity : float or ndarray of shape (n_samples,)
        Probability that a positive like it is labeled, in (0, 1]; smaller ones count as 0.05.

    Returns
    -------
    ndarray of shape (n_samples,)
        0 or in [1, 20].

    References
    ----------
    J. Bekker, P. Robberechts and J. Davis, "Beyond the selected completely at random assumption
    for learning from positive and unlabeled data", ECML-PKDD 2019, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.linear.propensity import propensity_targets
    >>> propensity_targets(np.array([True, False]), 0.25).tolist()
    [4.0, 0.0]
    """
    return np.where(is_labeled, 1 / np.maximum(propensity, MIN_PROPENSITY), 0.0)


def fit_propensity_weighted(X, is_labeled, propensity, *, C=1.0):
    """Fit a logistic regression to samples labeled with known propensities.

    A labeled sample stands for ``1 / propensity`` positives; those beyond itself are taken from
    the negatives. The risk of the negatives may not fall below 0, as that of any sample of
    negatives does not: the sum of the risk of the positives and of that of the negatives, or of 0
    where that is more, is minimised. Propensities that make more than 95 % of the samples positive
    are raised in proportion.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array.
    is_labeled, propensity
        As in :func:`propensity_targets`.
    C : float in (0, inf), default=1.0
        How much the risk counts against the length of the weights.

    Returns
    -------
    coef : ndarray of shape (n_features,)
        Weights.
    intercept : float
        Log-odds of an empty sample.

    References
    ----------
    R. Kiryo, G. Niu, M. C. du Plessis and M. Sugiyama, "Positive-unlabeled learning with
    non-negative risk estimator", NIPS 2017 (the bound at 0).
    """
    as_positive = propensity_targets(is_labeled, propensity)
    as_positive *= min(1.0, MAX_SHARE * len(is_labeled) / as_positive.sum())
    as_negative = 1 - as_positive

    def fit(share, start=None):
        weights = as_positive + share * as_negative
        targets = as_positive / weights
        coef, intercept = fit_soft_logistic(X, targets, weights, C=C, start=start)
        return (coef, intercept), as_negative @ np.logaddexp(0, row_products(X, coef) + intercept)

    model, negative_risk = fit(1.0)
    if negative_risk >= 0:
        return model
    # The larger of two convex risks is least where a mixture of both is: the one in which the
    # negatives count by the share that makes their risk 0.
    low, high = 0.0, 1.0
    for step in range(N_BISECTIONS):
        report("weigh negatives", step / N_BISECTIONS)
        share = (low + high) / 2
        model, negative_risk = fit(share, model)
        if abs(negative_risk) <= ENOUGH * len(is_labeled):
            break
        low, high = (share, high) if negative_risk > 0 else (low, share)
    return model
