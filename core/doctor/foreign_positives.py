"""Positives whose words are not those of the pile: texts in another language, typing errors."""

import numpy as np

from core.doctor.finding import CAUTION, FINE, MAX_ROWS, WARNING, Finding
from core.kernels.rows.row_blocks import document_frequencies, map_rows

#: With fewer samples, a word that only one of them has is nothing special. Positives without any of
#: their kind among 300 tweets and text messages had .38 of the usual share at least; among 100, 0.
MIN_POSITIVES, MIN_OTHERS = 2, 300
#: Positives that share less than this part of the usual share of words come from elsewhere.
LEAST = 0.25


def check_words_of_positives(X, is_positive):
    """Return whether positives have features in common with the other samples.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled.

    Returns
    -------
    foreign : Finding
        "foreign_positives": a warning where the median share of a positive's features that any
        other sample has is less than a quarter of the median share that two or more of the others
        have of the features of one of them. No level for the reasons "too_few_positives" and
        "too_few_unlabeled".
    isolated : Finding
        "isolated_positives": its rows are positives none of whose features any sample has that is
        not positive, empty ones among them.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.doctor.foreign_positives import check_words_of_positives
    >>> X = sp.csr_array(np.repeat([[1, 1, 0, 0], [0, 0, 1, 1]], [3, 400], axis=0))
    >>> foreign, isolated = check_words_of_positives(X, np.arange(403) < 3)
    >>> foreign.level, isolated.rows
    ('warning', [0, 1, 2])
    """
    of_others = document_frequencies(X, ~is_positive)
    shares = _known_shares(X[is_positive], of_others > 0)
    isolated = np.flatnonzero(is_positive)[~(shares > 0)]
    level = CAUTION if len(isolated) else FINE
    numbers, rows = {"n_found": len(isolated)}, isolated[:MAX_ROWS].tolist()
    return (
        _foreign(shares, X, is_positive, of_others),
        Finding("isolated_positives", level, numbers, rows),
    )


def _foreign(shares, X, is_positive, of_others):
    usual = map_rows(lambda rows: _known_shares(rows, of_others > 1), X)[~is_positive]
    share, n_positive = _median(shares)
    of_pile, n_others = _median(usual)
    if n_positive < MIN_POSITIVES:
        return Finding("foreign_positives", None, reason="too_few_positives")
    if n_others < MIN_OTHERS or not of_pile:
        return Finding("foreign_positives", None, reason="too_few_unlabeled")
    level = WARNING if share < LEAST * of_pile else FINE
    numbers = {"share_in_pile": share, "share_of_pile": of_pile, "least_expected": LEAST * of_pile}
    return Finding("foreign_positives", level, numbers)


def _known_shares(X, is_known):
    """Return the share of the features of each row that are known, NaN where it has none."""
    n_known = np.append(0, np.cumsum(is_known[X.indices]))
    ends = X.indptr - X.indptr[0]
    lengths = np.diff(ends)
    shares = np.full(len(lengths), np.nan)
    np.divide(np.diff(n_known[ends]), lengths, out=shares, where=lengths > 0)
    return shares


def _median(shares):
    """Return the median of the shares that are there, and how many these are."""
    shares = shares[~np.isnan(shares)]
    return (float(np.median(shares)) if len(shares) else 0.0), len(shares)
