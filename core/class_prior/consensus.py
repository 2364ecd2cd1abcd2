"""One class prior of several estimates, with an interval."""

import numpy as np
from sklearn.utils import check_random_state

from core.class_prior.alpha_max import alpha_max_prior
from core.class_prior.bbe import best_bin_prior
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.estimators import ranks_or_reason, resampled_estimates
from core.class_prior.first_ranks import resolved_prior
from core.class_prior.kernel_mean import kernel_mean_prior
from core.class_prior.largest_admissible import largest_admissible_prior
from core.class_prior.log_mean import log_estimates, log_mean_estimate
from core.class_prior.prior_estimate import PriorEstimate
from core.progress import part

N_RESAMPLES = 100
#: Share of the time that making the ranks takes.
RANKED = 0.9
#: Standard deviations below and above: estimates are too large where negatives rank among the
#: positives.
N_BELOW, N_ABOVE = 4.0, 2.0
#: The same where the estimate is corrected for that by the graph.
N_BELOW_CORRECTED = 3.0


def consensus_prior(X, is_positive, *, ranks=None, random_state=None):
    """Estimate the share of positives among the unlabeled by four estimators that err apart.

    The geometric mean of best bin estimation, which errs upwards for few positives, of AlphaMax,
    which errs downwards, of DEDPUL and of KM2. All look at where left out positives rank. Where
    nearly all of these are among the first ranks, the last three look at those ranks alone
    (:func:`~core.class_prior.first_ranks.resolved_prior`). That mean is corrected by how well such
    a share is separated in the graph of nearest neighbors
    (:func:`~core.class_prior.log_mean.log_mean_estimate`).

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Positives and unlabeled samples.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled.
    ranks : PairedRanks, default=None
        Made before; None makes them by :func:`~core.kernels.scores.left_out_ranks.left_out_ranks`.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    PriorEstimate
        The interval is meant for the share among the given unlabeled samples. On a scale of
        logarithms it reaches three standard deviations below the value (four without a graph) and
        two above: those of estimates from positives drawn again and of the estimators among each
        other, together. It ends at the largest admissible value, or at the estimate where that is
        larger. How often it covers the share is measured by ``benchmarks/class_prior.py``.
        ``details`` has each estimate.

    Raises
    ------
    NoUnlabeled
        If all samples are labeled.

    Examples
    --------
    >>> from core.class_prior.consensus import consensus_prior
    >>> from core.datasets import make_pu_data
    >>> X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    >>> estimate = consensus_prior(X, y == 1, random_state=0)
    >>> bool(estimate.low <= y_true[y == 0].mean() <= estimate.high)
    True
    """
    random, done = check_random_state(random_state), 0.0
    if ranks is None:
        done = RANKED
        with part("class prior", 0, done):
            ranks, reason = ranks_or_reason(X, is_positive, random_state=random)
        if reason:
            return PriorEstimate(None, reason=reason)
    with part("class prior", done, 1):
        return consensus_of_ranks(ranks, random_state=random)


def consensus_of_ranks(ranks, *, random_state=None):
    """Return :func:`consensus_prior` where the ranks were made before.

    Parameters
    ----------
    ranks : PairedRanks
        Of two positives or more.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    PriorEstimate
    """
    n_unlabeled = len(ranks.unlabeled)

    def log_mean(positive, unlabeled):
        members = {
            "bbe": best_bin_prior(positive, unlabeled),
            "dedpul": resolved_prior(dedpul_prior, positive, unlabeled),
        }
        return log_estimates(members, n_unlabeled).mean()

    resampled = resampled_estimates(
        log_mean, ranks, n_resamples=N_RESAMPLES, random_state=random_state
    )
    n_below = N_BELOW if ranks.conductance is None else N_BELOW_CORRECTED
    return log_mean_estimate(
        _members(ranks),
        ranks,
        resampled.std(ddof=1),
        n_below=n_below,
        n_above=N_ABOVE,
        most=largest_admissible_prior(ranks.positive, ranks.unlabeled),
        conductance=ranks.conductance,
    )


def consensus_value(ranks):
    """Return the geometric mean of :func:`consensus_prior` alone, not corrected.

    Parameters
    ----------
    ranks : PairedRanks
        Of two positives or more.

    Returns
    -------
    float
        In (0, 1].
    """
    return float(np.exp(log_estimates(_members(ranks), len(ranks.unlabeled)).mean()))


def _members(ranks):
    pair = ranks.positive, ranks.unlabeled
    return {
        "alpha_max": resolved_prior(alpha_max_prior, *pair),
        "bbe": best_bin_prior(*pair),
        "dedpul": resolved_prior(dedpul_prior, *pair),
        "km2": resolved_prior(kernel_mean_prior, *pair),
    }
