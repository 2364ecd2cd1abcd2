"""The largest class prior that positives allow, whatever the negatives look like."""

import numpy as np
from scipy.stats import beta

from core.class_prior.checked_scores import checked_scores
from core.class_prior.clamp import clamp_prior
from core.options import INNER_SHARE, validate_params

#: A class prior that was given has no interval, nor has the largest one that positives allow: a
#: share of positives of up to half more, or of negatives of a third fewer, is no contradiction.
MAX_RATIO = 1.5


@validate_params({"confidence": [INNER_SHARE]}, prefer_skip_nested_validation=True)
def largest_admissible_prior(positive_scores, unlabeled_scores, *, confidence=0.95):
    """Return an upper bound of the share of positives among the unlabeled samples.

    Among the unlabeled samples that score at least z there are at most as many positives as there
    are samples: ``pi_U <= q_U(z) / q_P(z)``, for every z. The share q_P of the positives is known
    only from the labeled ones; its lower bound holds at the scores of all of them at once.

    Parameters
    ----------
    positive_scores : ndarray of shape (n_positive,)
        Scores of labeled positives, treated as if they were unlabeled; at least one.
    unlabeled_scores : ndarray of shape (n_unlabeled,)
        Scores of the unlabeled samples.
    confidence : float in (0, 1), default=0.95
        Probability that the bound holds, at least, if positives are labeled at random. It needs
        nothing of the negatives.

    Returns
    -------
    float in [1 / n_U, 1 - 1 / n_U]
        The bound. It leaves out that hidden positives are drawn from a population as well.

    References
    ----------
    The bound of a share is that of C. J. Clopper and E. S. Pearson, "The use of confidence or
    fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import largest_admissible_prior
    >>> unlabeled = np.linspace(0, 1, 100)
    >>> round(largest_admissible_prior(np.full(50, 0.9), unlabeled), 3)
    0.125
    """
    positive_scores, unlabeled_scores = checked_scores(positive_scores, unlabeled_scores)
    scores = np.sort(positive_scores)[::-1]
    n_positive, n_unlabeled = len(scores), len(unlabeled_scores)
    n_above = np.arange(1, n_positive + 1)
    level = (1 - confidence) / n_positive
    least_share = beta.ppf(level, n_above, n_positive - n_above + 1)
    lower = np.searchsorted(np.sort(unlabeled_scores), scores)
    # One sample more: the share above a score is that of a sample as well.
    bounds = (n_unlabeled - lower + 1) / (n_unlabeled + 1) / least_share
    return clamp_prior(bounds.min(), n_unlabeled)


def is_far_above(class_prior, largest_admissible):
    """Tell whether a class prior is so far above what positives allow that they contradict it.

    Parameters
    ----------
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.
    largest_admissible : float in (0, 1)
        Of :func:`largest_admissible_prior`.

    Returns
    -------
    bool
        True where it has more than 1.5 times the positives, or where the largest admissible one
        has more than 1.5 times its negatives: above 2/3 no share has half more positives.

    Examples
    --------
    >>> from core.class_prior.largest_admissible import is_far_above
    >>> is_far_above(0.9, 0.3), is_far_above(0.99, 0.784)
    (True, True)
    >>> is_far_above(0.35, 0.3), is_far_above(0.9, 0.877)
    (False, False)
    """
    has_many_more = class_prior > MAX_RATIO * largest_admissible
    return bool(has_many_more or MAX_RATIO * (1 - class_prior) < 1 - largest_admissible)
