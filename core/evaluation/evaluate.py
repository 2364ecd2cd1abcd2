"""Judging a classifier by positives hidden among the unlabeled samples, without negatives."""

from contextvars import copy_context
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.utils import check_random_state

from core.errors import NoUnlabeled, TooFewPositives
from core.kernels.masks import mask_of_rows
from core.kernels.row_hash import copy_groups
from core.metrics import lee_liu_score, pu_auc, recall_interval
from core.progress import listening, report
from core.pu_rates import auc_interval, binomial_interval, criteria_of_rates, pu_scores_of_rates
from core.shared_work import sharing

#: Trainings that positives are hidden from, unless asked otherwise.
N_SPLITS = 5


class HiddenPositives(NamedTuple):
    """How samples came out that were positive and hidden, beside the unlabeled ones.

    Attributes
    ----------
    scores : list of ndarrays
        Of each training: scores of the positives that were hidden from it, then those of the
        unlabeled samples.
    is_accepted : list of ndarrays of bool
        Which of them are above the cut of that training.
    n_hidden : list of int
        Positives that were hidden from each training.
    """

    scores: list[np.ndarray]
    is_accepted: list[np.ndarray]
    n_hidden: list[int]


def hide_positives(
    classifier,
    X,
    is_positive,
    is_negative,
    *,
    is_hideable=None,
    share=None,
    n_splits=N_SPLITS,
    groups=None,
    random_state=None,
):
    """Train again and again, each time with some positives hidden among the unlabeled samples.

    Each of them is hidden once. A hidden one is treated exactly as those are that nobody has
    labeled: the classifier may see it, as unlabeled. Copies are hidden together, since one that
    stays labeled would give the other away, and count once.

    Parameters
    ----------
    classifier : BasePUClassifier
        Its parameters are used; it is left as it is.
    X : sparse array of shape (n_samples, n_features)
        CSR array: all samples.
    is_positive, is_negative : ndarray of bool of shape (n_samples,)
        Which samples are labeled, and which were judged not to be positive.
    is_hideable : ndarray of bool of shape (n_samples,), default=None
        Which positives are hidden in turn, at least two; the others are labeled in each training.
        None means all.
    share : float in [0, 1], default=None
        Share of the unlabeled samples that each training accepts, besides hidden positives that
        score as high; None leaves that to the cut of the training.
    n_splits : int in [2, inf), default=5
        Trainings; at most one per group of positives.
    groups : ndarray of int of shape (n_samples,), default=None
        Positives of the same number are hidden together; the first of them is scored. None: equal
        rows of ``X``.
    random_state : int, RandomState instance or None, default=None
        Deals the positives out.

    Returns
    -------
    HiddenPositives

    Raises
    ------
    NoUnlabeled, TooFewPositives
        Also if the positives are all the same, or fewer are left than the classifier needs.

    Examples
    --------
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation.evaluate import hide_positives
    >>> from core.registry import ALGORITHMS
    >>> X, y, _ = make_pu_data(200, 10, random_state=0)
    >>> hidden = hide_positives(ALGORITHMS["prototype"](), X, y == 1, y == 2, random_state=0)
    >>> len(hidden.n_hidden), sum(hidden.n_hidden) == int((y == 1).sum())
    (5, True)
    """
    is_positive = mask_of_rows(is_positive, "is_positive", X)
    is_negative = mask_of_rows(is_negative, "is_negative", X)
    unlabeled = np.flatnonzero(~(is_positive | is_negative))
    if not len(unlabeled):
        raise NoUnlabeled("each sample is labeled or judged: there is nothing to hide one among.")
    positives = np.flatnonzero(is_positive)
    if is_hideable is not None:
        positives = positives[mask_of_rows(is_hideable, "is_hideable", X)[positives]]
    groups = copy_groups(X, is_positive) if groups is None else groups
    distinct, first = np.unique(groups[positives], return_index=True)
    if len(distinct) < 2:
        raise TooFewPositives(
            "a positive is hidden from the others: at least two different ones are needed."
        )
    n_splits = min(n_splits, len(distinct))
    dealt = check_random_state(random_state).permutation(distinct)
    deals = [np.isin(groups, dealt[k::n_splits]) & is_positive for k in range(n_splits)]
    has_terms = np.diff(X.indptr) > 0
    if not all((is_positive & ~deal & has_terms).any() for deal in deals):
        raise TooFewPositives("but for copies of one, every positive is empty: none would be left.")
    firsts = positives[first]
    hidden = [firsts[deal[firsts]] for deal in deals]
    outcome = HiddenPositives([], [], [])
    with sharing():
        # Threads share the graph and the directions that all trainings need.
        tasks = [
            delayed(copy_context().run)(
                _scores_without,
                clone(classifier),
                X,
                is_positive & ~deal,
                is_negative,
                own,
                unlabeled,
                share,
            )
            for deal, own in zip(deals, hidden, strict=True)
        ]
        trainings = Parallel(return_as="generator", require="sharedmem")(tasks)
        for k, (scores, is_accepted) in enumerate(trainings):
            outcome.scores.append(scores)
            outcome.is_accepted.append(is_accepted)
            outcome.n_hidden.append(len(hidden[k]))
            report("hide", (k + 1) / n_splits)
    return outcome


def _scores_without(classifier, X, is_positive, is_negative, hidden, unlabeled, share):
    """Train with the positives that are left; score the hidden ones, then the unlabeled samples."""
    with listening(_to_nobody):
        classifier.fit(X, is_positive.astype(int), is_negative=is_negative)
        # Of all rows: a copy of those that are asked for would be nearly the whole matrix.
        scores = classifier.training_scores(X)
    scores = scores[np.concatenate([hidden, unlabeled])]
    if share is None:
        return scores, scores >= classifier.offset_
    n_accepted = round(share * len(unlabeled))
    ascending = np.sort(scores[len(hidden) :])
    return scores, scores >= (ascending[-n_accepted] if n_accepted else np.inf)


