"""How much a classifier changes with the class prior it was told."""

import numpy as np
from scipy.stats import spearmanr
from sklearn.base import clone

from core.errors import NoUnlabeled
from core.progress import report
from core.validation import check_is_negative, validate_training_set

#: The class prior times these: half of it to half as much again.
FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5)


def prior_sensitivity(classifier, X, y, *, is_negative=None, factors=FACTORS):
    """Refit a classifier with class priors around its own; return what becomes of its labels.

    The class prior matters more than any other parameter of the risk estimators, and is rarely
    known precisely. Where the order of the samples hardly changes, an error of the prior moves
    only the cut.

    Parameters
    ----------
    classifier : BasePUClassifier
        With the parameter ``class_prior``, a number; left unfitted.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Training samples.
    y : array-like of shape (n_samples,)
        Labels, as in ``fit``.
    is_negative : array-like of bool or of 0 and 1, of shape (n_samples,), default=None
        Judged negatives, as in ``fit``.
    factors : sequence of float in (0, inf), default=(0.5, 0.75, 1, 1.25, 1.5)
        What the class prior is multiplied by; 0.99 is its upper bound.

    Returns
    -------
    dict
        Lists, one entry for each factor: ``class_prior``; ``share_positive``, of the unlabeled
        samples; and ``rank_correlation``, Spearman's, of their scores with those at the prior of
        the classifier, NaN where all scores are equal.

    Raises
    ------
    ValueError
        If the classifier has no class prior, or a factor is out of range.
    NoUnlabeled
        If every sample is labeled or judged negative.

    Examples
    --------
    >>> from core.classifiers import UPU
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation import prior_sensitivity
    >>> X, y, _ = make_pu_data(200, 40, random_state=0)
    >>> curve = prior_sensitivity(UPU(class_prior=0.2), X, y, factors=(0.5, 1))
    >>> curve["class_prior"], [round(share, 2) for share in curve["share_positive"]]
    ([0.1, 0.2], [0.1, 0.2])
    """
    class_prior = classifier.get_params(deep=False).get("class_prior")
    if class_prior is None:
        raise ValueError(f"{type(classifier).__name__} was given no class_prior to vary.")
    if not all(0 < factor < np.inf for factor in factors):
        raise ValueError(f"factors must be above 0 and finite, got {tuple(factors)}.")
    # Checked once: the fits would know the names of the columns of a data frame, and miss them.
    X, _, is_positive = validate_training_set(clone(classifier), X, y)
    is_unlabeled = ~(is_positive | check_is_negative(is_negative, is_positive))
    if not is_unlabeled.any():
        raise NoUnlabeled("every sample is labeled or judged negative: none is left to rank.")

    def decisions_at(prior):
        model = clone(classifier).set_params(class_prior=prior).fit(X, y, is_negative=is_negative)
        # A transduction cuts at scores of its own, not at those of the same samples seen as new.
        return (model.training_scores(X) - model.offset_)[is_unlabeled]

    reference = decisions_at(class_prior)
    curve = {"class_prior": [], "share_positive": [], "rank_correlation": []}
    for number, factor in enumerate(factors, start=1):
        prior = min(0.99, factor * class_prior)
        decisions = decisions_at(prior)
        curve["class_prior"].append(float(prior))
        curve["share_positive"].append(float(np.mean(decisions >= 0)))
        curve["rank_correlation"].append(_rank_correlation(reference, decisions))
        report("vary class prior", number / len(factors))
    return curve


def _rank_correlation(scores, others):
    if np.ptp(scores) == 0 or np.ptp(others) == 0:
        return float("nan")
    return float(spearmanr(scores, others).statistic)
