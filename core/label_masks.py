"""Labels and predictions as masks, checked: what all metrics begin with."""

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from core.caller_warning import warn_caller
from core.errors import NoUnlabeled
from core.labels import check_labels, plain_label, without_positives


def label_masks(y, y_pred, pos_label, *, needs_unlabeled=False):
    """Return which samples are positive and which are predicted positive, checked.

    Parameters
    ----------
    y, y_pred : array-like of shape (n_samples,)
        Labels and predicted labels.
    pos_label : int, str or bool
        Label of positives.
    needs_unlabeled : bool, default=False
        Whether there has to be an unlabeled sample.

    Returns
    -------
    is_positive, is_accepted : ndarray of bool of shape (n_samples,)
        Where the labels, and the predicted ones, are ``pos_label``.

    Raises
    ------
    ValueError
        If a label is missing, or predicted labels are scores, or words where labels are numbers or
        the other way round.
    NoPositives, NoUnlabeled
        If there are no positives, or no unlabeled samples where they are needed.

    Examples
    --------
    >>> from core.label_masks import label_masks
    >>> [mask.tolist() for mask in label_masks([1, 0, 0], [1, 1, 0], 1)]
    [[True, False, False], [True, True, False]]
    """
    check_consistent_length(y, y_pred)
    is_positive = positive_mask(y, pos_label, needs_unlabeled=needs_unlabeled)
    check_labels(y_pred, "y_pred")
    y_pred = column_or_1d(y_pred)
    with np.errstate(invalid="ignore"):  # infinity is no label either
        is_score = y_pred.dtype.kind == "f" and (y_pred % 1 != 0).any()
    if is_score and not np.isin(y_pred, y).all():
        raise ValueError(
            "the predicted labels are scores: pass what predict returns, or compare with a cut."
        )
    is_word = isinstance(y_pred[0], str)
    if is_word != isinstance(pos_label, str):
        raise ValueError(
            f"the positives are labeled {plain_label(pos_label)!r}, but the first predicted label "
            f"is {plain_label(y_pred[0])!r}: both must be words, or both numbers."
        )
    return is_positive, y_pred == pos_label


def positive_mask(y, pos_label, *, needs_unlabeled=False):
    """Return which samples are positive, of shape (n_samples,).

    Parameters and errors are those of :func:`label_masks`.

    Examples
    --------
    >>> from core.label_masks import positive_mask
    >>> positive_mask(["flood", "?"], "flood", needs_unlabeled=True).tolist()
    [True, False]
    """
    check_labels(y)
    is_positive = column_or_1d(y) == pos_label
    if not is_positive.any():
        raise without_positives(pos_label)
    if needs_unlabeled and is_positive.all():
        raise NoUnlabeled("y holds one class only: unlabeled samples are needed too.")
    return is_positive


def warn_of_labels(y, scores):
    """Warn where scores are labels: their area is that of one cut, their risk that of taking all.

    Parameters
    ----------
    y, scores : array-like of shape (n_samples,)
        Labels and scores. Those of another type than the labels are taken for scores.

    Warns
    -----
    UserWarning
        If each score is a value of y: a scorer passes predicted labels unless told otherwise.

    Examples
    --------
    >>> from core.label_masks import warn_of_labels
    >>> warn_of_labels([1, 1, 0, 0], [3, 1, 0, 0])
    """
    y, scores = np.asarray(y), np.asarray(scores)
    if y.dtype.kind == scores.dtype.kind and np.isin(scores, y).all():
        warn_caller(
            "the scores are labels: give what decision_function returns. With make_scorer, pass "
            'response_method="decision_function".'
        )
