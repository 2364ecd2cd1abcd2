"""The class prior from the ratio of two densities of scores (DEDPUL)."""

import numpy as np
from scipy.ndimage import median_filter

from core.class_prior.checked_scores import checked_scores
from core.class_prior.clamp import clamp_prior
from core.kernels.scores.binned_density import binned_densities, log_odds_of_ranks

#: Bandwidths over the standard deviation of the scores.
UNLABELED_BANDWIDTH, POSITIVE_BANDWIDTH = 0.05, 0.10
N_BINS = 1000
MAX_RATIO = 50
#: Added to the density of the unlabeled samples.
FLOOR = 1e-5
#: How near to the mean posterior the prior has to be.
TOL = 1e-8
#: Half-widths of the running medians: samples, and share of the samples.
SHORT_MEDIAN, LONG_MEDIAN = 5, 1 / 20
#: Grid of the alternative, and how far the posteriors may be from their prior on it.
GRID = np.linspace(0, 1, 1001)
MAX_ERROR = 0.05


def dedpul_prior(positive_scores, unlabeled_scores):
    """Return the share of positives among the unlabeled, from the ratio of the densities.

    The posterior of an unlabeled sample is the prior times that ratio, and the prior is the mean
    posterior: the largest such prior is taken, where the iterations of the paper stop. Where that
    is the trivial one, it is the prior at which the mean posterior bends away from it most.

    Parameters
    ----------
    positive_scores : ndarray of shape (n_positive,)
        Scores in [0, 1] of positives by a model that did not see them; at least two.
    unlabeled_scores : ndarray of shape (n_unlabeled,)
        Scores in [0, 1] of unlabeled samples by a model that did not see them.

    Returns
    -------
    float in [1 / n_U, 1 - 1 / n_U]
        The larger of the two estimates. Not below 0.02, as ratios of densities are taken to be 50
        at most: :func:`~core.class_prior.first_ranks.resolved_prior` finds smaller ones.

    Raises
    ------
    ValueError
        If there are no scores of either, or they are not in [0, 1].

    References
    ----------
    D. Ivanov, "DEDPUL: difference-of-estimated-densities-based positive-unlabeled learning",
    ICMLA 2020. Kernels are not narrower than Scott's rule: D. W. Scott, "Multivariate density
    estimation", 1992; the paper has thousands of positives.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import dedpul_prior
    >>> random = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([random.beta(20, 2, 300), random.beta(2, 20, 700)])
    >>> round(dedpul_prior(random.beta(20, 2, 500), unlabeled), 1)
    0.3
    """
    positive_scores, unlabeled_scores = checked_scores(
        positive_scores, unlabeled_scores, are_shares=True
    )
    ratio = density_ratio(positive_scores, unlabeled_scores)
    prior = max(prior_by_iteration(ratio), prior_by_bend(ratio))
    return clamp_prior(prior, len(unlabeled_scores))


def density_ratio(positive_scores, unlabeled_scores):
    """Return the density of positives over that of all at each unlabeled sample, ascending.

    Parameters are as in :func:`dedpul_prior`; the result has the shape (n_unlabeled,).
    """
    n_unlabeled = len(unlabeled_scores)
    positive = log_odds_of_ranks(positive_scores, n_unlabeled)
    unlabeled = np.sort(log_odds_of_ranks(unlabeled_scores, n_unlabeled))
    densities = binned_densities(
        positive,
        unlabeled,
        n_bins=N_BINS,
        positive_bandwidth=_bandwidth(positive, POSITIVE_BANDWIDTH),
        unlabeled_bandwidth=_bandwidth(unlabeled, UNLABELED_BANDWIDTH),
    )
    ratio = densities.positive / (densities.unlabeled + FLOOR * densities.width)
    ratio = np.minimum(ratio, MAX_RATIO)[densities.bin_of_unlabeled]
    ratio = _running_median(ratio, SHORT_MEDIAN)
    is_top = unlabeled > (positive.mean() + unlabeled.mean()) / 2
    ratio[is_top] = np.maximum.accumulate(ratio[is_top])
    return np.sort(_running_median(ratio, int(LONG_MEDIAN * n_unlabeled)))


def prior_by_iteration(ratio):
    """Return the largest prior that equals the mean posterior: where iterations from 1 stop.

    The mean posterior is concave in the prior, so that prior is found by halving an interval. It
    is nearly 0, the trivial one, where the mean ratio is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.dedpul import prior_by_iteration
    >>> round(prior_by_iteration(np.array([0.1, 0.1, 2, 2])), 6)
    0.526316
    """
    low, high, sums = 0.0, 1.0, _sums(ratio)
    while high - low > TOL:
        middle = (low + high) / 2
        if _mean_posteriors(ratio, sums, middle) >= middle - TOL:
            low = middle
        else:
            high = middle
    return low


def prior_by_bend(ratio):
    """Return the prior at which the mean posterior bends away from the prior most.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.dedpul import prior_by_bend
    >>> prior_by_bend(np.array([0.1, 0.1, 2, 2]))
    0.5
    """
    errors = _mean_posteriors(ratio, _sums(ratio), GRID) - GRID
    bends = errors[2:] - 2 * errors[1:-1] + errors[:-2]
    # The mean posterior falls behind: it bends downwards.
    bends[np.abs(errors[1:-1]) >= MAX_ERROR] = np.inf
    return float(GRID[1 + bends.argmin()])


def _sums(ratio):
    """Return the sums of the first ratios: of none, of one, and so on."""
    return np.append(0, np.cumsum(ratio))


def _mean_posteriors(ratio, sums, priors):
    """Return the mean of ``min(1, prior ratio)`` over ascending ratios, for each prior."""
    n_below = np.searchsorted(ratio, 1 / np.maximum(priors, np.finfo(np.float64).tiny))
    return (priors * sums[n_below] + len(ratio) - n_below) / len(ratio)


def _bandwidth(scores, factor):
    return max(factor, len(scores) ** -0.2) * max(scores.std(), 1e-6)


def _running_median(values, half_width):
    return median_filter(values, 2 * half_width + 1, mode="nearest")
