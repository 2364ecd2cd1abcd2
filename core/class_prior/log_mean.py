"""Class priors as geometric means of several estimates."""

import numpy as np

from core.class_prior.clamp import smallest_prior
from core.class_prior.estimators import bounded_estimate
from core.kernels.graphs.conductance import least_conductance_share, separation
from core.kernels.graphs.knn_graph import N_NEIGHBORS

#: The correction of an estimate (ADR 21): the logarithm of its factor where no edge leaves, by how
#: much that falls with the squared relative conductance, and the part of it that is uncertain.
AT_BEST, PER_SQUARE, OF_CORRECTION = 0.3, 3.0, 0.4


def log_mean_estimate(
    members, ranks, deviation, *, n_below, n_above, most=1.0, weights=None, conductance=None
):
    """Return the geometric mean of several estimates, its interval on a scale of logarithms.

    Where the conductance of the ranking is at hand, the mean is corrected first by how well the
    samples it speaks of are separated from the rest: all estimates are too large where negatives
    rank among the positives, which ranks alone do not show, and edges of neighbors do.

    Parameters
    ----------
    members : dict of float
        The estimates, two or more; none counts for less than one sample.
    ranks : PairedRanks
        As for :func:`~core.class_prior.estimators.bounded_estimate`.
    deviation : float in [0, inf)
        Standard deviation of the mean of logarithms, besides that of the estimates among each
        other.
    n_below, n_above : float in (0, inf)
        Standard deviations from the value to the ends of the interval.
    most : float in (0, 1], default=1
        Upper bound of the interval.
    weights : list of int, default=None
        How many times each estimate counts; None means once.
    conductance : ndarray of shape (n_unlabeled,), default=None
        Of :func:`~core.kernels.graphs.conductance.candidate_conductance`, of the ranking that the
        estimates are of. The value is then the share near the corrected mean which few edges leave
        (:func:`~core.kernels.graphs.conductance.least_conductance_share`); the interval around that
        mean is stretched to hold it.

    Returns
    -------
    PriorEstimate
        ``details`` has each estimate.

    References
    ----------
    docs/decisions/0015-the-class-prior-is-where-few-edges-leave.md,
    docs/decisions/0021-badly-separated-positives-are-fewer.md

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.log_mean import log_mean_estimate
    >>> from core.kernels.scores.left_out_ranks import PairedRanks
    >>> ranks = PairedRanks(np.array([0.9, 0.7]), (np.arange(100) + 0.5) / 100)
    >>> members = {"one": 0.1, "other": 0.4}
    >>> round(log_mean_estimate(members, ranks, 0.3, n_below=4, n_above=2).value, 6)
    0.2
    """
    n_unlabeled = len(ranks.unlabeled)
    logs = np.repeat(log_estimates(members, n_unlabeled), weights or 1)
    center, deviation = logs.mean(), np.hypot(deviation, logs.std(ddof=1))
    if conductance is not None:
        correction = separation_correction(conductance, np.exp(center), len(ranks.positive))
        center = min(0.0, center + correction)
        deviation = np.hypot(deviation, OF_CORRECTION * correction)
    ends = center + deviation * np.array([-n_below, 0, n_above])
    low, value, high = np.exp(ends).tolist()
    if conductance is not None:
        value = least_conductance_share(conductance, value)
    return bounded_estimate(value, low, min(high, most), ranks, n_unlabeled, **members)


def separation_correction(conductance, share, n_positive):
    """Return what to add to the logarithm of an estimate, for how well it is separated.

    As far as the graph of neighbors tells: not where samples are hardly more than neighbors. Where
    positives and those expected are more than half of all, edges tell how the others are separated,
    and others that are not may be positive as well: the more there are, the less is taken off.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.log_mean import separation_correction
    >>> by_chance = 1 - np.arange(1, 1001) / 1000
    >>> [round(float(separation_correction(by_chance / n, 0.2, 20)), 6) for n in (1, 5)]
    [-2.7, 0.18]

    Of as badly separated ones among more than as many positives the other way round:

    >>> others = 1 - np.arange(1, 1001) / 1000
    >>> bool(separation_correction(others, 0.9, 4000) > -0.2)
    True
    """
    relative, weight = separation(conductance, share, n_positive, N_NEIGHBORS)
    correction = weight * (AT_BEST - PER_SQUARE * relative**2)
    n_unlabeled = len(conductance)
    share_of_others = n_unlabeled * (1 - share) / (n_positive + n_unlabeled)
    return correction if correction > 0 else correction * min(1.0, 2 * share_of_others)


def log_estimates(members, n_unlabeled):
    """Return the logarithms of estimates; those of less than one sample count as one.

    Examples
    --------
    >>> from core.class_prior.log_mean import log_estimates
    >>> log_estimates({"one": 0.0, "other": 1.0}, 100).round(3).tolist()
    [-4.605, 0.0]
    """
    return np.log(np.maximum(list(members.values()), smallest_prior(n_unlabeled)))
