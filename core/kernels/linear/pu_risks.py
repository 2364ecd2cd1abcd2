"""Risks of positive-unlabeled learning as functions of the scores, with their slopes.

Samples come as scores ``g`` and a group of indices into them for each kind: positives, unlabeled
ones and judged negatives. A loss of a score z takes z where the sample is to be positive and -z
where it is to be negative.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit


class Groups(NamedTuple):
    """Which scores are those of positives, unlabeled samples and judged negatives.

    Indices, slices or masks; there may be no judged negatives.
    """

    positive: np.ndarray
    unlabeled: np.ndarray
    negative: np.ndarray


def sigmoid_loss(z):
    """Return ``1 / (1 + exp(z))`` and its slope."""
    value = expit(-z)
    return value, -value * (1 - value)


def logistic_loss(z):
    """Return ``log(1 + exp(-z))`` and its slope."""
    return np.logaddexp(0, -z), -expit(-z)


def squared_loss(z):
    """Return ``(z - 1)² / 4`` and its slope."""
    return (z - 1) ** 2 / 4, (z - 1) / 2


def double_hinge_loss(z):
    """Return ``max(-z, max(0, (1 - z) / 2))`` and a slope."""
    slope = np.where(z < -1, -1.0, np.where(z < 1, -0.5, 0.0))
    return np.maximum(-z, np.maximum(0, (1 - z) / 2)), slope


#: Name of a loss -> the function; all but "sigmoid" make the unbiased risk convex.
LOSSES = {
    "double_hinge": double_hinge_loss,
    "logistic": logistic_loss,
    "sigmoid": sigmoid_loss,
    "squared": squared_loss,
}


def negative_share(n_positive, n_negative):
    """Return how much of the risk of negatives is estimated from the judged ones, in [0, 1/2].

    ``n_negative / (n_negative + max(n_positive, n_negative))``: a judgement counts like a positive
    label, and the pile, which judged samples are no fair draw of, keeps half of the say.
    """
    return n_negative / (n_negative + max(n_positive, n_negative)) if n_negative else 0.0


def pu_risk(g, groups, class_prior, loss, *, is_non_negative=False, beta=0.0, gamma=1.0):
    """Return the unbiased or the non-negative risk, and the slopes to descend.

    With ``R_P+ = mean_P loss(g)``, ``R_P- = mean_P loss(-g)`` and ``R_U- = mean_U loss(-g)``, the
    unbiased risk (uPU) is ``pi R_P+ + r``, where ``r = R_U- - pi R_P-`` estimates the risk of
    negatives, ``1 - pi`` times their mean loss. That cannot be negative: the non-negative risk
    (nnPU) is ``pi R_P+ + max(0, r)``.

    Judged negatives estimate the same by ``(1 - pi) mean_N loss(-g)``: it takes the place of a
    :func:`negative_share` of r, outside the maximum.

    Parameters
    ----------
    g : ndarray of shape (n_samples,)
        Scores.
    groups : Groups
        Which scores are whose.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled, pi.
    loss : callable
        One of ``LOSSES``.
    is_non_negative : bool, default=False
        Whether the risk of negatives is kept from falling below zero.
    beta : float in [0, inf), default=0
        How far r may fall below zero before that.
    gamma : float in [0, 1], default=1
        Length of the step back, which raises r and ignores all else.

    Returns
    -------
    value : float
        The risk.
    slopes : ndarray of shape (n_samples,)
        Its derivatives; where ``r < -beta`` those of ``-gamma r``, not of the value.
    is_corrected : bool
        Whether r was below ``-beta``.

    References
    ----------
    M. C. du Plessis, G. Niu and M. Sugiyama, "Convex formulation for learning from positive and
    unlabeled data", ICML 2015; R. Kiryo, G. Niu, M. C. du Plessis and M. Sugiyama,
    "Positive-unlabeled learning with non-negative risk estimator", NIPS 2017, algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.linear.pu_risks import Groups, logistic_loss, pu_risk
    >>> g = np.array([2, -1, 1, -2, 0.5])
    >>> groups = Groups(np.array([0, 1]), np.array([2, 3, 4]), np.array([], dtype=int))
    >>> value, slopes, _ = pu_risk(g, groups, 0.4, logistic_loss)
    >>> round(float(value), 6), slopes.round(3).tolist()
    (0.604756, [-0.2, -0.2, 0.244, 0.04, 0.207])
    """
    n_positive, n_unlabeled, n_negative = (len(g[group]) for group in groups)
    share = negative_share(n_positive, n_negative)
    accepted, accepted_slope = loss(g[groups.positive])
    rejected, rejected_slope = loss(-g[groups.positive])
    unlabeled, unlabeled_slope = loss(-g[groups.unlabeled])
    negative, negative_slope = loss(-g[groups.negative])

    r = unlabeled.mean() - class_prior * rejected.mean()
    r_slopes = np.zeros_like(g)
    r_slopes[groups.unlabeled] -= unlabeled_slope / n_unlabeled
    r_slopes[groups.positive] += class_prior * rejected_slope / n_positive

    certain = share * (1 - class_prior) / max(n_negative, 1)
    value = class_prior * accepted.mean() + certain * negative.sum()
    is_corrected = bool(is_non_negative and r < -beta)
    if is_corrected:
        return value + (1 - share) * max(0.0, r), -gamma * r_slopes, True
    slopes = (1 - share) * r_slopes
    slopes[groups.positive] += class_prior * accepted_slope / n_positive
    slopes[groups.negative] -= certain * negative_slope
    return value + (1 - share) * (max(0.0, r) if is_non_negative else r), slopes, False


def variational_risk(g, groups):
    """Return the variational risk of VPU and its slopes: ``log mean_U Phi - mean_P log Phi``.

    ``Phi = 1 / (1 + exp(-g))``. Judged negatives take a :func:`negative_share` of the first mean,
    as if the pile held more of them.

    Parameters
    ----------
    g : ndarray of shape (n_samples,)
        Scores.
    groups : Groups
        Which scores are whose.

    Returns
    -------
    value : float
        The risk.
    slopes : ndarray of shape (n_samples,)
        Its derivatives.

    References
    ----------
    H. Chen, F. Liu, Y. Wang, L. Zhao and H. Wu, "A variational approach for learning from positive
    and unlabeled data", NeurIPS 2020.
    """
    n_positive, n_unlabeled, n_negative = (len(g[group]) for group in groups)
    share = negative_share(n_positive, n_negative)
    log_weights = np.full(len(g), -np.inf)
    log_weights[groups.unlabeled] = np.log((1 - share) / n_unlabeled)
    if n_negative:
        log_weights[groups.negative] = np.log(share / n_negative)

    log_phi = log_expit(g)
    terms = log_weights + log_phi
    # SciPy's logsumexp looks its arguments over for as long as a small step of training takes.
    largest = terms.max()
    log_mean = largest + np.log(np.exp(terms - largest).sum())
    slopes = np.exp(terms - log_mean)
    slopes[groups.positive] -= 1 / n_positive
    return log_mean - log_phi[groups.positive].mean(), slopes * expit(-g)


def distribution_risk(g, groups, class_prior, *, entropy_weight=0.0):
    """Return the risk of Dist-PU and its slopes.

    ``2 pi |mean_P s - 1| + |mean_U s - pi| + entropy_weight mean_U H(s)`` with
    ``s = 1 / (1 + exp(-g))`` and H the entropy, in nats, of a score cut to [-10, 10]. Judged
    negatives add ``2 (1 - pi) |mean_N s - 0|``, weighed by their :func:`negative_share`.

    Parameters
    ----------
    g : ndarray of shape (n_samples,)
        Scores.
    groups : Groups
        Which scores are whose.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled, pi.
    entropy_weight : float in [0, inf), default=0
        Weight of the entropy.

    Returns
    -------
    value : float
        The risk.
    slopes : ndarray of shape (n_samples,)
        Its derivatives.

    References
    ----------
    Y. Zhao, Q. Xu, Y. Jiang, P. Wen and Q. Huang, "Dist-PU: positive-unlabeled learning from a
    label distribution perspective", CVPR 2022.
    """
    n_positive, n_unlabeled, n_negative = (len(g[group]) for group in groups)
    s = expit(g)
    missing = 1 - s[groups.positive].mean()
    excess = s[groups.unlabeled].mean() - class_prior
    certain = 2 * (1 - class_prior) * negative_share(n_positive, n_negative) / max(n_negative, 1)
    clipped = np.clip(g[groups.unlabeled], -10, 10)
    entropy = np.logaddexp(0, clipped) - clipped * expit(clipped)

    slopes = np.zeros_like(g)
    slopes[groups.positive] -= 2 * class_prior / n_positive
    slopes[groups.unlabeled] += np.sign(excess) / n_unlabeled
    slopes[groups.negative] += certain
    # The slope of the entropy by s is log((1 - s) / s), that is -g.
    is_free = clipped == g[groups.unlabeled]
    slopes[groups.unlabeled] -= entropy_weight * clipped * is_free / n_unlabeled
    value = 2 * class_prior * missing + abs(excess) + certain * s[groups.negative].sum()
    return value + entropy_weight * entropy.mean(), slopes * s * (1 - s)
