"""The class prior at the elbow of a likelihood (AlphaMax)."""

import numpy as np

from core.class_prior.checked_scores import checked_scores
from core.class_prior.clamp import clamp_prior
from core.kernels.scores.binned_density import binned_densities, log_odds_of_ranks

#: Class priors that are tried.
GRID = np.arange(1, 100) / 100
N_BINS = 50
#: Least density and least share of a bin.
FLOOR = 1e-5
#: Halvings of the interval of the multiplier.
N_HALVINGS = 60
#: Points on either side that the lines are fitted to.
N_POINTS = 10
#: A curve that falls by a smaller share of its height is flat but for rounding errors.
FLAT = 1e-9
#: So nearly as fast as without positives a curve falls where densities are smoothed.
NEARLY = 0.98
#: Added to the level of the curve.
LEVEL_FLOOR = 0.01


def alpha_max_prior(positive_scores, unlabeled_scores):
    """Return the share of positives among the unlabeled, at the elbow of the likelihood.

    The densities of both classes are weighted histograms of the unlabeled samples, the weights
    being the share of positives in each bin. As the prior grows, the largest likelihood hardly
    falls up to the true prior, and falls beyond it.

    Parameters
    ----------
    positive_scores : ndarray of shape (n_positive,)
        Scores in [0, 1] of positives by a model that did not see them; at least two.
    unlabeled_scores : ndarray of shape (n_unlabeled,)
        Scores in [0, 1] of unlabeled samples by a model that did not see them.

    Returns
    -------
    float in [1 / n_U, 1 - 1 / n_U]
        A multiple of 0.01 within these bounds, and at most 0.89: the likelihood drops where hardly
        a negative is left, which is no elbow. 0.99 where it falls nowhere, as any prior fits.

    Raises
    ------
    ValueError
        If there are no scores of either, or they are not in [0, 1].

    References
    ----------
    S. Jain, M. White, M. W. Trosset and P. Radivojac, "Nonparametric semi-supervised learning of
    class proportions", arXiv 1601.01944, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import alpha_max_prior
    >>> random = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([random.beta(20, 2, 300), random.beta(2, 20, 700)])
    >>> round(alpha_max_prior(random.beta(20, 2, 500), unlabeled), 1)
    0.3
    """
    positive_scores, unlabeled_scores = checked_scores(
        positive_scores, unlabeled_scores, are_shares=True
    )
    n_unlabeled = len(unlabeled_scores)
    positive = log_odds_of_ranks(positive_scores, n_unlabeled)
    unlabeled = log_odds_of_ranks(unlabeled_scores, n_unlabeled)
    densities = binned_densities(
        positive,
        unlabeled,
        n_bins=N_BINS,
        positive_bandwidth=_scott(positive),
        unlabeled_bandwidth=_scott(unlabeled),
    )
    curve = largest_likelihoods(densities.positive, densities.unlabeled, GRID)
    return clamp_prior(float(GRID[elbow(curve)]), n_unlabeled)


def largest_likelihoods(positive, unlabeled, class_priors):
    """Return the largest log-likelihood of both samples for each class prior.

    Maximises ``sum_b p_b log(beta_b w_b / alpha) + w_b log(alpha p_b + (1 - beta_b) w_b)`` over
    beta in [0, 1] with ``sum_b beta_b w_b = alpha``. The sum is concave and falls apart into bins
    but for that constraint, so its multiplier is found by halving an interval.

    Parameters
    ----------
    positive, unlabeled : ndarray of shape (n_bins,)
        Shares of the samples in each bin: p and w.
    class_priors : ndarray of shape (n_priors,)
        Alpha, in (0, 1).

    Returns
    -------
    ndarray of shape (n_priors,)
        The likelihoods.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.alpha_max import largest_likelihoods
    >>> apart = np.array([1.0, 0.0]), np.array([0.3, 0.7])
    >>> largest_likelihoods(*apart, np.array([0.2, 0.3, 0.4])).round(3).tolist()
    [-0.611, -0.611, -0.92]
    """
    p, w = np.maximum(positive, 1e-12), np.maximum(unlabeled, 1e-12)
    alpha = class_priors[:, None]
    # Multipliers span many orders of magnitude: halved are their inverse hyperbolic sines.
    low, high = (np.full_like(alpha, np.arcsinh(end)) for end in (-1e9, 1e9))
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        is_low = (_shares(p, w, alpha, np.sinh(middle)) @ w)[:, None] > alpha
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    share = _shares(p, w, alpha, np.sinh(high))
    of_positive = np.maximum(share * w / alpha, FLOOR)
    of_unlabeled = np.maximum(alpha * p + (1 - share) * w, FLOOR)
    return np.log(of_positive) @ positive + np.log(of_unlabeled) @ unlabeled


def elbow(curve):
    """Return the index at which a curve that should not rise bends downwards most.

    The last one where it falls by no more than rounding errors. The first one where it falls
    throughout as fast as if no unlabeled sample were positive, by ``log(1 - prior)``, which has no
    bend but at its end.

    Parameters
    ----------
    curve : ndarray of shape (n_priors,)
        Log-likelihoods of the class priors ``GRID``, or of the first of them.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.alpha_max import elbow
    >>> elbow(-np.maximum(0, np.arange(50.0) - 20))
    20
    """
    falling = np.minimum.accumulate(curve)
    span = falling[0] - falling[-1]
    if span <= FLAT * abs(falling[0]):
        return len(curve) - 1
    without_positives = np.log1p(-GRID[: len(curve)])
    if (falling[0] - falling >= NEARLY * (without_positives[0] - without_positives)).all():
        return 0
    # Priors below the first are as likely as the first: without these points an early elbow
    # has no line on its left.
    rise = np.concatenate([np.zeros(N_POINTS), (falling[0] - falling) / span])
    bends = np.full(len(curve), -np.inf)
    for i in range(len(curve) - N_POINTS):
        left, right = rise[i : i + N_POINTS + 1], rise[i + N_POINTS : i + 2 * N_POINTS + 1]
        level = np.median(rise[i : i + 2 * N_POINTS + 1])
        bends[i] = (_slope(right) - _slope(left)) / (level + LEVEL_FLOOR)
    return int(bends.argmax())


def _shares(p, w, alpha, multiplier):
    """Return beta, where ``p / beta - w² / (alpha p + (1 - beta) w) = multiplier w``."""
    total = alpha * p + w
    quadratic = multiplier * w**2
    linear = p * w + multiplier * w * total + w**2
    root = linear + np.sqrt(np.maximum(linear**2 - 4 * quadratic * p * total, 0))
    share = np.divide(2 * p * total, root, out=np.ones_like(root), where=root > 0)
    return np.minimum(share, 1)


def _slope(values):
    """Return the slope of the least-squares line through equally spaced values."""
    steps = np.arange(len(values)) - (len(values) - 1) / 2
    return steps @ values / (steps @ steps)


def _scott(scores):
    return len(scores) ** -0.2 * max(scores.std(), 1e-6)
