"""Class priors as geometric means of several estimates."""

import numpy as np

from core.class_prior.clamp import smallest_prior
from core.class_prior.estimators import bounded_estimate


def log_mean_estimate(
    members, ranks, deviation, *, n_below, n_above, most=1.0, weights=None, near=None
):
    """Return the geometric mean of several estimates, its interval on a scale of logarithms.

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
    near : callable, default=None
        Makes a better value of the geometric mean; the interval, that around the mean, is stretched
        to hold it.

    Returns
    -------
    PriorEstimate
        ``details`` has each estimate.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.log_mean import log_mean_estimate
    >>> from core.kernels.left_out_ranks import PairedRanks
    >>> ranks = PairedRanks(np.array([0.9, 0.7]), (np.arange(100) + 0.5) / 100)
    >>> members = {"one": 0.1, "other": 0.4}
    >>> round(log_mean_estimate(members, ranks, 0.3, n_below=4, n_above=2).value, 6)
    0.2
    """
    n_unlabeled = len(ranks.unlabeled)
    logs = np.repeat(log_estimates(members, n_unlabeled), weights or 1)
    deviation = np.hypot(deviation, logs.std(ddof=1))
    ends = logs.mean() + deviation * np.array([-n_below, 0, n_above])
    low, value, high = np.exp(ends).tolist()
    value = near(value) if near else value
    return bounded_estimate(value, low, min(high, most), ranks, n_unlabeled, **members)


def log_estimates(members, n_unlabeled):
    """Return the logarithms of estimates; those of less than one sample count as one.

    Examples
    --------
    >>> from core.class_prior.log_mean import log_estimates
    >>> log_estimates({"one": 0.0, "other": 1.0}, 100).round(3).tolist()
    [-4.605, 0.0]
    """
    return np.log(np.maximum(list(members.values()), smallest_prior(n_unlabeled)))