def _to_nobody(stage, fraction, **facts):
    """Take what a training reports: several of them side by side would mix."""


def hidden_figures(outcome):
    """Return what the hidden positives tell without a class prior.

    Parameters
    ----------
    outcome : HiddenPositives
        Of :func:`hide_positives`.

    Returns
    -------
    dict
        ``recall`` (value, lower and upper end of the Clopper-Pearson interval at 95 %),
        ``accepted`` (the share of the unlabeled samples above the cut, mean of the trainings),
        ``lee_liu`` and ``auc_unlabeled``, how often a hidden positive scores above an unlabeled
        sample (value, lower and upper end at 95 %,
        :func:`~core.pu_rates.auc_interval`).

    Examples
    --------
    >>> import numpy as np
    >>> from core.evaluation.evaluate import HiddenPositives, hidden_figures
    >>> scores = np.array([3.0, 1, 2, 0, 0, 0])
    >>> figures = hidden_figures(HiddenPositives([scores], [scores > 1.5], [2]))
    >>> figures["recall"][0], figures["accepted"], figures["lee_liu"], figures["auc_unlabeled"][0]
    (0.5, 0.25, 1.0, 0.875)
    """
    masks = [np.arange(len(s)) < n for s, n in zip(outcome.scores, outcome.n_hidden, strict=True)]
    is_hidden, is_accepted = np.concatenate(masks), np.concatenate(outcome.is_accepted)
    areas = [pu_auc(mask, s, pos_label=True) for mask, s in zip(masks, outcome.scores, strict=True)]
    area = float(np.average(areas, weights=outcome.n_hidden))
    n_unlabeled = int((~masks[0]).sum())
    return {
        "recall": recall_interval(is_hidden, is_accepted, pos_label=True),
        "accepted": float(is_accepted[~is_hidden].mean()),
        "lee_liu": lee_liu_score(is_hidden, is_accepted, pos_label=True),
        "auc_unlabeled": (area, *auc_interval(area, is_hidden.sum(), n_unlabeled)),
    }


def mean_figures(each, n_positive):
    """Return the figures of several deals of the positives, as means.

    Parameters
    ----------
    each : list of dicts
        Of :func:`hidden_figures`, for :func:`hide_positives` with different random states.
    n_positive : int
        Positives that are hidden once in every deal.

    Returns
    -------
    dict
        As :func:`hidden_figures`. The interval of the recall is that of a single deal at the mean
        recall: the positives are the same in each, so that further deals lessen the chance in the
        dealing alone, not that in which samples were labeled. That of the area has the mean ends.

    Examples
    --------
    >>> from core.evaluation.evaluate import mean_figures
    >>> deal = {"accepted": 0.2, "lee_liu": 3.2, "auc_unlabeled": (0.9, 0.8, 1.0)}
    >>> figures = mean_figures([{"recall": (0.5,), **deal}, {"recall": (1.0,), **deal}], 2)
    >>> figures["recall"][0], figures["accepted"]
    (0.75, 0.2)
    """
    recall = float(np.mean([figures["recall"][0] for figures in each]))
    return {
        "recall": (recall, *binomial_interval(recall * n_positive, n_positive)),
        **{
            name: float(np.mean([figures[name] for figures in each]))
            for name in ("accepted", "lee_liu")
        },
        "auc_unlabeled": tuple(
            float(end) for end in np.mean([figures["auc_unlabeled"] for figures in each], axis=0)
        ),
    }


def figures_with_prior(recall, accepted, class_prior):
    """Return the usual figures over the unlabeled samples with the ends that the inputs allow.

    Parameters
    ----------
    recall, class_prior : tuple of three floats
        Value, lower and upper end; the prior in (0, 1).
    accepted : float in (0, 1]
        Share of the unlabeled samples that is predicted positive.

    Returns
    -------
    dict of tuples of three floats
        ``precision``, ``f1``, ``false_positive_rate`` and ``accuracy``, and those of
        :func:`~core.pu_rates.criteria_of_rates`: value, lower, upper end, over all
        recalls and priors between the ends.

    References
    ----------
    M. Claesen et al., "Assessing binary classifiers using only positive and unlabeled data",
    arXiv 1504.06837, 2015.

    Examples
    --------
    >>> from core.evaluation.evaluate import figures_with_prior
    >>> figures = figures_with_prior((0.8, 0.6, 0.9), 0.4, (0.3, 0.2, 0.4))
    >>> [round(value, 3) for value in figures["precision"]]
    [0.6, 0.3, 0.9]
    """
    points = [(r, p) for r in recall[1:] for p in class_prior[1:]]
    # All are monotone in recall, and in the prior but where it accounts for all that is accepted,
    # or for all that is not.
    exact = accepted / recall[2] if recall[2] else class_prior[2]
    points.append((recall[2], min(max(exact, class_prior[1]), class_prior[2])))
    exact = (1 - accepted) / (1 - recall[1]) if recall[1] < 1 else class_prior[2]
    points.append((recall[1], min(max(exact, class_prior[1]), class_prior[2])))
    points = [(recall[0], class_prior[0]), *points]
    value, *corners = (_figures_at(r, accepted, p) for r, p in points)
    return {
        name: (
            value[name],
            min(value[name], *(c[name] for c in corners)),
            max(value[name], *(c[name] for c in corners)),
        )
        for name in value
        if name != "recall"
    }


def _figures_at(recall, accepted, class_prior):
    figures = pu_scores_of_rates(recall, accepted, class_prior=class_prior)
    return figures | criteria_of_rates(recall, accepted, class_prior=class_prior)
