"""Figures of merit from rates: recall, share predicted positive, area, and the class prior."""

from scipy.stats import beta, norm

from core.errors import BadParameter
from core.options import INNER_SHARE, validate_params

#: Coverage of the interval of an area.
CONFIDENCE = 0.95
N_BISECTIONS = 50
#: A false positive rate below the first is more than rounding. So is an excess above the second, as
#: a share of what is accepted: that is little where few are positive.
LEAST_FALSE_POSITIVE_RATE, MOST_EXCESS = -0.02, 0.1


def is_prior_too_large(recall, share, class_prior):
    """Tell whether recall and class prior account for more than is predicted positive.

    Parameters
    ----------
    recall, share, class_prior : float in [0, 1]
        As in :func:`pu_scores_of_rates`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from core.pu_rates import is_prior_too_large
    >>> [is_prior_too_large(0.8, 0.2, class_prior) for class_prior in (0.2, 0.3)]
    [False, True]
    """
    excess = class_prior * recall - share
    return excess > min(-LEAST_FALSE_POSITIVE_RATE * (1 - class_prior), MOST_EXCESS * share)


def is_prior_contradicted(recall, share, class_prior):
    """Tell whether more is predicted positive than recall and class prior leave room for.

    It is :func:`is_prior_too_large` of what is predicted negative, and of the positives among it.

    Parameters
    ----------
    recall, share, class_prior : float in [0, 1]
        As in :func:`pu_scores_of_rates`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from core.pu_rates import is_prior_contradicted
    >>> [is_prior_contradicted(0.2, 0.8, class_prior) for class_prior in (0.2, 0.3)]
    [False, True]
    """
    return is_prior_too_large(1 - recall, 1 - share, class_prior)


def pu_scores_of_rates(recall, share, *, class_prior):
    """Return the figures of ``pu_scores`` from the recall and the share predicted positive.

    Parameters
    ----------
    recall : float in [0, 1]
        Of the positives.
    share : float in [0, 1]
        Of the unlabeled samples, what is predicted positive.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.

    Returns
    -------
    dict
        As :func:`~core.metrics.pu_scores`, without its warning:
        :func:`is_prior_too_large` and :func:`is_prior_contradicted` tell where it is due.

    Examples
    --------
    >>> from core.pu_rates import pu_scores_of_rates
    >>> round(pu_scores_of_rates(0.8, 0.4, class_prior=0.3)["precision"], 3)
    0.6
    """
    check_class_prior(class_prior)
    found = class_prior * recall
    false_positive_rate = min(1.0, max(0.0, (share - found) / (1 - class_prior)))
    precision = min(1.0, found / share) if share else 0.0
    return {
        "recall": recall,
        "precision": precision,
        "f1": 2 * precision * recall / (precision + recall) if precision * recall else 0.0,
        "false_positive_rate": false_positive_rate,
        "accuracy": found + (1 - class_prior) * (1 - false_positive_rate),
    }


def criteria_of_rates(recall, share, *, class_prior):
    """Return zero-one risks and proxy accuracy from the recall and the share predicted positive.

    Parameters
    ----------
    recall : float in [0, 1]
        Of the positives.
    share : float in [0, 1]
        Of the population, what is predicted positive.
    class_prior : float in (0, 1)
        Share of positives in the population.

    Returns
    -------
    dict
        ``unbiased_risk`` (uPU), ``non_negative_risk`` (nnPU) and ``proxy_accuracy``. The risk is
        ``1 - accuracy``, negative where recall and prior account for more than the share;
        the proxy accuracy is ``1 + class_prior`` less the unbiased risk.

    Examples
    --------
    >>> from core.pu_rates import criteria_of_rates
    >>> criteria = criteria_of_rates(0.8, 0.4, class_prior=0.3)
    >>> {name: round(value, 3) for name, value in criteria.items()}
    {'unbiased_risk': 0.22, 'non_negative_risk': 0.22, 'proxy_accuracy': 1.08}
    """
    check_class_prior(class_prior)
    missed, of_negatives = class_prior * (1 - recall), share - class_prior * recall
    return {
        "unbiased_risk": missed + of_negatives,
        "non_negative_risk": missed + max(0.0, of_negatives),
        "proxy_accuracy": 2 * class_prior * recall + 1 - share,
    }


