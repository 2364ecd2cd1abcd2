"""Samples without a vector, among others that have one."""

import numpy as np

from core.doctor.finding import CAUTION, FINE, MAX_ROWS, WARNING, Finding
from core.text.vector_coding import length_of, word_places

#: Where the share of positives with a vector is further than this from that of the others, to have
#: one tells both apart, whatever the texts say.
MOST_APART = 0.5


def check_vectors(X, terms, is_positive):
    """Return whether all samples have vectors, where any has; None: none has.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_terms)
        Counts or weights of terms.
    terms : sequence of str of length n_terms
        ``terms_`` of a TokenCounter; see :func:`~core.text.vector_coding.vector_words`.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled.

    Returns
    -------
    Finding or None
        "missing_vectors": its rows are samples without a vector of the usual length, positives
        first. A warning where the shares of positives and of others that have one are more than
        one half apart.

    Examples
    --------
    >>> import numpy as np
    >>> from core.doctor.missing_vectors import check_vectors
    >>> from core.text import TokenCounter, vector_words
    >>> texts = ["a bed", "seeds", f"fire {vector_words([[1, 2]])[0]}"]
    >>> counter = TokenCounter()
    >>> counts = counter.fit_transform(texts)
    >>> finding = check_vectors(counts, counter.terms_, np.array([True, False, False]))
    >>> finding.level, finding.rows
    ('caution', [0, 1])
    """
    places = word_places(terms)
    if not len(places):
        return None
    lengths = np.array([length_of(terms[place]) for place in places])
    have = {length: _have(X, places, lengths == length) for length in np.unique(lengths)}
    has_vector = max(have.values(), key=np.count_nonzero)
    lacking = np.flatnonzero(~has_vector)
    of_positives, of_others = _share(has_vector, is_positive), _share(has_vector, ~is_positive)
    is_apart = abs(of_positives - of_others) > MOST_APART
    level = WARNING if is_apart else CAUTION if len(lacking) else FINE
    shares = {"of_positives": of_positives, "of_others": of_others, "most_apart": MOST_APART}
    rows = lacking[np.argsort(~is_positive[lacking], kind="stable")][:MAX_ROWS].tolist()
    return Finding("missing_vectors", level, {"n_found": len(lacking), **shares}, rows)


def _have(X, places, is_wanted):
    weights = np.zeros(X.shape[1])
    weights[places[is_wanted]] = 1
    return X @ weights > 0


def _share(mask, is_among):
    return float(mask[is_among].mean()) if is_among.any() else 0.0
