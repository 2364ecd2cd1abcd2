"""Figures without negatives, of positives that were hidden among the unlabeled samples."""

from numbers import Real
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from core.caller_warning import warn_caller
from core.errors import BadParameter, Refused
from core.metrics import lee_liu_score, pu_auc, recall_interval
from core.options import AT_LEAST_ONE, validate_params
from core.pu_rates import (
    auc_interval,
    binomial_interval,
    criteria_of_rates,
    is_prior_contradicted,
    is_prior_too_large,
    pu_scores_of_rates,
)


class Figure(NamedTuple):
    """A value, and the lower and upper end of what it may be."""

    value: float
    low: float
    high: float


def hidden_figures(outcome):
    """Return what the hidden positives tell without a class prior.

    Parameters
    ----------
    outcome : HiddenPositives
        Of :func:`~core.evaluation.hide_positives.hide_positives`.

    Returns
    -------
    dict
        ``recall``, a Figure with the Clopper-Pearson interval at 95 %,
        ``accepted`` (the share of the unlabeled samples above the cut, mean of the trainings),
        ``lee_liu`` and ``auc_unlabeled``, a Figure: how often a hidden positive scores above an
        unlabeled sample, with ends at 95 % (:func:`~core.pu_rates.auc_interval`). Without a cut
        ``recall`` and ``lee_liu`` are None.

    Examples
    --------
    >>> import numpy as np
    >>> from core.evaluation import HiddenPositives, hidden_figures
    >>> scores = np.array([3.0, 1, 2, 0, 0, 0])
    >>> figures = hidden_figures(HiddenPositives([scores], [scores > 1.5], [2]))
    >>> figures["recall"].value, figures["accepted"], figures["lee_liu"]
    (0.5, 0.25, 1.0)
    >>> figures["auc_unlabeled"].value
    0.875
    """
    is_hidden, is_accepted = np.concatenate(outcome.is_hidden), np.concatenate(outcome.is_accepted)
    trainings = zip(outcome.is_hidden, outcome.scores, strict=True)
    areas = [pu_auc(hidden, scores, pos_label=True) for hidden, scores in trainings]
    area = float(np.average(areas, weights=outcome.n_hidden))
    figures = {
        "recall": None,
        "accepted": outcome.accepted,
        "lee_liu": None,
        "auc_unlabeled": Figure(area, *auc_interval(area, is_hidden.sum(), outcome.n_unlabeled)),
    }
    if outcome.has_cut:
        figures["recall"] = Figure(*recall_interval(is_hidden, is_accepted, pos_label=True))
        figures["lee_liu"] = lee_liu_score(is_hidden, is_accepted, pos_label=True)
    return figures


@validate_params({"n_positive": [AT_LEAST_ONE]}, prefer_skip_nested_validation=True)
def mean_figures(each, n_positive):
    """Return the figures of several deals of the positives, as means.

    Parameters
    ----------
    each : list of dicts
        Of :func:`hidden_figures`, each of another deal.
    n_positive : int
        Positives that are hidden once in every deal.

    Returns
    -------
    dict
        As :func:`hidden_figures`. The interval of the recall is that of a single deal at the mean
        recall. All deals have the same positives, so more of them lessen the chance in the dealing
        alone, not the chance in which samples were labeled. The area has the mean of the ends.

    Raises
    ------
    ValueError
        If there is no deal, or ``n_positive`` is out of range.

    Examples
    --------
    >>> from core.evaluation import Figure, mean_figures
    >>> deal = {"accepted": 0.2, "lee_liu": 3.2, "auc_unlabeled": Figure(0.9, 0.8, 1.0)}
    >>> recalls = Figure(0.5, 0.0, 1.0), Figure(1.0, 0.2, 1.0)
    >>> figures = mean_figures([{"recall": recall, **deal} for recall in recalls], 2)
    >>> figures["recall"].value, figures["accepted"]
    (0.75, 0.2)
    """
    if not each:
        raise BadParameter("each must hold the figures of at least one deal.", "each")
    figures = {
        "recall": None,
        "accepted": float(np.mean([figures["accepted"] for figures in each])),
        "lee_liu": None,
        "auc_unlabeled": Figure(
            *np.mean([figures["auc_unlabeled"] for figures in each], axis=0).tolist()
        ),
    }
    if each[0]["recall"] is not None:
        recall = float(np.mean([figures["recall"].value for figures in each]))
        figures["recall"] = Figure(recall, *binomial_interval(recall * n_positive, n_positive))
        figures["lee_liu"] = float(np.mean([figures["lee_liu"] for figures in each]))
    return figures


