"""What was read of a pile, and how deep, where documents came in while it was read."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from core.kernels.rows.masks import as_mask
from core.options import AT_LEAST_ZERO

#: Of ``n_unread``: a number, or one for each arrival.
COUNTS = [AT_LEAST_ZERO, "array-like"]
#: Documents that came in count as a ranking of their own if they are so many, and this share of
#: those that were there. Else its top would be too few documents to tell how deep they are.
MIN_ARRIVED, MIN_ARRIVED_SHARE = 20, 0.01


class Reading(NamedTuple):
    """A pile that is read from the top of a ranking: what was judged, and how much is left.

    Attributes
    ----------
    is_positive : array-like of bool or of 0 and 1, of shape (n_read,)
        What the judgements were, positive or not, in their order.
    n_unread : int in [0, inf), or array-like of int of shape (n_arrivals,)
        Documents that nobody judged, of each arrival where there are several.
    arrival : array-like of int of shape (n_read,), default=None
        Which arrival each judged document came with; None where there is one.

    Examples
    --------
    >>> from core.review import Reading
    >>> Reading([True, False, True], [7, 9], [0, 0, 1]).n_left
    16
    """

    is_positive: ArrayLike
    n_unread: ArrayLike
    arrival: ArrayLike | None = None

    @property
    def n_left(self):
        """Documents that nobody judged, of all arrivals."""
        return int(np.sum(self.n_unread))


def checked_reading(is_positive, n_unread, arrival):
    """Return judgements, unread documents of each arrival, and arrivals, as arrays.

    Raises
    ------
    ValueError
        If judgements are not boolean, or arrivals not one number for each of them, in the range of
        ``n_unread``.

    Examples
    --------
    >>> from core.review.reading import checked_reading
    >>> _, n_left, arrival = checked_reading([True, False], 8, None)
    >>> n_left.tolist(), arrival.tolist()
    ([8], [0, 0])
    """
    found = judgements_of(is_positive)
    n_left = np.atleast_1d(np.asarray(n_unread, dtype=np.int64))
    if (n_left < 0).any():
        raise ValueError("n_unread has a negative number of documents.")
    arrival = np.zeros(len(found), dtype=np.int64) if arrival is None else np.asarray(arrival)
    if len(arrival) != len(found):
        raise ValueError(f"{len(arrival)} arrivals are given for {len(found)} judgements.")
    if ((arrival < 0) | (arrival >= len(n_left))).any():
        raise ValueError(f"an arrival is out of range: n_unread has {len(n_left)}, counted from 0.")
    return found, n_left, arrival


def judgements_of(is_positive):
    """Return judgements as an array; ValueError if they are not boolean, such as -1 and 1.

    Examples
    --------
    >>> from core.review.reading import judgements_of
    >>> judgements_of([True, False]).tolist(), len(judgements_of([]))
    ([True, False], 0)
    """
    n_read = len(is_positive)
    # An empty list would be one of numbers.
    return as_mask(is_positive, "is_positive", n_read) if n_read else np.zeros(0, dtype=bool)


def depths(found, n_left, arrival):
    """Return how deep the findings were, and how deep each arrival is read.

    In units of the share that is read of the arrival of a judgement, on average: where all were
    there from the start, what is read ends at 1.

    Parameters
    ----------
    found : bool array of shape (n_read,)
    n_left : int array of shape (n_arrivals,)
    arrival : int array of shape (n_read,)
        As :func:`checked_reading` returns them.

    Returns
    -------
    places : array of shape (n_found,)
        Of the findings, in the order of their arrivals.
    ends : array of shape (n_arrivals,)
        How deep each arrival is read.
    weights : array of shape (n_arrivals,)
        Documents of each, as shares of all.
    end : float
        Where all is read.

    Examples
    --------
    >>> import numpy as np
    >>> from core.review.reading import depths
    >>> found = np.array([True, False, False, True])
    >>> places, ends, weights, end = depths(found, np.array([4, 8]), np.zeros(4, dtype=int))
    >>> places, ends, weights, float(end)
    (array([0.125, 0.875]), array([1., 0.]), array([0.5, 0.5]), 2.0)
    """
    # A document takes up the space from its place to the next: it counts as found in its middle.
    if len(n_left) == 1:
        places = (np.flatnonzero(found) + 0.5) / len(found)
        return places, np.ones(1), np.ones(1), 1 + n_left[0] / len(found)
    n_read = np.bincount(arrival, minlength=len(n_left))
    sizes = n_left + n_read
    in_order = np.argsort(arrival, kind="stable")
    starts = np.cumsum(n_read) - n_read
    of_each = arrival[in_order]
    places = (np.arange(len(found)) - starts[of_each] + 0.5) / sizes[of_each]
    ends = n_read / np.maximum(sizes, 1)
    unit = np.average(ends, weights=n_read)
    return places[found[in_order]] / unit, ends / unit, sizes / sizes.sum(), 1 / unit


def read_on(n_left, arrival, n_more):
    """Return which arrivals the next documents are of, where each is read as deep as the others.

    Parameters
    ----------
    n_left, arrival
        As :func:`checked_reading` returns them.
    n_more : int in [0, sum of ``n_left``]
        How many documents are read.

    Returns
    -------
    array of int of shape (n_more,)

    Examples
    --------
    >>> import numpy as np
    >>> from core.review.reading import read_on
    >>> read_on(np.array([2, 4]), np.array([0, 0]), 4).tolist()
    [1, 1, 0, 1]
    """
    if len(n_left) == 1:
        return np.zeros(n_more, dtype=np.int64)
    n_read = np.bincount(arrival, minlength=len(n_left))
    of_each = np.repeat(np.arange(len(n_left)), n_left)
    places = np.concatenate([np.arange(n) for n in n_left]) + n_read[of_each] + 0.5
    nearest = np.argsort(places / (n_read + n_left)[of_each], kind="stable")
    return of_each[nearest[:n_more]]


def rankings_of_arrivals(sizes):
    """Return which of few larger arrivals each arrival is part of.

    Parameters
    ----------
    sizes : array-like of int of shape (n_arrivals,)
        Documents that came in together; the first were there at the start.

    Returns
    -------
    array of int of shape (n_arrivals,)
        Ascending, from 0.

    Examples
    --------
    >>> from core.review.reading import rankings_of_arrivals
    >>> rankings_of_arrivals([1000, 15, 15, 500, 3]).tolist()
    [0, 1, 1, 2, 2]
    """
    joined, before, within = [0], 0, int(sizes[0])
    for size in sizes[1:]:
        is_first = joined[-1] == 0
        if is_first or within >= max(MIN_ARRIVED, MIN_ARRIVED_SHARE * before):
            before, within = before + within, 0
            joined.append(joined[-1] + 1)
        else:
            joined.append(joined[-1])
        within += int(size)
    last = joined[-1]
    if last and within < max(MIN_ARRIVED, MIN_ARRIVED_SHARE * before):
        joined = [min(number, last - 1) for number in joined]
    return np.array(joined)
