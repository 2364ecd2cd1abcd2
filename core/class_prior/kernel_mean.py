"""The class prior from the means of two samples in a kernel space (KM1, KM2)."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.spatial.distance import pdist, squareform

from core.class_prior.checked_scores import checked_scores
from core.class_prior.clamp import clamp_prior
from core.kernels.hardware.blas import one_thread
from core.kernels.scores.binned_density import log_odds_of_ranks
from core.kernels.scores.thinned import thinned
from core.options import StrOptions, validate_params

#: Most samples of either kind, evenly thinned; all pairs are compared.
MAX_SAMPLES = 200
#: Bandwidths that are tried, over the median distance.
BANDWIDTHS = np.logspace(-1, 1, 5)
#: Where the factor is sought, how exactly, and over which step the slope is taken.
LARGEST_FACTOR, PRECISION, STEP = 8.0, 0.005, 0.02
#: Where KM2 takes the slope at the start.
START = 1.05
#: Relative threshold above which KM1 gives way to KM2.
MAX_RELATIVE = 0.9
#: Share of the largest eigenvalue below which one is rounding.
ROUNDING = 1e-10
#: How much the weights may miss their sum.
SUM_WEIGHT = 1e3


class Means(NamedTuple):
    """Samples of both kinds in a space where products are those of the kernel.

    Attributes
    ----------
    points : ndarray of shape (rank, n_samples)
        The samples, in columns.
    positive, unlabeled : ndarray of shape (rank,)
        The mean of each kind.
    """

    points: np.ndarray
    positive: np.ndarray
    unlabeled: np.ndarray

    @property
    def gap(self):
        """How far the means are apart."""
        return float(np.linalg.norm(self.unlabeled - self.positive))

    def distance(self, factor):
        """Return how far ``factor mean_U + (1 - factor) mean_P`` is from being a mean."""
        target = factor * self.unlabeled + (1 - factor) * self.positive
        # Weights that add up to one: another row of the least-squares problem.
        rows = np.vstack([self.points, np.full(self.points.shape[1], SUM_WEIGHT)])
        weights, _ = nnls(rows, np.append(target, SUM_WEIGHT))
        return float(np.linalg.norm(self.points @ weights / weights.sum() - target))

    def slope(self, factor, step=STEP):
        """Return how fast the distance grows with the factor."""
        return (self.distance(factor + step) - self.distance(factor)) / step


@validate_params({"variant": [StrOptions({"KM1", "KM2"})]}, prefer_skip_nested_validation=True)
def kernel_mean_prior(positive_scores, unlabeled_scores, *, variant="KM2"):
    """Return the share of positives among the unlabeled, by taking positives out of their mean.

    The mean of the unlabeled samples less that of the positives, scaled, is that of the negatives
    up to a factor 1 / (1 - prior); beyond that factor it is no longer a mean of samples, and its
    distance from such means starts to grow.

    Parameters
    ----------
    positive_scores : ndarray of shape (n_positive,)
        Scores in [0, 1] of positives by a model that did not see them; at least two.
    unlabeled_scores : ndarray of shape (n_unlabeled,)
        Scores in [0, 1] of unlabeled samples by a model that did not see them.
    variant : {"KM1", "KM2"}, default="KM2"
        The slope that counts as growing: one over the root of the number of positives, or of
        unlabeled samples where these are fewer; or mostly a multiple of the slope at the start.

    Returns
    -------
    float in [1 / n_U, 1 - 1 / n_U]
        At most 7/8.

    Raises
    ------
    ValueError
        If there are no scores of either, or they are not in [0, 1].

    References
    ----------
    H. G. Ramaswamy, C. Scott and A. Tewari, "Mixture proportion estimation via kernel embeddings
    of distributions", ICML 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import kernel_mean_prior
    >>> random = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([random.beta(20, 2, 300), random.beta(2, 20, 700)])
    >>> round(kernel_mean_prior(random.beta(20, 2, 500), unlabeled), 1)
    0.3
    """
    positive_scores, unlabeled_scores = checked_scores(
        positive_scores, unlabeled_scores, are_shares=True
    )
    n_unlabeled = len(unlabeled_scores)
    positive, unlabeled = (
        thinned(log_odds_of_ranks(scores, n_unlabeled), MAX_SAMPLES)
        for scores in (positive_scores, unlabeled_scores)
    )
    n_fewer = min(len(positive_scores), n_unlabeled)
    # So few samples are not worth waking threads for.
    with one_thread():
        means = kernel_means(positive[:, None], unlabeled[:, None])
        factor = _factor(means, _threshold(means, variant, n_fewer))
    return clamp_prior(1 - 1 / factor, n_unlabeled)


def kernel_means(positive, unlabeled):
    """Return both means under the Gaussian kernel whose width sets them farthest apart.

    Parameters
    ----------
    positive : ndarray of shape (n_positive, n_dimensions)
        Samples.
    unlabeled : ndarray of shape (n_unlabeled, n_dimensions)
        Samples.

    Returns
    -------
    Means
        In as many dimensions as the kernel matrix has eigenvalues that are not rounding.
    """
    squares = squareform(pdist(np.concatenate([positive, unlabeled]), "sqeuclidean"))
    median = max(np.median(np.sqrt(squares)), 1e-6)
    contrast = np.concatenate(
        [np.full(len(positive), -1 / len(positive)), np.full(len(unlabeled), 1 / len(unlabeled))]
    )
    kernels = [np.exp(-squares / (2 * (width * median) ** 2)) for width in BANDWIDTHS]
    values, vectors = np.linalg.eigh(max(kernels, key=lambda kernel: contrast @ kernel @ contrast))
    is_kept = values > ROUNDING * values[-1]
    points = (vectors[:, is_kept] * np.sqrt(values[is_kept])).T
    n_positive = len(positive)
    return Means(points, points[:, :n_positive].mean(axis=1), points[:, n_positive:].mean(axis=1))


def _threshold(means, variant, n_samples):
    of_number = 1 / np.sqrt(n_samples)
    if variant == "KM1" and of_number <= MAX_RELATIVE * means.gap:
        return of_number
    return 0.8 * means.slope(1.0, START - 1.0) + 0.2 * means.gap


def _factor(means, threshold):
    low, high = 1.0, LARGEST_FACTOR
    while high - low > PRECISION:
        middle = (low + high) / 2
        if means.slope(middle) > threshold:
            high = middle
        else:
            low = middle
    return (low + high) / 2
