"""Figures of merit where negatives are unknown: held-out positives against unlabeled samples.

``y`` holds the label of positives, ``pos_label``, and any other value for unlabeled samples; use
rows that the classifier was not trained on. The class prior is the share of positives among the
unlabeled samples. All but the bounds assume that positives are labeled completely at random.
With the truth at hand use the metrics of scikit-learn.
"""

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score
from sklearn.utils import check_consistent_length, column_or_1d

from core.caller_warning import warn_caller
from core.label_masks import label_masks, positive_mask, warn_of_labels
from core.options import AT_LEAST_ONE, AT_LEAST_ZERO, INNER_SHARE, validate_params
from core.pu_rates import (
    auc_with_prior,
    binomial_interval,
    check_class_prior,
    is_prior_contradicted,
    is_prior_too_large,
    pu_scores_of_rates,
)


@validate_params({"confidence": [INNER_SHARE]}, prefer_skip_nested_validation=True)
def recall_interval(y, y_pred, *, confidence=0.95, pos_label=1):
    """Return the recall with its Clopper-Pearson interval.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    confidence : float in (0, 1), default=0.95
        Coverage of the interval.
    pos_label : int, str or bool, default=1
        Label of positives.

    Returns
    -------
    tuple of three floats
        Recall, lower end, upper end, in [0, 1].

    Raises
    ------
    ValueError
        If there is no positive.

    Examples
    --------
    >>> from core.metrics import recall_interval
    >>> [round(value, 3) for value in recall_interval([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])]
    [0.75, 0.194, 0.994]
    """
    is_positive, is_accepted = label_masks(y, y_pred, pos_label)
    accepted = is_accepted[is_positive]
    ends = binomial_interval(accepted.sum(), len(accepted), confidence=confidence)
    return float(accepted.mean()), *ends


def lee_liu_score(y, y_pred, *, single_set=False, pos_label=1, sample_weight=None):
    """Return recall squared over the share of samples that are predicted positive.

    It estimates precision times recall over the class prior without knowing the prior, hence
    compares classifiers on one data set only.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    single_set : bool, default=False
        Whether positives and unlabeled samples were drawn as one sample; else the unlabeled alone
        are the population.
    pos_label : int, str or bool, default=1
        Label of positives.
    sample_weight : array-like of shape (n_samples,), default=None
        How much each sample counts in either share, not negative; None: all alike.

    Returns
    -------
    float in [0, 1 / class prior]
        The higher, the better; 0 where nothing of the population is predicted positive.

    Raises
    ------
    ValueError
        If there are no positives or no unlabeled samples, or none with a weight above 0.

    References
    ----------
    W. S. Lee and B. Liu, "Learning with positive and unlabeled examples using weighted logistic
    regression", ICML 2003.

    Examples
    --------
    >>> from core.metrics import lee_liu_score
    >>> lee_liu_score([1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0])
    4.0
    """
    is_positive, is_accepted = label_masks(y, y_pred, pos_label, needs_unlabeled=True)
    weights = np.ones(len(is_positive))
    if sample_weight is not None:
        weights = column_or_1d(sample_weight, dtype=float, input_name="sample_weight")
    check_consistent_length(is_positive, weights)
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise ValueError("sample_weight must be finite and not negative.")
    population = np.ones_like(is_positive) if single_set else ~is_positive
    if not all(weights[rows].any() for rows in (is_positive, population)):
        raise ValueError("sample_weight is 0 for all positives, or for all unlabeled samples.")
    recall, share = (
        np.average(is_accepted[rows], weights=weights[rows]) for rows in (is_positive, population)
    )
    return float(recall**2 / share) if share else 0.0


