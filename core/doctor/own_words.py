"""Words that the labeled documents share and no other has: a sign of where they come from."""

import numpy as np

from core.doctor.finding import FINE, WARNING, Finding
from core.doctor.foreign_positives import MIN_OTHERS
from core.kernels.rows.row_blocks import document_frequencies, has_entries

#: Fewest positives that share a feature, and share of all of them.
MIN_POSITIVES, LEAST_SHARE = 3, 0.5
#: Terms that are named.
MAX_TERMS = 10


def check_own_words(X, is_positive, terms=None):
    """Return whether many positives share features that no other sample has.

    If the pile had positives, and chance had decided which are labeled, some of them would have
    such a feature, too. Where labeled ones were exported from elsewhere, with a footer, hidden ones
    would seem to be none: of left out positives, all would rank first.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled.
    terms : sequence of str of length n_features, default=None
        What the features are.

    Returns
    -------
    Finding
        "own_words": a warning with the features that half of the positives have, three at least.
        No level for the reasons "too_few_positives" and "too_few_unlabeled".

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.doctor.own_words import check_own_words
    >>> X = sp.csr_array(np.repeat([[1, 1], [1, 0]], [4, 400], axis=0))
    >>> finding = check_own_words(X, np.arange(404) < 4, ["news", "footer"])
    >>> finding.level, finding.numbers
    ('warning', {'n_terms': 1, 'terms': ['footer']})
    """
    is_filled = has_entries(X)
    n_positive = int((is_positive & is_filled).sum())
    if n_positive < MIN_POSITIVES:
        return Finding("own_words", None, reason="too_few_positives")
    if (~is_positive & is_filled).sum() < MIN_OTHERS:
        return Finding("own_words", None, reason="too_few_unlabeled")
    n_with = document_frequencies(X, is_positive)
    least = max(MIN_POSITIVES, LEAST_SHARE * n_positive)
    own = np.flatnonzero((n_with >= least) & (document_frequencies(X, ~is_positive) == 0))
    numbers = {"n_terms": len(own)}
    if terms is not None:
        first = own[np.argsort(-n_with[own], kind="stable")[:MAX_TERMS]]
        numbers["terms"] = [terms[i] for i in first]
    return Finding("own_words", WARNING if len(own) else FINE, numbers)
