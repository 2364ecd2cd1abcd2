"""Texts -> counts of their terms, block by block; and the choice of the terms to keep."""

from itertools import chain
from numbers import Integral
from typing import NamedTuple

import numpy as np

from core.errors import Refused
from core.kernels.rows.row_blocks import row_blocks
from core.kernels.tokens.blocks import looked_into, read_blocks
from core.kernels.tokens.counted_rows import Rows
from core.kernels.tokens.frequencies import Frequencies
from core.kernels.tokens.packed_terms import PackedTerms
from core.kernels.tokens.plain_vocabulary import DictVocabulary
from core.kernels.tokens.store import RowStore
from core.kernels.tokens.vocabulary import TableVocabulary, count_hashed
from core.progress import report

#: Texts of fewer bytes in all, too few for a block, are counted in plain Python, so that a process
#: that has just started need not load compiled code.
FEW_BYTES = 1 << 16
#: The same where terms are learned. That is done once for many texts and takes a second or two; to
#: compile first, in a new installation, would take twenty.
FEW_BYTES_TO_LEARN = 1 << 23
#: With so many terms to begin with, plain Python takes longer than compiled code takes to load.
MANY_TERMS = 1 << 16

#: What to do with texts of signs alone.
OF_SIGNS = "emoji and other signs are counted with the analyzer char_wb"


class Limits(NamedTuple):
    """Which terms are kept; see :class:`core.text.TokenCounter`."""

    min_df: float
    max_df: float
    max_features: int | None


def learn_counts(texts, reading, limits, *, first=None, is_binary=False, total=0, folder=None):
    r"""Count the terms of texts, and choose those to keep.

    Parameters
    ----------
    texts : iterable of str or bytes
        Read once, never held.
    reading : Reading
    limits : Limits
    first : (sparse array, PackedTerms or list of str), default=None
        Counts of other texts that come first, and their terms.
    is_binary : bool, default=False
        Whether a term counts once only in each text.
    total : int, default=0
        Number of texts, for the reports of progress; 0 means unknown.
    folder : path-like, default=None
        Where temporary files hold the counts; None means memory.

    Returns
    -------
    X : sparse array of shape (n_samples, n_terms)
        Counts, float32, in CSR format with sorted indices.
    terms : PackedTerms
        The term of each column, in alphabetical order.

    Raises
    ------
    ValueError
        If a text is not one, no term is left, or ``max_df`` means fewer texts than ``min_df``.

    Examples
    --------
    >>> from core.kernels.tokens.counts import Limits, learn_counts
    >>> from core.kernels.tokens.reading import Reading
    >>> reading = Reading("word", r"\w+", True, frozenset(), None, 1, 1)
    >>> X, terms = learn_counts(["b A b", "", "c"], reading, Limits(1, 1.0, None))
    >>> terms, X.toarray().astype(int).tolist()
    (['a', 'b', 'c'], [[1, 2, 0], [0, 0, 0], [0, 0, 1]])
    """
    old, terms = (None, ()) if first is None else first
    few_bytes = FEW_BYTES_TO_LEARN if len(terms) < MANY_TERMS else 0
    blocks, is_compiled = _blocks(texts, reading, few_bytes)
    kind = TableVocabulary if is_compiled else DictVocabulary
    vocabulary = kind(reading, terms, is_totalled=_is_totalled(limits, is_binary=is_binary))
    rows = _reported(vocabulary.count(blocks), total)
    if old is not None:
        rows = chain(vocabulary.counted(_rows_of(old, vocabulary.numbers)), rows)
    with RowStore(folder) as store:
        for block in rows:
            _store(block, store, is_binary=is_binary)
        # A table also has numbers for stop words, and for words that only begin n-grams.
        frequencies = vocabulary.sort()
        kept = _kept(frequencies, store.n_rows, limits)
        columns = _columns_of(kept, len(frequencies.of_texts))
        X = store.finish(len(kept), lambda found: columns[found.places])
        return X, vocabulary.packed(kept)


def limited_counts(counts, terms, limits, *, folder=None):
    """Choose terms from the counts of all, as :func:`learn_counts` does from texts.

    Parameters
    ----------
    counts : sparse array of shape (n_samples, n_all_terms)
        In CSR format with sorted indices.
    terms : PackedTerms or list of str
        The term of each column, in alphabetical order.
    limits : Limits
    folder : path-like, default=None
        As in :func:`learn_counts`.

    Returns
    -------
    X : sparse array of shape (n_samples, n_terms)
        ``counts`` itself where all terms are kept.
    terms : PackedTerms

    Raises
    ------
    ValueError
        As in :func:`learn_counts`.
    """
    frequencies = Frequencies(len(terms), is_totalled=_is_totalled(limits))
    for block in _rows_of(counts):
        frequencies.add(block, len(terms))
    kept = _kept(frequencies, counts.shape[0], limits)
    if len(kept) == len(terms):
        return counts, terms
    columns = _columns_of(kept, len(terms))
    with RowStore(folder) as store:
        for block in _rows_of(counts):
            store.append(*block.moved(columns))
        X = store.finish(len(kept))
    packed = terms if isinstance(terms, PackedTerms) else PackedTerms.of(terms)
    return X, packed.kept(columns >= 0)


