"""Samples that are the same as a positive, or nearly so."""

import numpy as np

from core.doctor.finding import CAUTION, FINE, MAX_ROWS, WARNING, Finding
from core.kernels.rows.alike_sets import first_alike
from core.kernels.rows.row_hash import drawn_rows

#: Least cosine of the sets of terms of two samples that say the same. A weight would make most of
#: what is rare, and the rarest term of a copy is often its link.
SAME = 0.8
#: Positives that are compared; of more, the first of a random order.
MAX_POSITIVES = 1000


def find_duplicates(X, is_positive, is_negative, random):
    """Compare the positives with all samples by the cosine of their sets of terms.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Term weights in CSR format, without stored zeros.
    is_positive, is_negative : ndarray of bool of shape (n_samples,)
        Which samples are labeled, and which were judged not to be positive.
    random : RandomState
        Chooses the positives to compare where there are many.

    Returns
    -------
    list of Finding
        "contradicting_labels": judged negatives that are the same as a positive;
        "unlabeled_copies": unlabeled samples that are;
        "repeated_positives": positives that say the same as one before them, so that there are
        fewer different ones. ``n_compared`` positives were looked at.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.doctor.duplicates import find_duplicates
    >>> X = sp.csr_array([[1.0, 0], [1, 0], [0, 1], [1, 0]])
    >>> y = np.array([1, 1, 0, 0])
    >>> findings = find_duplicates(X, y == 1, y == 2, np.random.RandomState(0))
    >>> [(finding.code, finding.level, finding.rows) for finding in findings]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('contradicting_labels', 'fine', []), ('unlabeled_copies', 'caution', [3]),
     ('repeated_positives', 'caution', [1])]
    """
    compared = drawn_rows(X, np.flatnonzero(is_positive), MAX_POSITIVES, random)
    first = first_alike(X[compared], X, SAME)
    is_alike = first >= 0
    is_repeated = is_alike & is_positive
    is_repeated[is_repeated] = compared[first[is_repeated]] < np.flatnonzero(is_repeated)
    numbers = {"least_cosine": SAME, "n_compared": len(compared)}
    return [
        _finding("contradicting_labels", WARNING, is_alike & is_negative, numbers),
        _finding("unlabeled_copies", CAUTION, is_alike & ~(is_positive | is_negative), numbers),
        _finding("repeated_positives", CAUTION, is_repeated, numbers),
    ]


def repeats(X, rows):
    """Return which of some samples say the same as one before them, of shape (n_rows,).

    Of more than 1000 samples the first 1000 are compared, and the others count as different.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.doctor.duplicates import repeats
    >>> X = sp.csr_array([[1.0, 0], [1, 0], [0, 1], [1, 0]])
    >>> repeats(X, np.array([1, 2, 3])).tolist()
    [False, False, True]
    """
    compared = X[rows[:MAX_POSITIVES]]
    first = first_alike(compared, compared, SAME)
    is_repeated = np.zeros(len(rows), dtype=bool)
    is_repeated[: len(first)] = (first >= 0) & (first < np.arange(len(first)))
    return is_repeated


def _finding(code, level, is_found, numbers):
    rows = np.flatnonzero(is_found).tolist()
    return Finding(
        code, level if rows else FINE, {**numbers, "n_found": len(rows)}, rows[:MAX_ROWS]
    )
