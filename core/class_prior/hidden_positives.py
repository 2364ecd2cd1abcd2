"""The class prior from positives that were hidden from a classifier."""

import numpy as np

from core.class_prior.bbe import best_bin_prior
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.estimators import bounded_estimate
from core.class_prior.first_ranks import resolved_prior
from core.class_prior.log_mean import log_mean_estimate

#: Standard deviations below and above, on a scale of logarithms: estimates are too large where
#: negatives rank among the positives.
N_BELOW, N_ABOVE = 3.3, 1.64
#: The same where the estimate is corrected for that by the graph.
N_BELOW_CORRECTED = 2.4
#: The least standard deviation: estimators that agree may still err together.
LEAST_DEVIATION, LEAST_DEVIATION_CORRECTED = 0.3, 0.35
#: The share that a classifier accepts counts so many times: it is the mean of two estimates.
OF_ACCEPTED = 2
#: In a pile of fewer unlabeled samples for each positive, ranks alone count for as much as the
#: share that they tell: of many positives neither what a classifier accepts, which expects few, nor
#: a graph tells (ADR 34).
SMALL_PILE = 10


def hidden_positives_prior(left_out, hidden, *, accepted=None, conductance=None):
    """Estimate the share of positives among the unlabeled by ways that err apart.

    The geometric mean of best bin estimation on rankings by likeness and on that of the classifier,
    which errs upwards, of DEDPUL on that of the classifier, which errs downwards, and, where the
    classifier estimates a share itself, of the share that it accepts, on average over trainings
    with different positives. Where a graph is at hand, that mean is corrected by how well such a
    share is separated in it, and the share near it is taken which few edges leave. In a small pile,
    the more positives the ranks tell, the more these count alone.

    Parameters
    ----------
    left_out : PairedRanks
        Of :func:`~core.kernels.scores.left_out_ranks.left_out_ranks`.
    hidden : PairedRanks
        Of :func:`~core.calibration.hidden_ranks.hidden_ranks`, for the classifier.
    accepted : float in [0, 1], default=None
        Share of the unlabeled samples above the classifier's own cut, on average; None where that
        cut is no estimate of the share of positives.
    conductance : ndarray of shape (n_unlabeled,), default=None
        Of :func:`~core.kernels.graphs.conductance.candidate_conductance`, for the ranking of the
        classifier; None where there is no graph.

    Returns
    -------
    PriorEstimate
        Its interval is meant to hold the share among the given unlabeled samples in nine of ten
        cases; ``benchmarks/auto.py`` measures how often it does. It does not end at
        the largest admissible value: that bounds the share in the population, and a pile of few
        positives has more by chance. ``details`` has each estimate that the mean is made of.

    Examples
    --------
    >>> from core.class_prior.hidden_positives import hidden_positives_prior
    >>> from core.datasets import make_pu_data
    >>> from core.kernels.scores.left_out_ranks import left_out_ranks
    >>> X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    >>> ranks = left_out_ranks(X, y == 1, random_state=0)
    >>> estimate = hidden_positives_prior(ranks, ranks)
    >>> bool(estimate.low <= y_true[y == 0].mean() <= estimate.high)
    True
    """
    ranked = {
        "bbe": best_bin_prior(left_out.positive, left_out.unlabeled),
        "bbe_of_classifier": best_bin_prior(hidden.positive, hidden.unlabeled),
        "dedpul_of_classifier": resolved_prior(dedpul_prior, hidden.positive, hidden.unlabeled),
    }
    members, weights = dict(ranked), [1, 1, 1]
    if accepted is not None:
        members["accepted"] = accepted
        weights.append(OF_ACCEPTED)
    deviation, n_below = LEAST_DEVIATION, N_BELOW
    if conductance is not None:
        deviation, n_below = LEAST_DEVIATION_CORRECTED, N_BELOW_CORRECTED
    estimate = log_mean_estimate(
        members,
        hidden,
        deviation,
        n_below=n_below,
        n_above=N_ABOVE,
        weights=weights,
        conductance=conductance,
    )
    if len(hidden.unlabeled) >= SMALL_PILE * len(hidden.positive):
        return estimate
    of_ranks = log_mean_estimate(ranked, hidden, LEAST_DEVIATION, n_below=N_BELOW, n_above=N_ABOVE)
    both = np.log([estimate[:3], of_ranks[:3]])
    shares = np.exp(np.average(both, axis=0, weights=[1 - of_ranks.value, of_ranks.value]))
    return bounded_estimate(*shares.tolist(), hidden, len(hidden.unlabeled), **members)
