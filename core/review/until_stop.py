"""How much there is to read in vain until a review may stop."""

from bisect import bisect_left

import numpy as np

from core.review.remaining import progress


def documents_until_stop(is_positive, n_unread, *, n_unsure=0, target=0.95):
    """Return after how many more documents, none of them positive, to stop reading.

    Parameters
    ----------
    is_positive, n_unread, n_unsure, target
        As of :func:`~core.review.remaining.progress`.

    Returns
    -------
    int or None
        The least number after which :func:`~core.review.remaining.progress` says enough, in
        [0, ``n_unread``]; None where it does not even when all is read, for the unsure documents.

    Raises
    ------
    ValueError
        If nothing was found yet.

    Examples
    --------
    >>> from core.review.remaining import progress
    >>> from core.review.until_stop import documents_until_stop
    >>> n_more = documents_until_stop([True] * 10 + [False] * 90, 1900)
    >>> progress([True] * 10 + [False] * (90 + n_more), 1900 - n_more).is_enough
    True
    >>> documents_until_stop([True, False], 0, n_unsure=1) is None
    True
    """
    judged = np.asarray(is_positive, dtype=bool)

    def is_enough(n_more):
        read = np.append(judged, np.zeros(n_more, dtype=bool))
        known = progress(read, n_unread - n_more, n_unsure=n_unsure, target=target)
        return known.is_enough

    # The more is read in vain the less is left: what is enough stays so.
    n_more = bisect_left(range(n_unread + 1), True, key=is_enough)
    return n_more if n_more <= n_unread else None
