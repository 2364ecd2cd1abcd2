"""Densities of two samples of scores on the same bins, in time linear in their sizes."""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.special import logit

#: Bins beyond the outermost scores, in widths of the wider kernel.
MARGIN = 4


class BinnedDensities(NamedTuple):
    """Shares of each sample in each bin, smoothed.

    Attributes
    ----------
    positive, unlabeled : ndarray of shape (n_bins,)
        Shares, adding up to 1.
    bin_of_unlabeled : ndarray of shape (n_unlabeled,)
        The bin of each unlabeled sample.
    width : float
        Of a bin.
    """

    positive: np.ndarray
    unlabeled: np.ndarray
    bin_of_unlabeled: np.ndarray
    width: float


def log_odds_of_ranks(scores, n_unlabeled):
    """Return the log-odds of scores in [0, 1], half a sample kept away from both ends."""
    margin = 0.5 / n_unlabeled
    return logit(np.clip(scores, margin, 1 - margin))


def binned_densities(positive, unlabeled, *, n_bins, positive_bandwidth, unlabeled_bandwidth):
    """Return kernel density estimates on common bins.

    Parameters
    ----------
    positive : ndarray of shape (n_positive,)
        Scores.
    unlabeled : ndarray of shape (n_unlabeled,)
        Scores.
    n_bins : int in [2, inf)
        Bins of equal width.
    positive_bandwidth, unlabeled_bandwidth : float in (0, inf)
        Standard deviations of the Gaussian kernels, in units of the scores.

    Returns
    -------
    BinnedDensities
        The densities.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.scores.binned_density import binned_densities
    >>> densities = binned_densities(
    ...     np.array([1.0]), np.array([0.0, 1]), n_bins=11,
    ...     positive_bandwidth=0.1, unlabeled_bandwidth=0.1)
    >>> int(densities.positive.argmax()), round(float(densities.unlabeled.sum()), 6)
    (8, 1.0)
    """
    everything = np.concatenate([positive, unlabeled])
    margin = MARGIN * max(positive_bandwidth, unlabeled_bandwidth)
    edges = np.linspace(everything.min() - margin, everything.max() + margin, n_bins + 1)
    width = edges[1] - edges[0]

    def bins(scores):
        return np.clip(((scores - edges[0]) / width).astype(int), 0, n_bins - 1)

    def shares(scores, bandwidth):
        counts = np.bincount(bins(scores), minlength=n_bins) / len(scores)
        return gaussian_filter1d(counts, bandwidth / width, mode="constant", truncate=MARGIN)

    return BinnedDensities(
        shares(positive, positive_bandwidth),
        shares(unlabeled, unlabeled_bandwidth),
        bins(unlabeled),
        float(width),
    )
