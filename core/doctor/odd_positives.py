"""Positives that look unlike the others: mislabeled ones, or the first of another sort."""

import numpy as np

from core.doctor.finding import CAUTION, FINE, MAX_ROWS, WARNING, Finding

#: With fewer, the others say too little of what positives look like.
MIN_POSITIVES = 5
#: A left out positive that ranks above a smaller share of the unlabeled samples looks no more like
#: the other positives than the pile does.
MIN_SHARE = 0.5
#: From this share of odd ones on it is the positives as a whole that do not hold together.
MANY = 0.25


def find_odd_positives(positives, shares):
    """Look at where each positive ranks in the pile when it is hidden from the others.

    Parameters
    ----------
    positives : ndarray of shape (n_positive,)
        Rows of the positives.
    shares : ndarray of shape (n_positive,) or None
        Share of the unlabeled samples that rank below each when it is left out, in (0, 1), as by
        :func:`~core.kernels.scores.left_out_ranks.left_out_ranks`. None where nothing is unlabeled.

    Returns
    -------
    Finding
        "odd_positives": its rows are the odd ones, the oddest first, ``shares`` beside them
        in the same order; a warning where they are many. No level for the reasons
        "too_few_positives" and "too_few_unlabeled".

    Examples
    --------
    >>> import numpy as np
    >>> from core.doctor.odd_positives import find_odd_positives
    >>> shares = np.array([0.9, 0.99, 0.3, 0.95, 0.98])
    >>> finding = find_odd_positives(np.array([4, 5, 6, 7, 8]), shares)
    >>> finding.level, finding.rows
    ('caution', [6])
    """
    if len(positives) < MIN_POSITIVES:
        return Finding(
            "odd_positives", None, {"n_needed": MIN_POSITIVES}, reason="too_few_positives"
        )
    if shares is None:
        return Finding("odd_positives", None, reason="too_few_unlabeled")
    order = np.argsort(shares, kind="stable")
    odd = order[shares[order] < MIN_SHARE]
    level = FINE if not len(odd) else CAUTION if len(odd) < MANY * len(positives) else WARNING
    numbers = {
        "median_share": float(np.median(shares)),
        "least_share_expected": MIN_SHARE,
        "n_found": len(odd),
        "shares": shares[odd[:MAX_ROWS]].tolist(),
    }
    return Finding("odd_positives", level, numbers, positives[odd[:MAX_ROWS]].tolist())
