"""Samples that are the same as a positive, or nearly so."""

import numpy as np

from core.doctor.finding import CAUTION, FINE, MAX_DOCUMENTS, WARNING, Finding
from core.kernels.knn_graph import similar_rows
from core.kernels.row_blocks import row_blocks, rows_of
from core.kernels.row_hash import drawn_rows
from core.kernels.scaled_rows import with_data
from core.kernels.unit_rows import unit_rows
from core.progress import part

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
    >>> [(finding.code, finding.level, finding.documents) for finding in findings]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('contradicting_labels', 'fine', []), ('unlabeled_copies', 'caution', [3]),
     ('repeated_positives', 'caution', [1])]
    """
    compared = drawn_rows(X, np.flatnonzero(is_positive), MAX_POSITIVES, random)
    left, right = _same(X, compared)
    is_repeated = is_positive[right] & (right > left)
    numbers = {"least_cosine": SAME, "n_compared": len(compared)}
    return [
        _finding("contradicting_labels", WARNING, right[is_negative[right]], numbers),
        _finding("unlabeled_copies", CAUTION, right[~(is_positive | is_negative)[right]], numbers),
        _finding("repeated_positives", CAUTION, right[is_repeated], numbers),
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
    Z = _term_sets(X[rows[:MAX_POSITIVES]])
    pairs = similar_rows(Z, Z, SAME).tocoo()
    return np.isin(np.arange(len(rows)), pairs.col[pairs.row < pairs.col])


def _same(X, compared):
    """Return pairs of rows that say the same, the first of ``compared``; some rows at a time."""
    own = _term_sets(X[compared])
    left, right, blocks = [], [], row_blocks(X)
    for number, block in enumerate(blocks):
        with part("duplicates", number / len(blocks), (number + 1) / len(blocks)):
            pairs = similar_rows(own, _term_sets(rows_of(X, block)), SAME).tocoo()
        left.append(compared[pairs.row])
        right.append(pairs.col + block.start)
    return np.concatenate(left), np.concatenate(right)


def _term_sets(X):
    return unit_rows(with_data(X, np.ones(len(X.data))))


def _finding(code, level, rows, numbers):
    rows = np.unique(rows).tolist()
    return Finding(
        code, level if rows else FINE, {**numbers, "n_found": len(rows)}, rows[:MAX_DOCUMENTS]
    )
