"""Documents to judge that say the same as another one."""

import numpy as np

from core.doctor.duplicates import SAME
from core.kernels.graphs.knn_graph import similar_rows
from core.kernels.rows.unit_rows import unit_rows
from core.text import TokenCounter

#: Words that only one of two texts has, of more of which it says something else: pages made by one
#: template have most of their words in common.
MOST_DIFFERENT = 5
#: How many unread documents on either side of one are compared with it: copies rank alike.
N_AROUND = 200
#: Columns that words are hashed to, so that no list of them is made.
N_COLUMNS = 2**18


def near_copies(texts):
    """Return which earlier text each one says nearly the same as.

    Parameters
    ----------
    texts : list of str
        Texts, at least one.

    Returns
    -------
    ndarray of int of shape (n_texts,)
        The place of the first such text that is no copy itself; its own of a text that is none.
        Copies have a cosine of 0.8 at least, each word counted once, and five words at most that
        the other lacks. A text without words is no copy.

    Examples
    --------
    >>> from core.review.copies import near_copies
    >>> flood = "the river burst its banks and the water stands in all streets of the town"
    >>> near_copies([flood, "a late goal", f"RT {flood} #flood"]).tolist()
    [0, 1, 0]
    """
    Z, n_words = _words(texts)
    cosines = similar_rows(Z, Z, SAME)
    first = np.arange(len(texts))
    for row in range(len(texts)):
        others = _same(cosines, row, n_words[row], n_words)
        others = others[others < row]
        first[row] = min(others[first[others] == others], default=row)
    return first


def copied_ones(texts, others):
    """Return which text each of some others says nearly the same as, if any.

    They are not compared among themselves: of thousands of copies all pairs would take gigabytes.

    Parameters
    ----------
    texts : list of str
        Texts, at least one, of which none is a copy of another.
    others : list of str
        What may be copies of them.

    Returns
    -------
    ndarray of int of shape (n_others,)
        The place of the first such text, as of :func:`near_copies`; -1 where there is none.

    Examples
    --------
    >>> from core.review.copies import copied_ones
    >>> flood = "the river burst its banks and the water stands in all streets of the town"
    >>> copied_ones(["a late goal", flood], [f"RT {flood} #flood", "an early goal"]).tolist()
    [1, -1]
    """
    n_texts = len(texts)
    Z, n_words = _words([*texts, *others])
    cosines = similar_rows(Z, Z[:n_texts], SAME)
    first = np.full(len(others), -1)
    for place in range(len(others)):
        row = n_texts + place
        first[place] = min(_same(cosines, row, n_words[row], n_words), default=-1)
    return first


def _words(texts):
    """Return unit rows of the words of texts, each counted once, and how many each has."""
    counter = TokenCounter(binary=True, cjk="bigrams", n_features=N_COLUMNS)
    X = counter.fit_transform(texts)
    return unit_rows(X), np.diff(X.indptr)


def _same(cosines, row, n_own, n_words):
    """Return the columns of those that say nearly the same as a row of so many words."""
    part = slice(*cosines.indptr[row : row + 2])
    others = cosines.indices[part]
    n_others = n_words[others]
    in_common = cosines.data[part] * np.sqrt(n_own * n_others)
    return others[np.maximum(n_own, n_others) - in_common < MOST_DIFFERENT + 0.5]


def unread_around(is_judged, places):
    """Return the places of unread documents of a ranking near some of them.

    Parameters
    ----------
    is_judged : ndarray of bool of shape (n_documents,)
        By the place in the ranking.
    places : array-like of int of shape (n_places,)
        Places of unread documents.

    Returns
    -------
    ndarray of int
        Ascending, with at most 200 unread ones on either side of each, and these themselves.

    Examples
    --------
    >>> import numpy as np
    >>> from core.review.copies import unread_around
    >>> unread_around(np.array([False, True, False, False]), [2]).tolist()
    [0, 2, 3]
    """
    unread = np.flatnonzero(~is_judged)
    at = np.searchsorted(unread, places)[:, None] + np.arange(-N_AROUND, N_AROUND + 1)
    return np.unique(unread[at.clip(0, len(unread) - 1)])
