"""Criteria that rank classifiers without negatives: risks, proxy accuracy, area under the lift.

``y`` and the class prior are as in :mod:`core.metrics`. Higher is better, but for the risks.
The proxy AUC of Wang et al. (2025) is :func:`~core.metrics.pu_auc` without a class prior.
"""

import numpy as np
from sklearn.utils.validation import assert_all_finite, check_consistent_length, column_or_1d

from core.kernels.linear.pu_risks import LOSSES, Groups, pu_risk
from core.label_masks import label_masks, positive_mask, warn_of_labels
from core.metrics import pu_auc
from core.names import check_name
from core.pu_rates import area_under_lift, check_class_prior, criteria_of_rates

#: Besides the losses that algorithms minimise: 1 on the wrong side of the cut, else 0.
ZERO_ONE = "zero_one"


def pu_risk_score(y, decisions, *, class_prior, loss=ZERO_ONE, non_negative=True, pos_label=1):
    """Return the unbiased or the non-negative risk: an estimate of the mean loss without negatives.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    decisions : array-like of shape (n_samples,)
        Scores less the cut: 0 and above are predicted positive.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.
    loss : {"zero_one", "double_hinge", "logistic", "sigmoid", "squared"}, default="zero_one"
        The zero-one loss compares any classifiers; the others only those whose scores are on one
        scale.
    non_negative : bool, default=True
        Whether the part of the negatives is kept from falling below zero.
    pos_label : int, str or bool, default=1
        Label of positives.

    Returns
    -------
    float
        The risk; with the zero-one loss ``1 - accuracy``.

    Raises
    ------
    ValueError
        If there are no positives or no unlabeled samples, or the prior or the loss is not valid, or
        decisions are not finite.

    Warns
    -----
    UserWarning
        If the decisions are labels, as those of ``make_scorer(pu_risk_score)`` are: it takes
        ``response_method="decision_function"``.

    References
    ----------
    R. Kiryo, G. Niu, M. C. du Plessis and M. Sugiyama, "Positive-unlabeled learning with
    non-negative risk estimator", NIPS 2017.

    Examples
    --------
    >>> from core.evaluation import pu_risk_score
    >>> y, decisions = [1, 1, 0, 0, 0], [2, -1, 1, -2, 0.5]
    >>> round(pu_risk_score(y, decisions, class_prior=0.4, loss="sigmoid"), 6)
    0.431012
    """
    check_class_prior(class_prior)
    check_name(loss, [ZERO_ONE, *LOSSES], "loss")
    decisions = column_or_1d(decisions)
    warn_of_labels(y, decisions)
    decisions = decisions.astype(float)
    assert_all_finite(decisions, input_name="decisions")
    check_consistent_length(y, decisions)
    is_positive, is_accepted = positive_mask(y, pos_label, needs_unlabeled=True), decisions >= 0
    if loss == ZERO_ONE:
        rates = is_accepted[is_positive].mean(), is_accepted[~is_positive].mean()
        name = "non_negative_risk" if non_negative else "unbiased_risk"
        return float(criteria_of_rates(*rates, class_prior=class_prior)[name])
    groups = Groups(is_positive, ~is_positive, np.zeros_like(is_positive))
    risk, _, _ = pu_risk(decisions, groups, class_prior, LOSSES[loss], is_non_negative=non_negative)
    return float(risk)


def proxy_accuracy(y, y_pred, *, class_prior, single_set=False, pos_label=1):
    """Return twice the prior times the recall, plus the share of samples predicted negative.

    That is an unbiased estimate of the accuracy plus the class prior, and so ranks classifiers on
    one data set like the accuracy. It is no share: above 1 is usual.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.
    single_set : bool, default=False
        Whether positives and unlabeled samples were drawn as one sample, which then is the
        population, with a prior of its own; else the unlabeled samples alone are.
    pos_label : int, str or bool, default=1
        Label of positives.

    Returns
    -------
    float in [0, 1 + 2 * class prior]
        Proxy accuracy; above 1 + class prior by chance, or where the prior is too large.

    Raises
    ------
    ValueError
        If there are no positives or no unlabeled samples, or the prior is out of range.

    References
    ----------
    W. Wang et al., "Accessible, realistic, and fair evaluation of positive-unlabeled learning
    algorithms", arXiv 2509.24228, 2025. For one sample the formula here is derived.

    Examples
    --------
    >>> from core.evaluation import proxy_accuracy
    >>> y, y_pred = [1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0]
    >>> proxy_accuracy(y, y_pred, class_prior=0.25)  # all 1 of 4 found, 2 of 4 rejected
    1.0
    """
    check_class_prior(class_prior)
    is_positive, is_accepted = label_masks(y, y_pred, pos_label, needs_unlabeled=True)
    population = np.ones_like(is_positive) if single_set else ~is_positive
    if single_set:
        labeled = is_positive.mean()
        class_prior = labeled + (1 - labeled) * class_prior
    recall, share = is_accepted[is_positive].mean(), is_accepted[population].mean()
    return float(criteria_of_rates(recall, share, class_prior=class_prior)["proxy_accuracy"])


def aul_score(y, y_score, *, single_set=False, pos_label=1):
    """Return the area under the lift curve: how often a positive scores above a random sample.

    With the share pi of positives in the population it is ``pi / 2 + (1 - pi) AUC``, where AUC is
    that of positives against negatives; pi need not be known.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    y_score : array-like of shape (n_samples,)
        Scores: the higher, the more likely positive.
    single_set : bool, default=False
        Whether positives and unlabeled samples were drawn as one sample, which then is the
        population; else the unlabeled samples alone are, and this is ``pu_auc``.
    pos_label : int, str or bool, default=1
        Label of positives.

    Returns
    -------
    float in [0, 1]
        Area under the lift curve; ties count half.

    Raises
    ------
    ValueError
        If there are no positives or no unlabeled samples.

    References
    ----------
    L. Jiang et al., "Improving positive unlabeled learning: practical AUL estimation and new
    training method for extremely imbalanced data sets", arXiv 2004.09820, 2020.

    Examples
    --------
    >>> from core.evaluation import aul_score
    >>> y, y_score = [1, 1, 0, 0], [3, 2, 2, 1]
    >>> aul_score(y, y_score), aul_score(y, y_score, single_set=True)
    (0.875, 0.6875)
    """
    area = pu_auc(y, y_score, pos_label=pos_label)
    if not single_set:
        return area
    is_positive = column_or_1d(y) == pos_label
    return area_under_lift(area, int(is_positive.sum()), int((~is_positive).sum()))
