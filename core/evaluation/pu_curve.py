"""Recall at every cut without negatives, and what a class prior makes of it: ROC and PR curves."""

import numpy as np
from sklearn.utils import check_consistent_length

from core.errors import BadParameter
from core.options import AT_LEAST_TWO, validate_params
from core.pu_rates import check_class_prior


def hidden_places(outcome):
    """Return where each hidden positive stands among the unlabeled samples of its own training.

    Scores of different trainings need not be on one scale; places are. A cut accepts equal scores
    together, so they count as above; halves, as of
    :func:`~core.calibration.hidden_ranks.hidden_ranks`, would be points of no cut.

    Parameters
    ----------
    outcome : HiddenPositives
        Of :func:`~core.evaluation.hide_positives.hide_positives`.

    Returns
    -------
    ndarray of shape (n_positives,)
        Share of the unlabeled samples that score as high or higher, in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from core.evaluation import HiddenPositives, hidden_places
    >>> scores = np.array([3.0, 1, 2, 0, 0, 0])
    >>> hidden_places(HiddenPositives([scores], [scores > 1], [2])).tolist()
    [0.0, 0.25]
    """
    return np.concatenate(
        [
            1 - np.searchsorted(np.sort(unlabeled), hidden, side="left") / len(unlabeled)
            for hidden, unlabeled in outcome.pairs()
        ]
    )


@validate_params({"n_points": [AT_LEAST_TWO]}, prefer_skip_nested_validation=True)
def recall_curve(places, *, n_points=100):
    """Return which share of the hidden positives is found as more of the unlabeled are accepted.

    Parameters
    ----------
    places : array-like of shape (n_positives,)
        Of :func:`hidden_places`; those of several deals may be put together.
    n_points : int in [2, inf), default=100
        Points at most, evenly over those there are.

    Returns
    -------
    accepted, recall : ndarrays of shape (n_points,)
        Shares of the unlabeled samples and of the hidden positives that score above a cut, from
        (0, 0) or the first positive found to (1, 1); both ascend.

    Raises
    ------
    ValueError
        If there is no place, one is no share, or ``n_points`` is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from core.evaluation import recall_curve
    >>> accepted, recall = recall_curve(np.array([0.0, 0.25]))
    >>> accepted.tolist(), recall.tolist()
    ([0.0, 0.25, 1.0], [0.5, 1.0, 1.0])
    """
    places = _shares(places, "places")
    accepted, counts = np.unique(places, return_counts=True)
    recall = np.cumsum(counts) / len(places)
    if accepted[0] > 0:
        accepted, recall = np.append(0.0, accepted), np.append(0.0, recall)
    if accepted[-1] < 1:
        accepted, recall = np.append(accepted, 1.0), np.append(recall, 1.0)
    n_points = min(n_points, len(accepted))
    kept = np.unique(np.linspace(0, len(accepted) - 1, n_points).round().astype(int))
    return accepted[kept], recall[kept]


def _shares(values, name):
    values = np.asarray(values, dtype=float)
    # The negation catches NaN as well.
    if values.ndim != 1 or not len(values) or not ((values >= 0) & (values <= 1)).all():
        raise BadParameter(f"{name} must be one or more shares in [0, 1].", name)
    return values


def curve_with_prior(accepted, recall, class_prior):
    """Return false positive rate and precision at each point of a recall curve.

    Parameters
    ----------
    accepted, recall : array-likes of shape (n_points,)
        Of :func:`recall_curve`.
    class_prior : float in (0, 1)
        Share of positives among the unlabeled samples.

    Returns
    -------
    false_positive_rate, precision : ndarrays of shape (n_points,)
        In [0, 1]. The rate ascends: it is the running maximum of its estimates. The precision is
        that of recall and rate, so that all three hold at one cut; 1 where nothing is accepted.

    Raises
    ------
    ValueError
        If a value is no share, the class prior is out of range, or lengths differ.

    References
    ----------
    M. Claesen et al., "Assessing binary classifiers using only positive and unlabeled data",
    arXiv 1504.06837, 2015. J. Davis and M. Goadrich, "The relationship between precision-recall and
    ROC curves", ICML 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from core.evaluation import curve_with_prior
    >>> rate, precision = curve_with_prior(np.array([0.2, 0.4, 1]), np.array([0.4, 0.8, 1]), 0.3)
    >>> rate.round(3).tolist(), precision.round(3).tolist()
    ([0.114, 0.229, 1.0], [0.6, 0.6, 0.3])
    """
    check_class_prior(class_prior)
    accepted, recall = _shares(accepted, "accepted"), _shares(recall, "recall")
    check_consistent_length(accepted, recall)
    found = class_prior * recall
    rate = np.maximum.accumulate(np.clip((accepted - found) / (1 - class_prior), 0, 1))
    predicted = found + (1 - class_prior) * rate
    precision = np.divide(found, predicted, where=predicted > 0, out=np.ones_like(found))
    return rate, precision
