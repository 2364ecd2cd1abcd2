"""Estimators of the class prior behind one signature: ``estimate(X, is_positive, ...)``."""

from functools import partial
from inspect import cleandoc

import numpy as np
from sklearn.utils import check_random_state

from core.class_prior.clamp import clamp_prior
from core.class_prior.largest_admissible import largest_admissible_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.class_prior.prior_flags import prior_flags
from core.errors import NoUnlabeled, TooFewPositives
from core.kernels.rows.masks import rows_and_masks
from core.kernels.rows.near_copies import are_distinct
from core.kernels.rows.shared_features import shares_features
from core.kernels.scores.left_out_ranks import left_out_ranks
from core.progress import by_parts

#: Quantiles of the estimates from samples drawn again that bound an interval.
INTERVAL = (0.05, 0.95)
#: How often samples are drawn again, and dealt out into parts.
N_RESAMPLES, N_DEALS = 20, 5


def estimate_from_ranks(function, X, is_positive, *, ranks=None, random_state=None):
    """Estimate the class prior from the ranks of positives left out.

    Parameters
    ----------
    function : callable
        From ranks of positives and of unlabeled samples to a class prior.
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
        Its interval holds nine in ten of the estimates from positives drawn again. It shows what
        chance does to the labels, not what negatives that look like positives do.

    Raises
    ------
    NoUnlabeled
        If all samples are labeled.

    Examples
    --------
    >>> from core.class_prior import dedpul_prior
    >>> from core.class_prior.estimators import estimate_from_ranks
    >>> from core.datasets import make_pu_data
    >>> X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    >>> estimate = estimate_from_ranks(dedpul_prior, X, y == 1, random_state=0)
    >>> bool(estimate.low <= y_true[y == 0].mean() <= estimate.high)
    True
    """
    random = check_random_state(random_state)
    if ranks is None:
        ranks, reason = ranks_or_reason(X, is_positive, random_state=random)
        if reason:
            return PriorEstimate(None, reason=reason)
    resampled = resampled_estimates(function, ranks, random_state=random)
    low, high = np.quantile(resampled, INTERVAL)
    value = function(ranks.positive, ranks.unlabeled)
    return bounded_estimate(value, low, high, ranks, len(ranks.unlabeled))


def ranks_or_reason(X, is_positive, *, random_state=None):
    """Return the ranks of left out positives and None, or None and what is missing for them.

    Parameters
    ----------
    X, is_positive, random_state
        As in :func:`estimate_from_ranks`.

    Returns
    -------
    ranks : PairedRanks or None
        Of positives that equal none before.
    reason : str or None
        As of :func:`lack`.

    Raises
    ------
    NoUnlabeled
        If all samples are labeled.
    """
    X, is_positive = without_copies(X, is_positive)
    if reason := lack(X, is_positive):
        return None, reason
    return left_out_ranks(X, is_positive, random_state=random_state), None


def resampled_estimates(function, ranks, *, n_resamples=N_RESAMPLES, random_state=None):
    """Return estimates from positives drawn again with replacement, of shape (n_resamples,).

    The many unlabeled samples stay: a few more or less at either score move no estimate.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.estimators import resampled_estimates
    >>> from core.kernels.scores.left_out_ranks import PairedRanks
    >>> ranks = PairedRanks(np.full(9, 0.5), np.arange(9.0))
    >>> resampled_estimates(lambda p, u: p.mean(), ranks, n_resamples=2).tolist()
    [0.5, 0.5]
    """
    random = check_random_state(random_state)
    positive, unlabeled = np.sort(ranks.positive), ranks.unlabeled
    draws = random.choice(positive, (n_resamples, len(positive)))
    return np.array(by_parts("resample", lambda draw: function(draw, unlabeled), draws))


def estimate_by_deals(function, X, is_positive, *, min_each=2, ranks=None, random_state=None):
    """Estimate the class prior by a function that deals the samples out into parts itself.

    Parameters
    ----------
    function : callable
        ``function(X, is_positive, random_state=...)`` returns a class prior.
    X, is_positive, random_state
        As in :func:`estimate_from_ranks`.
    min_each : int, default=2
        Fewest positives and fewest unlabeled samples that the function takes.
    ranks : PairedRanks, default=None
        Made before, for the largest admissible class prior; None leaves that out.

    Returns
    -------
    PriorEstimate
        The median over five deals. Its interval holds all of them: far too narrow to be trusted.

    Raises
    ------
    NoUnlabeled
        If all samples are labeled.

    Examples
    --------
    >>> from core.class_prior import elkan_noto_prior
    >>> from core.class_prior.estimators import estimate_by_deals
    >>> from core.datasets import make_pu_data
    >>> X, y, _ = make_pu_data(200, random_state=0)
    >>> estimate = estimate_by_deals(elkan_noto_prior, X, y == 1, random_state=0)
    >>> estimate.low <= estimate.value <= estimate.high
    True
    """
    X, is_positive = without_copies(X, is_positive)
    if reason := lack(X, is_positive, min_each):
        return PriorEstimate(None, reason=reason)
    random = check_random_state(random_state)
    of_samples = partial(function, X, is_positive)
    deals = by_parts("deal", lambda _: of_samples(random_state=random), range(N_DEALS))
    n_unlabeled = int((~is_positive).sum())
    return bounded_estimate(float(np.median(deals)), min(deals), max(deals), ranks, n_unlabeled)


