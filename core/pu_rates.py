"""Figures of merit from rates: recall, share predicted positive, area, and the class prior."""

import warnings

from sklearn.exceptions import UndefinedMetricWarning


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
        As :func:`~core.metrics.pu_scores`; it raises and warns as that does.

    Examples
    --------
    >>> from core.pu_rates import pu_scores_of_rates
    >>> round(pu_scores_of_rates(0.8, 0.4, class_prior=0.3)["precision"], 3)
    0.6
    """
    check_class_prior(class_prior)
    found = class_prior * recall
    false_positive_rate = (share - found) / (1 - class_prior)
    if false_positive_rate < -0.02:
        warnings.warn(
            f"class_prior={class_prior} and recall {recall:.3g} account for more than the share "
            f"{share:.3g} that is predicted positive.",
            UndefinedMetricWarning,
            stacklevel=3,
        )
    false_positive_rate = max(0.0, false_positive_rate)
    precision = min(1.0, found / share) if share else 0.0
    return {
        "recall": recall,
        "precision": precision,
        "f1": 2 * precision * recall / (precision + recall) if precision * recall else 0.0,
        "false_positive_rate": false_positive_rate,
        "accuracy": found + (1 - class_prior) * (1 - false_positive_rate),
    }


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
        As :func:`~core.metrics.pu_auc` with a class prior; it raises and warns as that does.

    Examples
    --------
    >>> from core.pu_rates import auc_with_prior
    >>> round(auc_with_prior(0.8, 0.3), 6)
    0.928571
    """
    check_class_prior(class_prior)
    corrected = (area - class_prior / 2) / (1 - class_prior)
    if not 0 <= corrected <= 1:
        warnings.warn(
            f"class_prior={class_prior} is too large: the corrected area is {corrected:.3g}.",
            UndefinedMetricWarning,
            stacklevel=3,
        )
    return min(1.0, max(0.0, corrected))


def check_class_prior(class_prior):
    """Refuse a class prior that is not in (0, 1).

    Examples
    --------
    >>> from core.pu_rates import check_class_prior
    >>> check_class_prior(0.3)
    """
    if not 0 < class_prior < 1:
        raise ValueError(f"class_prior must be in (0, 1), got {class_prior}.")
