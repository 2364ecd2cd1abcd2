"""What to know about an estimate of the class prior."""

from core.class_prior.clamp import smallest_prior

#: An interval that spans more than this factor is wide.
MAX_RATIO = 2.0


def prior_flags(value, low, high, largest_admissible, n_unlabeled):
    """Return the flags of a :class:`~core.class_prior.prior_estimate.PriorEstimate`.

    Parameters
    ----------
    value, low, high : float in [1 / n_U, 1 - 1 / n_U]
        Class prior and the ends of its interval, None where it has none.
    largest_admissible : float in [0, 1] or None
        The largest class prior that the positives allow.
    n_unlabeled : int in [1, inf)
        Samples that the class prior is a share of.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from core.class_prior.prior_flags import prior_flags
    >>> prior_flags(0.1, 0.1, 0.3, None, n_unlabeled=10)
    ('at_bound', 'wide_interval')
    """
    edge = smallest_prior(n_unlabeled)
    flags = {
        "at_bound": not edge < value < 1 - edge,
        "above_admissible": largest_admissible is not None and value > largest_admissible,
        "wide_interval": low is not None and high > MAX_RATIO * low,
    }
    return tuple(code for code, is_set in flags.items() if is_set)
