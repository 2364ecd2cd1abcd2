"""Shares of positives: among all samples, among the unlabeled, and the label frequency.

Written pi, pi_U and c in papers. All three say the same where positives and unlabeled samples are
one sample of a population, some of whose positives were labeled (a single training set). Where
positives come from elsewhere (case-control), only pi_U has a meaning.
"""

from core.errors import Refused
from core.options import AT_LEAST_ONE, AT_LEAST_ZERO, SHARE, SHARE_ABOVE_ZERO, validate_params


@validate_params(
    {"prior_among_all": [SHARE], "n_positive": [AT_LEAST_ZERO], "n_unlabeled": [AT_LEAST_ONE]},
    prefer_skip_nested_validation=True,
)
def prior_among_unlabeled(prior_among_all, n_positive, n_unlabeled):
    """Return the share of positives among the unlabeled samples, pi_U.

    Parameters
    ----------
    prior_among_all : float in [0, 1]
        Share of positives among all samples, labeled ones included; pi.
    n_positive : int in [0, inf)
        Number of labeled positives.
    n_unlabeled : int in [1, inf)
        Number of unlabeled samples.

    Returns
    -------
    float in [0, 1]
        ``(pi - l) / (1 - l)``, where l is the share of labeled samples.

    Raises
    ------
    ValueError
        If there are fewer positives than labels, or a parameter is out of its range.

    Examples
    --------
    >>> from core.class_prior import prior_among_unlabeled
    >>> round(prior_among_unlabeled(0.3, 100, 900), 6)
    0.222222
    """
    n_hidden = prior_among_all * (n_positive + n_unlabeled) - n_positive
    if n_hidden < -1e-9 * n_positive:
        raise Refused(
            f"a share of {prior_among_all} positives among {n_positive + n_unlabeled} samples is "
            f"fewer positives than the {n_positive} labeled ones."
        )
    return max(0.0, n_hidden / n_unlabeled)


@validate_params(
    {"class_prior": [SHARE], "n_positive": [AT_LEAST_ZERO], "n_unlabeled": [AT_LEAST_ONE]},
    prefer_skip_nested_validation=True,
)
def prior_among_all(class_prior, n_positive, n_unlabeled):
    """Return the share of positives among all samples, pi, from that among the unlabeled.

    The inverse of :func:`prior_among_unlabeled`.

    Parameters
    ----------
    class_prior : float in [0, 1]
        Share of positives among the unlabeled samples, pi_U.
    n_positive : int in [0, inf)
        Number of labeled positives.
    n_unlabeled : int in [1, inf)
        Number of unlabeled samples.

    Returns
    -------
    float in [0, 1]
        ``(pi_U n_U + n_P) / (n_P + n_U)``.

    Examples
    --------
    >>> from core.class_prior import prior_among_all
    >>> round(prior_among_all(2 / 9, 100, 900), 6)
    0.3
    """
    return (class_prior * n_unlabeled + n_positive) / (n_positive + n_unlabeled)


@validate_params(
    {
        "label_frequency": [SHARE_ABOVE_ZERO],
        "n_positive": [AT_LEAST_ZERO],
        "n_unlabeled": [AT_LEAST_ONE],
    },
    prefer_skip_nested_validation=True,
)
def prior_from_label_frequency(label_frequency, n_positive, n_unlabeled):
    """Return the share of positives among the unlabeled samples, if labels hit positives at random.

    Parameters
    ----------
    label_frequency : float in (0, 1]
        Share of the positives that are labeled; c.
    n_positive : int in [0, inf)
        Number of labeled positives.
    n_unlabeled : int in [1, inf)
        Number of unlabeled samples.

    Returns
    -------
    float in [0, inf)
        ``(n_P / n_U) (1 - c) / c``; above 1 where the label frequency is too small for so many
        labels.

    Examples
    --------
    >>> from core.class_prior import prior_from_label_frequency
    >>> round(prior_from_label_frequency(1 / 3, 100, 900), 6)
    0.222222
    """
    return n_positive / n_unlabeled * (1 - label_frequency) / label_frequency


@validate_params(
    {"class_prior": [SHARE], "n_positive": [AT_LEAST_ONE], "n_unlabeled": [AT_LEAST_ZERO]},
    prefer_skip_nested_validation=True,
)
def label_frequency_from_prior(class_prior, n_positive, n_unlabeled):
    """Return the share of the positives that are labeled, c, from that of hidden ones, pi_U.

    The inverse of :func:`prior_from_label_frequency`.

    Parameters
    ----------
    class_prior : float in [0, 1]
        Share of positives among the unlabeled samples, pi_U.
    n_positive : int in [1, inf)
        Number of labeled positives.
    n_unlabeled : int in [0, inf)
        Number of unlabeled samples.

    Returns
    -------
    float in (0, 1]
        ``n_P / (n_P + pi_U n_U)``.

    Examples
    --------
    >>> from core.class_prior import label_frequency_from_prior
    >>> round(label_frequency_from_prior(2 / 9, 100, 900), 6)
    0.333333
    """
    return n_positive / (n_positive + class_prior * n_unlabeled)
