"""Whether what was judged is the top of a ranking."""

import numpy as np

from core.kernels.scores.mean_ranks import mean_ranks

#: Judgements that are looked at, at most: later ones of a ranking are less like the positives.
FIRST = 20
#: Standard errors that their mean rank is above that of all: of a random sample it is that far
#: once in a hundred.
FAR = 2.33


def is_from_top(likeness, first):
    """Return whether judged samples were read from the top of a ranking.

    Then they are like the positives. What was drawn at random, or chosen for being something else,
    is not. That asks nothing of what the judgements were, so it holds where no positive was found.

    Parameters
    ----------
    likeness : array-like of shape (n_samples,)
        How like the positives samples of a pile are, by scores that know no judgement.
    first : array-like of int of shape (n_judged,)
        Which of them were judged, in the order of the judgements.

    Returns
    -------
    bool
        Whether the mean rank of the first 20 of these is above the middle by 2.33 standard errors
        of a random sample.

    Examples
    --------
    >>> from core.review.from_top import is_from_top
    >>> is_from_top(range(100), [99, 97, 96, 60]), is_from_top(range(100), [99, 3, 50, 60])
    (True, False)
    """
    first = np.asarray(first, dtype=np.intp)[:FIRST]
    if not len(first):
        return False
    shares = mean_ranks(np.asarray(likeness))[first] / (len(likeness) + 1)
    return bool((shares.mean() - 0.5) * np.sqrt(12 * len(first)) > FAR)
