"""Class priors smaller than an estimator can tell, from the first ranks alone."""

import numpy as np

#: Share of the positives that must be among the first ranks; the others are left aside then.
SHARE = 0.8
#: How many times as many unlabeled samples are looked at as these positives rank among.
WIDTH = 10
#: If that is more than this share of the unlabeled samples, all are looked at.
MOST = 0.1
#: Fewest unlabeled samples that are looked at.
MIN_UNLABELED = 50


def resolved_prior(estimate, positive_ranks, unlabeled_ranks):
    """Return an estimate of the class prior that may be far below one per cent.

    Estimators tell no shares below one or two per cent: they try priors in such steps, bound ratios
    of densities, or look at a few hundred samples. Where four of five positives rank within the
    first hundredth of the unlabeled samples, the estimate is made among the first tenth of these,
    or fewer: there it is the class prior times the share of the positives that rank as high, over
    the share of the unlabeled samples that do. Where none of these does, as many have the same
    score, all are looked at.

    Parameters
    ----------
    estimate : callable
        From ranks of positives and of unlabeled samples to a class prior.
    positive_ranks, unlabeled_ranks : ndarray of float in (0, 1)
        Shares of the unlabeled samples that rank lower, as those of
        :func:`~core.kernels.scores.left_out_ranks.left_out_ranks`.

    Returns
    -------
    float
        In (0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.first_ranks import resolved_prior
    >>> from core.class_prior import kernel_mean_prior
    >>> unlabeled = (np.arange(100_000) + 0.5) / 100_000
    >>> first = np.linspace(0.998, 0.99999, 20)
    >>> round(kernel_mean_prior(first, unlabeled), 3)
    0.015
    >>> round(resolved_prior(kernel_mean_prior, first, unlabeled), 3)
    0.002
    """
    n_first = int(np.ceil(SHARE * len(positive_ranks)))
    among = 1 - np.sort(positive_ranks)[-n_first]
    width = max(WIDTH * among, MIN_UNLABELED / len(unlabeled_ranks))
    is_seen, is_near = positive_ranks > 1 - width, unlabeled_ranks > 1 - width
    # None is near where many share the highest score, as where none has a term of the positives.
    if width > MOST or not is_near.any():
        return estimate(positive_ranks, unlabeled_ranks)
    positive, unlabeled = (
        1 - (1 - ranks) / width for ranks in (positive_ranks[is_seen], unlabeled_ranks[is_near])
    )
    return float(estimate(positive, unlabeled) * is_near.mean() / is_seen.mean())