def pu_scores(y, y_pred, *, class_prior, pos_label=1):
    """Return the usual figures over the unlabeled samples, from recall and class prior.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.
    pos_label : int, str or bool, default=1
        Label of positives.

    Returns
    -------
    dict
        ``recall``, ``precision``, ``f1``, ``false_positive_rate`` and ``accuracy``, floats in
        [0, 1]. Where nothing is predicted positive, precision and F1 are 0.

    Raises
    ------
    ValueError
        If there are no positives or no unlabeled samples, or the prior is out of range.

    Warns
    -----
    UndefinedMetricWarning
        If recall and prior account for more samples than are predicted positive, by more than
        2 % of the negatives or a tenth of what is predicted positive: the prior is too large, or
        the labels are not missing at random. Likewise if they leave room for less than is
        predicted positive.

    References
    ----------
    M. Claesen et al., "Assessing binary classifiers using only positive and unlabeled data",
    arXiv 1504.06837, 2015.

    Examples
    --------
    >>> from core.metrics import pu_scores
    >>> y, y_pred = [1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0]
    >>> pu_scores(y, y_pred, class_prior=0.25)["precision"]
    0.5
    """
    is_positive, is_accepted = label_masks(y, y_pred, pos_label, needs_unlabeled=True)
    recall = float(is_accepted[is_positive].mean())
    share = float(is_accepted[~is_positive].mean())
    scores = pu_scores_of_rates(recall, share, class_prior=class_prior)
    if is_prior_too_large(recall, share, class_prior):
        warn_caller(
            f"class_prior={class_prior} and recall {recall:.3g} account for more than the share "
            f"{share:.3g} that is predicted positive.",
            UndefinedMetricWarning,
        )
    if is_prior_contradicted(recall, share, class_prior):
        warn_caller(
            f"class_prior={class_prior} and recall {recall:.3g} leave room for less than the share "
            f"{share:.3g} that is predicted positive.",
            UndefinedMetricWarning,
        )
    return scores


@validate_params(
    {"n_predicted": [AT_LEAST_ZERO], "n_unlabeled": [AT_LEAST_ONE]},
    prefer_skip_nested_validation=True,
)
def contingency_bounds(n_predicted, n_unlabeled, *, class_prior):
    """Return what precision and recall can be at all, whichever positives were labeled.

    Parameters
    ----------
    n_predicted : int in [0, n_unlabeled]
        Unlabeled samples that are predicted positive.
    n_unlabeled : int
        Unlabeled samples.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.

    Returns
    -------
    dict
        ``precision`` and ``recall``, each a tuple of lower and upper bound in [0, 1]; both of
        ``precision`` are 0 where nothing is predicted positive.

    Raises
    ------
    ValueError
        If the prior or a number is out of range.

    Examples
    --------
    >>> from core.metrics import contingency_bounds
    >>> contingency_bounds(400, 1000, class_prior=0.3)
    {'precision': (0.0, 0.75), 'recall': (0.0, 1.0)}
    """
    check_class_prior(class_prior)
    if n_predicted > n_unlabeled:
        raise ValueError(f"n_predicted={n_predicted} is not in [0, n_unlabeled={n_unlabeled}].")
    n_positive = class_prior * n_unlabeled
    # Whole numbers first, so that rounding does not put the lower bound above the upper one.
    n_rejected = n_unlabeled - n_predicted
    bounds = (max(0.0, n_positive - n_rejected), min(n_positive, n_predicted))
    return {
        "precision": tuple(float(hits / n_predicted) if n_predicted else 0.0 for hits in bounds),
        "recall": tuple(float(hits / n_positive) for hits in bounds),
    }


def pu_auc(y, y_score, *, class_prior=None, pos_label=1):
    """Return how often a positive scores above an unlabeled sample, ties counting half.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    y_score : array-like of shape (n_samples,)
        Scores: the higher, the more likely positive.
    class_prior : float in (0, 1), default=None
        Share of positives among the unlabeled samples. With it the area is that of positives
        against negatives; without it the hidden positives pull the area towards 1/2. The order of
        classifiers on one data set is the same.
    pos_label : int, str or bool, default=1
        Label of positives.

    Returns
    -------
    float in [0, 1]
        Area under the ROC curve.

    Raises
    ------
    ValueError
        If there are no positives or no unlabeled samples, or the prior is out of range.

    Warns
    -----
    UndefinedMetricWarning
        If the corrected area is above 1 or below 0 and was clipped: the prior is too large.
    UserWarning
        If the scores are labels, as those of ``make_scorer(pu_auc)`` are: it takes
        ``response_method="decision_function"``.

    References
    ----------
    A. Menon et al., "Learning from corrupted binary labels via class-probability estimation",
    ICML 2015.

    Examples
    --------
    >>> from core.metrics import pu_auc
    >>> pu_auc([1, 1, 0, 0], [3, 2, 2, 1])
    0.875
    """
    check_consistent_length(y, y_score)
    is_positive = positive_mask(y, pos_label, needs_unlabeled=True)
    warn_of_labels(y, y_score)
    area = float(roc_auc_score(is_positive, y_score))
    if class_prior is None:
        return area
    corrected = auc_with_prior(area, class_prior)
    if not class_prior / 2 <= area <= 1 - class_prior / 2:
        warn_caller(
            f"class_prior={class_prior} is too large for an area of {area:.3g}: the corrected "
            "area was clipped.",
            UndefinedMetricWarning,
        )
    return corrected