def without_copies(X, is_positive):
    """Return the samples without positives that nearly repeat another: a copy is no further draw.

    Parameters
    ----------
    X, is_positive
        As in :func:`estimate_from_ranks`.

    Returns
    -------
    X, is_positive
        One of the positives of each group of near copies, and all unlabeled samples.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.class_prior.estimators import without_copies
    >>> X = sp.csr_array([[2.0], [2.0], [1.0], [2.0]])
    >>> without_copies(X, np.array([True, True, True, False]))[1].tolist()
    [True, True, False]
    """
    X, is_positive = rows_and_masks(X, is_positive)
    is_kept = are_distinct(X, is_positive)
    return (X, is_positive) if is_kept.all() else (X[is_kept], is_positive[is_kept])


def lack(X, is_positive, min_each=2):
    """Return what is missing for an estimate, a ``reason`` of :class:`PriorEstimate`, or None.

    Parameters
    ----------
    X, is_positive
        As in :func:`estimate_from_ranks`.
    min_each : int, default=2
        Fewest positives and fewest unlabeled samples.

    Returns
    -------
    str or None
        ``too_few_positives``, ``too_few_unlabeled``, ``no_features``, ``nothing_shared``, or None
        where nothing is missing.

    Raises
    ------
    NoUnlabeled
        If all samples are labeled.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.class_prior.estimators import lack
    >>> lack(sp.csr_array((4, 1)), np.array([True, True, False, False]))
    'no_features'
    """
    X, is_positive = rows_and_masks(X, is_positive)
    n_positive = int(is_positive.sum())
    n_unlabeled = len(is_positive) - n_positive
    if not n_unlabeled:
        raise NoUnlabeled("all samples are labeled positive: none is unlabeled.")
    if not X.nnz:
        return "no_features"
    if n_positive < min_each:
        return TooFewPositives.code
    if n_unlabeled < min_each:
        return "too_few_unlabeled"
    return None if shares_features(X, is_positive, ~is_positive) else "nothing_shared"


def bounded_estimate(value, low, high, ranks, n_unlabeled, **details):
    """Return an estimate within bounds, its interval around it, with flags.

    Parameters
    ----------
    value, low, high : float
        Class prior and the ends of its interval, of any size.
    ranks : PairedRanks or None
        For the largest admissible class prior, which the interval holds if all of it would be
        above; None leaves that out.
    n_unlabeled : int in [1, inf)
        Samples that the class prior is a share of.
    **details
        What was found on the way.

    Returns
    -------
    PriorEstimate
        Each number in [1 / n_U, 1 - 1 / n_U].

    Examples
    --------
    >>> from core.class_prior.estimators import bounded_estimate
    >>> estimate = bounded_estimate(1.0, 0.7, 1.0, None, n_unlabeled=20)
    >>> estimate.value, estimate.low, estimate.flags
    (0.95, 0.7, ('at_bound',))
    """
    value = clamp_prior(value, n_unlabeled)
    largest = largest_admissible_prior(ranks.positive, ranks.unlabeled) if ranks else None
    ends = [value, low, *([] if largest is None else [largest])]
    low = min(clamp_prior(end, n_unlabeled) for end in ends)
    high = max(value, clamp_prior(high, n_unlabeled))
    flags = prior_flags(value, low, high, largest, n_unlabeled)
    return PriorEstimate(value, low, high, largest, flags=flags, details=details)


def with_documentation(adapter, function, **options):
    """Return an adapter bound to a ``function``, whose documentation help() then shows.

    Parameters
    ----------
    adapter : callable
        ``estimate_from_ranks`` or ``estimate_by_deals``.
    function : callable
        What it estimates by; a partial one is documented as the whole one.
    **options
        Others for the adapter.

    Returns
    -------
    callable
        To be called with ``(X, is_positive, *, ranks=None, random_state=None)``.

    Examples
    --------
    >>> from core.class_prior import dedpul_prior
    >>> from core.class_prior.estimators import estimate_from_ranks, with_documentation
    >>> with_documentation(estimate_from_ranks, dedpul_prior).__doc__.splitlines()[0]
    'Return the share of positives among the unlabeled, from the ratio of the densities.'
    """
    estimate, whole = partial(adapter, function, **options), getattr(function, "func", function)
    told = cleandoc(whole.__doc__ or "").partition("\n\nParameters\n")[0]
    estimate.__doc__ = (
        f"{told}\n\n"
        "Takes ``(X, is_positive, *, ranks=None, random_state=None)`` and returns a\n"
        f"PriorEstimate: see ``{adapter.__module__}.{adapter.__name__}``,\n"
        f"and for the source ``{whole.__module__}.{whole.__name__}``.\n"
    )
    return estimate