def known_counts(texts, reading, vocabulary, *, is_binary=False, total=0, folder=None):
    """Count known terms in texts.

    Parameters
    ----------
    vocabulary : callable
        From a class, ``TableVocabulary`` or ``DictVocabulary``, to one of the known terms.
    texts, reading, is_binary, total, folder
        As in :func:`learn_counts`.

    Returns
    -------
    sparse array of shape (n_samples, n_terms)
        Counts, float32, in CSR format with sorted indices.
    """
    blocks, is_compiled = _blocks(texts, reading, FEW_BYTES)
    known = vocabulary(TableVocabulary if is_compiled else DictVocabulary)
    with RowStore(folder) as store:
        for block in _reported(known.count_known(blocks), total):
            _store(block, store, is_binary=is_binary)
        return store.finish(len(known.numbers))


def hashed_counts(texts, reading, n_features, *, first=None, is_binary=False, total=0, folder=None):
    """Count the terms of texts in the columns of their hashes.

    Parameters
    ----------
    n_features : int
        Number of columns.
    first : sparse array, default=None
        Counts of other texts that come first.
    texts, reading, is_binary, total, folder
        As in :func:`learn_counts`.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        Counts, float32, in CSR format with sorted indices.
    """
    blocks, is_compiled = _blocks(texts, reading, FEW_BYTES)
    rows = _reported(count_hashed(blocks, reading, n_features, is_compiled=is_compiled), total)
    if first is not None:
        rows = chain(_rows_of(first), rows)
    with RowStore(folder) as store:
        for block in rows:
            _store(block, store, is_binary=is_binary)
        return store.finish(n_features)


def _columns_of(kept, n_terms):
    """Return the new column of each term, -1 where it is left out."""
    columns = np.full(n_terms, -1, dtype=np.int32)
    columns[kept] = np.arange(len(kept))
    return columns


def _blocks(texts, reading, few_bytes):
    """Return blocks of texts, and whether compiled code should read them."""
    blocks, are_many = looked_into(read_blocks(texts), few_bytes)
    return blocks, reading.is_compiled and are_many


def _rows_of(counts, numbers=None):
    """Yield rows of a CSR array, with the number of each column."""
    for rows in row_blocks(counts):
        ends = counts.indptr[rows.start : rows.stop + 1]
        part = slice(ends[0], ends[-1])
        terms = counts.indices[part]
        terms = terms.copy() if numbers is None else numbers[terms]
        yield Rows(terms, counts.data[part].copy(), np.diff(ends))


def _reported(rows, total):
    n_rows = 0
    for block in rows:
        yield block
        n_rows += len(block.lengths)
        if total:
            report("tokenise", n_rows / total, n_samples=total)
    report("tokenise", 1)


def _store(rows, store, *, is_binary):
    if is_binary:
        rows.counts.fill(1)
    store.append(*rows)


def _is_totalled(limits, *, is_binary=False):
    return limits.max_features is not None and not is_binary


def _kept(frequencies, n_samples, limits):
    """Return which terms to keep, of all in alphabetical order."""
    of_texts = frequencies.of_texts
    if not of_texts.any():
        raise Refused(
            f"no term is left: none of the {n_samples} texts has a token that is not a "
            "stop word. Give longer texts, or change token_pattern, stop_words or "
            f"extra_stop_words; {OF_SIGNS}."
        )
    least, most = _bounds(limits, n_samples)
    terms = np.flatnonzero((of_texts >= max(least, 1)) & (of_texts <= most))
    if not len(terms):
        raise Refused(
            f"no term is left: min_df={limits.min_df!r} and max_df={limits.max_df!r} leave out "
            f"all terms of the {n_samples} texts. Lower min_df or raise max_df."
        )
    if limits.max_features is not None and len(terms) > limits.max_features:
        # scikit-learn breaks ties by this very sort: int64, in alphabetical order, not stable.
        by_total = (-frequencies.totals[terms]).argsort()
        terms = terms[np.sort(by_total[: limits.max_features])]
    return terms


def _bounds(limits, n_samples):
    least, most = (
        limit if isinstance(limit, Integral) else limit * n_samples
        for limit in (limits.min_df, limits.max_df)
    )
    if most < least:
        raise Refused(
            f"max_df={limits.max_df!r} corresponds to fewer of the {n_samples} texts than "
            f"min_df={limits.min_df!r}: lower min_df or raise max_df."
        )
    return least, most