@validate_params({"confidence": [INNER_SHARE]}, prefer_skip_nested_validation=True)
def binomial_interval(n_hits, n_trials, *, confidence=0.95):
    """Return the Clopper-Pearson interval of a share.

    Parameters
    ----------
    n_hits : float in [0, n_trials]
        How many came true; a mean of repeats need not be whole.
    n_trials : int
        Of how many.
    confidence : float in (0, 1), default=0.95
        Coverage of the interval.

    Returns
    -------
    tuple of two floats
        Lower and upper end, in [0, 1].

    Examples
    --------
    >>> from core.pu_rates import binomial_interval
    >>> [round(end, 3) for end in binomial_interval(3, 4)]
    [0.194, 0.994]
    """
    error, n_misses = (1 - confidence) / 2, n_trials - n_hits
    return (
        float(beta.ppf(error, n_hits, n_misses + 1)) if n_hits else 0.0,
        float(beta.isf(error, n_hits + 1, n_misses)) if n_misses else 1.0,
    )


def auc_interval(area, n_positive, n_negative):
    """Return the interval of an area under the ROC curve, as Wilson's is that of a share.

    It holds the areas from which the observed one is at most 1.96 standard deviations away, these
    by the formula of Hanley and McNeil, so that it has a width where few positives are all above.

    Parameters
    ----------
    area : float in [0, 1]
        How often a positive scores above a negative.
    n_positive, n_negative : int
        How many there were of each; unlabeled samples may stand for negatives.

    Returns
    -------
    tuple of two floats
        Lower and upper end, in [0, 1]. They hold 95 % as far as scores are like exponential ones.

    References
    ----------
    J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating
    characteristic (ROC) curve", Radiology 143, 1982. R. G. Newcombe, "Confidence intervals for an
    effect size measure based on the Mann-Whitney statistic. Part 2", Statistics in Medicine 25,
    2006: the standard deviation at the end instead of at the area.

    Examples
    --------
    >>> from core.pu_rates import auc_interval
    >>> [round(end, 2) for end in auc_interval(0.8, 10, 1000)]
    [0.61, 0.92]
    """
    low, high = (_end_of_area(area, n_positive, n_negative, bound) for bound in (0.0, 1.0))
    return low, high


def _end_of_area(area, n_positive, n_negative, outside):
    """Return how far from an area towards a bound the interval reaches, by bisection."""
    n_deviations, inside = norm.isf((1 - CONFIDENCE) / 2), float(area)
    for _ in range(N_BISECTIONS):
        middle = (inside + outside) / 2
        deviation = _area_variance(middle, n_positive, n_negative) ** 0.5
        if abs(middle - area) > n_deviations * deviation:
            outside = middle
        else:
            inside = middle
    return inside


def _area_variance(area, n_positive, n_negative):
    area = max(area, 1 - area)  # upside down it varies as much
    of_negatives = area * (1 - area) ** 2 / (2 - area)
    of_positives = area**2 * (1 - area) / (1 + area)
    total = (n_positive - 1) * of_negatives + (n_negative - 1) * of_positives
    return (area * (1 - area) + total) / (n_positive * n_negative)


def auc_with_prior(area, class_prior):
    """Return the area of positives against negatives, from that against unlabeled samples.

    Parameters
    ----------
    area : float in [0, 1]
        Of :func:`~core.metrics.pu_auc` without a class prior.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.

    Returns
    -------
    float in [0, 1]
        As :func:`~core.metrics.pu_auc` with a class prior, without its warning.

    Examples
    --------
    >>> from core.pu_rates import auc_with_prior
    >>> round(auc_with_prior(0.8, 0.3), 6)
    0.928571
    """
    check_class_prior(class_prior)
    corrected = (area - class_prior / 2) / (1 - class_prior)
    return min(1.0, max(0.0, corrected))


def area_under_lift(area, n_positive, n_unlabeled):
    """Return how often a positive scores above a sample drawn from all, the labeled ones included.

    Parameters
    ----------
    area : float in [0, 1]
        Of :func:`~core.metrics.pu_auc` without a class prior.
    n_positive, n_unlabeled : int
        Numbers of labeled positives and of unlabeled samples.

    Returns
    -------
    float in [0, 1]
        As :func:`~core.evaluation.pu_criteria.aul_score` of a single set.

    Examples
    --------
    >>> from core.pu_rates import area_under_lift
    >>> area_under_lift(0.875, 2, 2)
    0.6875
    """
    labeled = n_positive / (n_positive + n_unlabeled)
    return labeled / 2 + (1 - labeled) * area


def check_class_prior(class_prior):
    """Refuse a class prior that is not in (0, 1).

    Parameters
    ----------
    class_prior : float
        Share of positives among the unlabeled samples.

    Raises
    ------
    BadParameter
        If it is no number in (0, 1).

    Examples
    --------
    >>> from core.pu_rates import check_class_prior
    >>> check_class_prior(0.3)
    """
    if not INNER_SHARE.is_satisfied_by(class_prior):
        raise BadParameter(
            f"class_prior must be a number in (0, 1), got {class_prior!r}.", "class_prior"
        )
