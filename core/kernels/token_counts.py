"""Texts -> counts of their tokens, block by block; and the choice of the terms to keep."""

from array import array
from collections import defaultdict
from itertools import repeat
from numbers import Integral

import numpy as np
import scipy.sparse as sp

from core.kernels.row_blocks import document_frequencies
from core.progress import report

#: Tokens after which repeated ones are summed, so that memory follows the matrix, not the text.
BLOCK_TOKENS = 1 << 20


def count_tokens(texts, tokenize, *, vocabulary=None, total=0):
    """Count the tokens of each text.

    Parameters
    ----------
    texts : iterable of str
        Read once, never held.
    tokenize : callable
        From a text to the list of its tokens.
    vocabulary : dict of str to int, default=None
        The terms to count and their columns 0, 1, ...; None means all, in the order they come.
    total : int, default=0
        Number of texts, for the reports of progress; 0 means unknown.

    Returns
    -------
    X : sparse array of shape (n_samples, n_terms)
        Counts, float32, in CSR format with sorted indices.
    terms : list of str
        The term of each column.

    Raises
    ------
    ValueError
        If a text is not a str.

    Examples
    --------
    >>> from core.kernels.token_counts import count_tokens
    >>> X, terms = count_tokens(["b a b", "", "c"], str.split)
    >>> terms, X.toarray().astype(int).tolist()
    (['b', 'a', 'c'], [[2, 1, 0], [0, 0, 0], [0, 0, 1]])
    """
    if vocabulary is None:
        vocabulary = defaultdict()
        vocabulary.default_factory = vocabulary.__len__

        def columns(tokens):
            return map(vocabulary.__getitem__, tokens)
    else:
        # Unknown tokens go to a column behind the last one, which is cut off below.
        unknown = repeat(len(vocabulary))

        def columns(tokens):
            return map(vocabulary.get, tokens, unknown)

    blocks = [
        _summed(indices, ends, len(vocabulary))
        for indices, ends in _blocks(texts, tokenize, columns, total)
    ]
    for block in blocks:
        block.resize(block.shape[0], len(vocabulary))
    return sp.vstack(blocks, format="csr"), list(vocabulary)


def _blocks(texts, tokenize, columns, total):
    """Yield the columns of the tokens of about ``BLOCK_TOKENS`` tokens, and where texts end."""
    indices, ends = array("i"), array("i", [0])
    for number, text in enumerate(texts):
        try:
            tokens = tokenize(text)
        except (AttributeError, TypeError) as error:
            raise ValueError(
                f"text {number} is not a str but of type {type(text).__name__}."
            ) from error
        indices.extend(columns(tokens))
        ends.append(len(indices))
        if len(indices) >= BLOCK_TOKENS:
            yield indices, ends
            indices, ends = array("i"), array("i", [0])
            if total:
                report("tokenise", (number + 1) / total)
    yield indices, ends
    report("tokenise", 1)


def _summed(indices, ends, n_terms):
    """Return the counts of a block, without the column of unknown tokens."""
    data = np.ones(len(indices), dtype=np.float32)
    parts = (data, np.frombuffer(indices, np.intc), np.frombuffer(ends, np.intc))
    X = sp.csr_array(parts, shape=(len(ends) - 1, n_terms + 1))
    X.sum_duplicates()
    return X[:, :n_terms]


def select_terms(X, terms, *, min_df=1, max_df=1.0, max_features=None):
    """Keep the terms within the limits, in alphabetical order.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_terms)
        Counts, in CSR format.
    terms : list of str
        The term of each column.
    min_df, max_df : int or float
        Least and greatest number (int) or share (float) of the texts a term may be in.
    max_features : int, default=None
        Keep the most frequent ones only.

    Returns
    -------
    X : sparse array of shape (n_samples, n_kept)
        In CSR format with sorted indices.
    terms : list of str
        The term of each column.

    Raises
    ------
    ValueError
        If ``max_df`` means fewer texts than ``min_df``.

    Examples
    --------
    >>> from core.kernels.token_counts import count_tokens, select_terms
    >>> X, terms = count_tokens(["b a b", "", "b c"], str.split)
    >>> X, terms = select_terms(X, terms, max_features=2)
    >>> terms, X.toarray().astype(int).tolist()
    (['a', 'b'], [[1, 2], [0, 0], [0, 1]])
    """
    n_samples = X.shape[0]
    least = min_df if isinstance(min_df, Integral) else min_df * n_samples
    most = max_df if isinstance(max_df, Integral) else max_df * n_samples
    if most < least:
        raise ValueError(
            f"max_df={max_df!r} corresponds to fewer of the {n_samples} texts than "
            f"min_df={min_df!r}: lower min_df or raise max_df."
        )
    document_frequency = document_frequencies(X)
    kept = np.flatnonzero((document_frequency >= least) & (document_frequency <= most))
    kept = np.array(sorted(kept.tolist(), key=terms.__getitem__), dtype=np.intp)
    if max_features is not None and len(kept) > max_features:
        totals = np.bincount(X.indices, weights=X.data, minlength=X.shape[1])
        # scikit-learn breaks ties by this very sort: int64, in alphabetical order, not stable.
        kept = kept[np.sort((-totals[kept].astype(np.int64)).argsort()[:max_features])]
    return _take_columns(X, kept), [terms[column] for column in kept]


def _take_columns(X, kept):
    """Return ``X[:, kept]`` with sorted indices, in one pass."""
    new_column = np.full(X.shape[1], -1, dtype=X.indices.dtype)
    new_column[kept] = np.arange(len(kept))
    indices = new_column[X.indices]
    is_kept = indices >= 0
    data, indptr = X.data, X.indptr
    if not is_kept.all():
        n_kept_before = np.concatenate([[0], np.cumsum(is_kept, dtype=indptr.dtype)])
        indptr = n_kept_before[indptr].astype(indptr.dtype)
        data, indices = data[is_kept], indices[is_kept]
    X = sp.csr_array((data, indices, indptr), shape=(X.shape[0], len(kept)))
    X.sort_indices()
    return X