def figures_with_prior(recall, accepted, class_prior):
    """Return the usual figures over the unlabeled samples, with the ends that the inputs allow.

    Parameters
    ----------
    recall : tuple of three floats in [0, 1], or float
        Value, lower and upper end.
    class_prior : tuple of three floats in (0, 1), or float where it is known
        The same; a :class:`~core.class_prior.prior_estimate.PriorEstimate` is such a tuple.
    accepted : float in [0, 1]
        Share of the unlabeled samples that is predicted positive.

    Returns
    -------
    dict of Figure
        ``precision``, ``f1``, ``false_positive_rate`` and ``accuracy``, and those of
        :func:`~core.pu_rates.criteria_of_rates`. Their ends are the least and largest over all
        recalls and priors between the ends given.

    Raises
    ------
    ValueError
        If a value is missing or out of range, or ends are in the wrong order.

    Warns
    -----
    UndefinedMetricWarning
        If recall and prior contradict ``accepted`` at all of their ends, as
        :func:`~core.metrics.pu_scores` tells of their values: the figures say nothing then.

    References
    ----------
    M. Claesen et al., "Assessing binary classifiers using only positive and unlabeled data",
    arXiv 1504.06837, 2015.

    Examples
    --------
    >>> from core.evaluation import figures_with_prior
    >>> figures = figures_with_prior((0.8, 0.6, 0.9), 0.4, (0.3, 0.2, 0.4))
    >>> [round(value, 3) for value in figures["precision"]]
    [0.6, 0.3, 0.9]
    """
    recall, prior = _with_ends(recall, "recall"), _with_ends(class_prior, "class_prior")
    accepted, _, _ = _with_ends(accepted, "accepted")
    _warn_of_contradiction(recall, accepted, prior)
    points = [(r, p) for r in recall[1:] for p in prior[1:]]
    # All figures are monotone in recall. In the prior they turn only where it accounts for exactly
    # what is accepted, or for exactly what is not.
    exact = accepted / recall.high if recall.high else prior.high
    points.append((recall.high, min(max(exact, prior.low), prior.high)))
    exact = (1 - accepted) / (1 - recall.low) if recall.low < 1 else prior.high
    points.append((recall.low, min(max(exact, prior.low), prior.high)))
    points = [(recall.value, prior.value), *points]
    value, *corners = (_figures_at(r, accepted, p) for r, p in points)
    return {
        name: Figure(
            value[name],
            min(value[name], *(c[name] for c in corners)),
            max(value[name], *(c[name] for c in corners)),
        )
        for name in value
        if name != "recall"
    }


def _with_ends(values, name):
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, Real):
        values = [values] * 3
    elif not isinstance(values, list | tuple) or len(values) < 3:
        raise BadParameter(
            f"{name} must be a number, or value, lower and upper end, got {values!r}.", name
        )
    figure = Figure(*values[:3])
    if figure.value is None:
        raise Refused(f"{name} has no value: {values}.")
    # The negation catches NaN as well.
    if not all(0 <= end <= 1 for end in figure):
        raise BadParameter(f"{name} must be in [0, 1], got {values}.", name)
    if figure.low > figure.high:
        raise BadParameter(f"{name} must be value, lower and upper end, got {tuple(figure)}.", name)
    return figure


def _warn_of_contradiction(recall, accepted, prior):
    if accepted in {0, 1}:  # no precision to speak of, and that of all
        return
    values = (recall.value, accepted, prior.value)
    if is_prior_too_large(*values) and recall.low * prior.low >= accepted:
        told = "account for more than"
    elif is_prior_contradicted(*values) and (1 - recall.high) * prior.low >= 1 - accepted:
        told = "leave room for less than"
    else:
        return
    warn_caller(
        f"class_prior={prior.value:.3g} and recall {recall.value:.3g} {told} the share "
        f"{accepted:.3g} that is predicted positive, at all of their ends: the figures say "
        "nothing. The class prior is the share of positives among the unlabeled samples.",
        UndefinedMetricWarning,
    )


def _figures_at(recall, accepted, class_prior):
    figures = pu_scores_of_rates(recall, accepted, class_prior=class_prior)
    return figures | criteria_of_rates(recall, accepted, class_prior=class_prior)
