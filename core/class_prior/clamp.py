"""The class priors that a pile of a given size allows."""

#: With fewer unlabeled samples there is no share to speak of, and some estimators fail.
MIN_UNLABELED = 3


def clamp_prior(class_prior, n_unlabeled):
    """Return a class prior that leaves a positive and a negative among the unlabeled.

    Parameters
    ----------
    class_prior : float in [0, 1]
        Share of positives among the unlabeled samples.
    n_unlabeled : int in [0, inf)
        Number of unlabeled samples.

    Returns
    -------
    float
        In [1 / n_U, 1 - 1 / n_U]; 0.5 for a single unlabeled sample or none.

    Examples
    --------
    >>> from core.class_prior.clamp import clamp_prior
    >>> clamp_prior(0.3, 10), clamp_prior(0, 10), clamp_prior(1, 10), clamp_prior(0.3, 1)
    (0.3, 0.1, 0.9, 0.5)
    """
    smallest = smallest_prior(n_unlabeled)
    return float(min(max(class_prior, smallest), 1 - smallest))


def smallest_prior(n_unlabeled):
    """Return the class prior of one positive among the unlabeled; 0.5 for fewer than two samples.

    Examples
    --------
    >>> from core.class_prior.clamp import smallest_prior
    >>> smallest_prior(10), smallest_prior(1)
    (0.1, 0.5)
    """
    return 1 / max(n_unlabeled, 2)
