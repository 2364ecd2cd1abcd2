"""Whether to stop reading: the test, the rule, and how much there is to read in vain till then."""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from core.options import AT_LEAST_ZERO, INNER_SHARE, validate_params
from core.review.expected import Remaining
from core.review.hypergeometric import at_most
from core.review.reading import COUNTS, checked_reading, judgements_of, read_on
from core.review.remaining import remaining_positives

#: Of the test, for a review that its interval says is far enough.
MAX_P_VALUE = 0.5


@validate_params({"n_unread": COUNTS, "target": [INNER_SHARE]}, prefer_skip_nested_validation=False)
def recall_test(is_positive, n_unread, *, target=0.95):
    """Test whether the recall of a review is below a target.

    The last documents read, from each finding on, are taken for a random sample of what was not
    read before them: the probability of finding as few as were found, had just too many been
    missed, is hypergeometric. The smallest over all starts counts. As later documents are less
    likely positive than earlier ones, the test is conservative.

    Parameters
    ----------
    is_positive : array-like of bool or of 0 and 1, of shape (n_read,)
        What the judgements were, in their order.
    n_unread : int in [0, inf), or array-like of int of shape (n_arrivals,)
        Documents that nobody judged, of each arrival where there are several.
    target : float in (0, 1), default=0.95
        The recall wanted.

    Returns
    -------
    float
        The p-value, in [0, 1]: small where a recall below the target is not credible.

    References
    ----------
    .. [1] M. W. Callaghan and F. Mueller-Hansen, "Statistical stopping criteria for automated
       screening in systematic reviews", Systematic Reviews 9, 273, 2020, equations 5 to 10.

    Examples
    --------
    >>> from core.review import recall_test
    >>> round(recall_test([True, False, False], 2, target=0.5), 4)
    0.1667
    """
    found = judgements_of(is_positive)
    n_found, n_unread = int(found.sum()), int(np.sum(n_unread))
    starts = np.concatenate([[0], np.flatnonzero(found) + 1])
    n_before = np.arange(n_found + 1)
    n_drawn = len(found) - starts
    in_urn = n_drawn + n_unread
    # Beyond all documents no number is too many.
    fewest = int(min(n_found / target, len(found) + n_unread)) + 1 - n_before
    is_possible = fewest <= in_urn
    p = at_most(n_found - n_before, in_urn, np.minimum(fewest, in_urn), n_drawn)
    return float(np.where(is_possible, p, 0.0).min())


class Recall(NamedTuple):
    """Share of the positives that were found: by the median left, and the ends of an interval."""

    value: float
    low: float
    high: float


class Progress(NamedTuple):
    """How far a review is: recall, positives left, the p-value, and whether to stop."""

    recall: Recall
    remaining: Remaining
    p_value: float
    is_enough: bool


@validate_params(
    {"n_unsure": [AT_LEAST_ZERO], "target": [INNER_SHARE]}, prefer_skip_nested_validation=False
)
def progress(is_positive, n_unread, arrival=None, *, expected=None, n_unsure=0, target=0.95):
    """Estimate how far a review is, and tell whether the recall wanted is reached.

    It is taken to be reached where the lower end of the interval of the recall reaches the target
    and :func:`recall_test` speaks for that rather than against it. Either alone is a worse rule:
    the test at 5 % reads twice as much, the interval alone is fooled by a long plateau.

    Parameters
    ----------
    is_positive : array-like of bool or of 0 and 1, of shape (n_read,)
        What the judgements were, in their order, the positives known before left out; at least one
        is positive.
    n_unread, arrival, expected, n_unsure
        As of :func:`~core.review.remaining.remaining_positives`.
    target : float in (0, 1), default=0.95
        The recall wanted, of the positives not known before.

    Returns
    -------
    Progress
        Its intervals hold with a probability of 0.9.

    Raises
    ------
    ValueError
        If nothing was found yet.

    Examples
    --------
    >>> from core.review import progress
    >>> found = progress([True] * 10 + [False] * 90, 0)
    >>> found.recall.value, found.is_enough
    (1.0, True)
    >>> progress([True, False], 0, n_unsure=1).remaining
    Remaining(value=0, low=0, high=1)
    """
    n_found = int(judgements_of(is_positive).sum())
    if not n_found:
        raise ValueError("nothing was found yet: there is no recall.")
    options = {"expected": expected, "n_unsure": n_unsure}
    remaining = remaining_positives(is_positive, n_unread, arrival, **options)
    shares = [n_found / (n_found + number) for number in remaining]
    recall = Recall(shares[0], shares[2], shares[1])
    p_value = recall_test(is_positive, n_unread, target=target)
    is_enough = recall.low >= target and p_value < MAX_P_VALUE
    return Progress(recall, remaining, p_value, is_enough)


def documents_until_stop(is_positive, n_unread, arrival=None, **options):
    """Return after how many more documents, none of them positive, to stop reading.

    Of several arrivals those come next of which the smaller share was read, until all are read as
    deep.

    Parameters
    ----------
    is_positive, n_unread, arrival, **options
        As of :func:`progress`.

    Returns
    -------
    int or None
        The least number after which :func:`progress` says enough, from 0 to all that is unread;
        None where it does not even when all is read, for the unsure documents.

    Raises
    ------
    ValueError
        If nothing was found yet.

    Examples
    --------
    >>> from core.review import documents_until_stop, progress
    >>> n_more = documents_until_stop([True] * 10 + [False] * 90, 1900)
    >>> progress([True] * 10 + [False] * (90 + n_more), 1900 - n_more).is_enough
    True
    >>> documents_until_stop([True, False], 0, n_unsure=1) is None
    True
    """
    judged, n_left, arrival = checked_reading(is_positive, n_unread, arrival)
    n_unread = int(n_left.sum())
    following = read_on(n_left, arrival, n_unread)

    def is_enough(n_more):
        read = np.append(judged, np.zeros(n_more, dtype=bool))
        of_each = np.append(arrival, following[:n_more])
        left = n_left - np.bincount(following[:n_more], minlength=len(n_left))
        return progress(read, left, of_each, **options).is_enough

    # The more is read in vain the less is left: what is enough stays so.
    n_more = bisect_left(range(n_unread + 1), True, key=is_enough)
    return n_more if n_more <= n_unread else None
