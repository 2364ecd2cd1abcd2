"""The order of features by their scores."""

import numpy as np

#: Scores of about 1 that differ by less differ by rounding alone.
ROUNDING = 1e-12


def best_first(scores):
    """Return the indices of scores in descending order, ties in the order of the features.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.score_order import best_first
    >>> best_first(np.array([0.5, 2.0, 0.5])).tolist()
    [1, 0, 2]
    """
    return np.argsort(-scores, kind="stable")


def best_first_rounded(scores, rounding=ROUNDING):
    """Return what :func:`best_first` does, with scores that differ by rounding alone as ties.

    Two features that tell the same, such as one and its complement, have sums over the same numbers
    in another order. Scores are in units of about 1, as information and shares are, or are the
    quotients of such, whose rounding is larger.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.score_order import best_first, best_first_rounded
    >>> scores = np.array([0.3, 2.0, 0.1 + 0.2])
    >>> best_first(scores).tolist(), best_first_rounded(scores).tolist()
    ([1, 2, 0], [1, 0, 2])
    """
    order = best_first(scores)
    descending = scores[order]
    is_less = descending[1:] < descending[:-1] - _tolerance(scores, rounding)
    return order[np.lexsort((order, np.append(0, np.cumsum(is_less))))]


def first_of_best(scores, rounding=ROUNDING):
    """Return the first of :func:`best_first_rounded`.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.score_order import first_of_best
    >>> first_of_best(np.array([-np.inf, 0.3, 0.1 + 0.2]))
    1
    """
    return int((scores >= scores.max() - _tolerance(scores, rounding)).argmax())


def same_score(scores, score):
    """Return the mask of the scores that differ from one by rounding alone.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.score_order import same_score
    >>> same_score(np.array([-np.inf, 0.3, 0.4]), 0.1 + 0.2).tolist()
    [False, True, False]
    """
    bound = _tolerance(scores, ROUNDING)
    return (scores >= score - bound) & (scores <= score + bound) & np.isfinite(scores)


def _tolerance(scores, rounding):
    return rounding * max(1.0, np.abs(scores[np.isfinite(scores)]).max(initial=0.0))
