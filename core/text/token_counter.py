"""Texts -> counts of terms; what follows them is in ``core.text.term_weights``."""

from operator import length_hint

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from core.kernels.tokens.blocks import check_texts
from core.kernels.tokens.counts import hashed_counts, known_counts, learn_counts, limited_counts
from core.text.hash_names import HashNames
from core.text.token_parameters import (
    CONSTRAINTS,
    check_extendable,
    check_types,
    check_values,
    given_terms,
    keeps_all_terms,
    limits_of,
    reading_of,
    warn_of_stop_words,
)
from core.validation import _fit_context


class TokenCounter(  # type: ignore[call-arg]  # scikit-learn has no types
    TransformerMixin, BaseEstimator, auto_wrap_output_keys=None
):
    r"""Count the tokens of texts.

    The terms and the counts are those of scikit-learn's ``CountVectorizer``, or with ``n_features``
    of its ``HashingVectorizer(alternate_sign=False, norm=None)``. Texts may come from any iterable:
    it is read once and never held, in blocks for the ``n_jobs`` of ``joblib.parallel_config``.

    Parameters
    ----------
    analyzer : {"word", "char", "char_wb"}, default="word"
        What a term is made of: words, characters, or characters within words, each with a blank on
        either side. ``token_pattern`` and stop words matter for words only.
    lowercase : bool, default=True
        Whether texts are turned to lower case.
    token_pattern : str, default=r"(?u)\b\w\w+\b"
        Regular expression of a token, with at most 200 characters and one group; the group then is
        the token. A pattern that could take forever is refused, or ends after 256 letters.
    stop_words : list or set of str, or str, default=None
        Tokens to leave out, or a language ("dutch", "english", "french", "german", "italian",
        "portuguese", "spanish"). A UserWarning names those that no text can have.
    extra_stop_words : list or set of str, default=None
        Texts, such as a footer, whose words are left out, too, wherever they are.
    cjk : {"characters", "bigrams"}, default=None
        How to split Chinese, Japanese and Korean, where blanks need not part words: each Han,
        Hiragana, Katakana or Hangul character is a token, or each pair of neighbors and each that
        stands alone. None splits nothing. Needs analyzer "word" and a ``token_pattern`` of words.
    marks : bool, default=False
        Whether vowel signs and other marks belong to the words that they are in: Hindi, Tamil, Thai
        or Arabic with vowels. scikit-learn ends a word there. Needs what ``cjk`` needs.
    long_numbers_as_zeros : bool, default=False
        Whether words of five or more digits 0 to 9 alone, such as telephone numbers, are counted as
        so many zeros: those of one length are one term. Needs what ``cjk`` needs.
    ngram_range : tuple of two ints in [1, 5], default=(1, 1)
        Shortest and longest sequence of tokens, or of characters, that makes a term.
    min_df : int in [1, inf) or float in [0, 1], default=1
        Terms in fewer texts than this number, or share of the texts, are left out.
    max_df : int in [1, inf) or float in [0, 1], default=1.0
        Terms in more texts than this number, or share of the texts, are left out.
    max_features : int in [1, inf), default=None
        Keep this many terms, those with the highest totals; None means all.
    n_features : int in [1, 2 ** 22], default=None
        Number of columns of hashed terms: each is counted in the column of its hash, which it may
        share. As no term is held or left out, ``min_df``, ``max_df`` and ``max_features`` are
        refused. None means that each term has a column.
    binary : bool, default=False
        Whether a term counts only once in each text.

    Attributes
    ----------
    terms_ : sequence of str, of length n_terms
        The terms in alphabetical order: one column each. Each str is made when it is asked for.
        Columns of hashed terms have made names, such as "hash 17".

    Examples
    --------
    >>> from core.text import TokenCounter
    >>> counter = TokenCounter(stop_words="english")
    >>> X = counter.fit_transform(["A seed and a bed.", "Seed, seed!"])
    >>> counter.terms_, X.toarray().astype(int).tolist()
    (['bed', 'seed'], [[1, 1], [0, 2]])
    """

    _parameter_constraints: dict = CONSTRAINTS

    def __init__(
        self,
        *,
        analyzer="word",
        lowercase=True,
        token_pattern=r"(?u)\b\w\w+\b",
        stop_words=None,
        extra_stop_words=None,
        cjk=None,
        marks=False,
        long_numbers_as_zeros=False,
        ngram_range=(1, 1),
        min_df=1,
        max_df=1.0,
        max_features=None,
        n_features=None,
        binary=False,
    ):
        self.analyzer = analyzer
        self.lowercase = lowercase
        self.token_pattern = token_pattern
        self.stop_words = stop_words
        self.extra_stop_words = extra_stop_words
        self.cjk = cjk
        self.marks = marks
        self.long_numbers_as_zeros = long_numbers_as_zeros
        self.ngram_range = ngram_range
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.n_features = n_features
        self.binary = binary

    def _validate_params(self):
        check_types(self)
        super()._validate_params()
        check_values(self)

    def fit(self, X, y=None):
        """Learn the terms of texts; ``fit_transform`` returns their counts as well."""
        self.fit_transform(X)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, X, y=None, *, total=None, folder=None):
        """Learn the terms of texts and count them.

        Parameters
        ----------
        X : iterable of str or bytes, of length n_samples
            Texts; bytes are UTF-8.
        total : int, default=None
            Number of texts, for the reports of progress, where X does not know its length.
        folder : path-like, default=None
            Where the counts are held in temporary files that have no name and end with the last
            array on them; None means memory.

        Returns
        -------
        sparse array of shape (n_samples, n_terms)
            Counts, float32, in CSR format with sorted indices; exact up to 2**24 in one text.

        Raises
        ------
        ValueError
            If X is one text or a table, or holds anything but texts, or no term is left.
        """
        return self._learn(X, total, folder)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_counts(self, counts, terms, *, folder=None):
        """Choose the terms from the counts of all of them.

        Parameters
        ----------
        counts, terms : sparse array of shape (n_samples, n_all_terms) and sequence of str
            What a counter that is ``is_extendable`` and else the same gives for texts, and its
            ``terms_``. A term that is in no text is left out.
        folder : path-like, default=None
            As in ``fit_transform``.

        Returns
        -------
        sparse array of shape (n_samples, n_terms)
            What ``fit_transform`` gives for the same texts.

        Raises
        ------
        ValueError
            If no term is left.

        Examples
        --------
        >>> from core.text import TokenCounter
        >>> counter, frequent = TokenCounter(), TokenCounter(min_df=2)
        >>> counts = counter.fit_transform(["seed bed", "seed", "bud"])
        >>> frequent.fit_counts(counts, counter.terms_).toarray().tolist(), frequent.terms_
        ([[1.0], [1.0], [0.0]], ['seed'])
        """
        if self.n_features is None:
            counts, terms = limited_counts(counts, terms, limits_of(self), folder=folder)
        self.terms_, self._known = terms, None
        return counts

    def fit_terms(self, terms):
        """Take terms in place of learning them; return the counter.

        Parameters
        ----------
        terms : sequence of str
            Those of a counter with the same parameters, or your own: a column each, in this order.
            A UserWarning names those that no text can have. scikit-learn's ``FrozenEstimator``
            keeps them where ``fit`` and ``clone`` would forget them.

        Raises
        ------
        ValueError
            If they are no sequence of str, not distinct, or none.

        Examples
        --------
        >>> from core.text import TokenCounter
        >>> TokenCounter().fit_terms(["bed", "seed"]).transform(["A seed."]).toarray().tolist()
        [[0.0, 1.0]]
        """
        self.terms_, self._known = given_terms(self, terms), None
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def extend(self, counts, X, *, total=None, folder=None):
        """Learn and count the terms of further texts.

        Parameters
        ----------
        counts : sparse array of shape (n_before, n_terms)
            Counts of the texts seen before, as they were returned.
        X, total, folder
            Further texts, as in ``fit_transform``.

        Returns
        -------
        sparse array of shape (n_before + n_samples, n_all_terms)
            Those of all texts, and ``terms_`` too: what ``fit_transform`` of all gives.

        Raises
        ------
        ValueError
            If not ``is_extendable``, or as in ``fit_transform``.
        """
        check_is_fitted(self)
        check_extendable(self, counts)
        return self._learn(X, total, folder, counts)

    @property
    def is_extendable(self):
        """Whether no term can have been left out, so that ``extend`` can be called."""
        return keeps_all_terms(self)

    def _learn(self, X, total, folder, first=None):
        options = self._options(X, total, folder)
        warn_of_stop_words(self)
        if self.n_features is None:
            known = None if first is None else (first, self.terms_)
            counts, self.terms_ = learn_counts(limits=limits_of(self), first=known, **options)
        else:
            counts = hashed_counts(n_features=self.n_features, first=first, **options)
            self.terms_ = HashNames(self.n_features)
        self._known = None
        return counts

    def transform(self, X, *, total=None, folder=None):
        """Count the learned terms of texts; parameters and result as in ``fit_transform``."""
        check_is_fitted(self)
        return self.count_checked(X, total, folder)

    def count_checked(self, X, total=None, folder=None):
        """Return what ``transform`` does, of a counter that is known to be fitted."""
        options = self._options(X, total, folder)
        if self.n_features is not None:
            return hashed_counts(n_features=self.n_features, **options)
        return known_counts(vocabulary=self._vocabulary_of, **options)

    def _options(self, X, total, folder):
        check_texts(X)
        how = {"reading": reading_of(self), "is_binary": self.binary}
        total = length_hint(X) if total is None else total
        return {"texts": X, "total": total, "folder": folder, **how}

    def _vocabulary_of(self, kind):
        """Return the vocabulary of the terms that is of a class; made at the first use."""
        known = self._known = getattr(self, "_known", None) or {}
        key = (kind, reading_of(self))
        if key not in known:
            known[key] = kind(key[1], self.terms_)
        return known[key]

    def __getstate__(self):
        # Made anew where it is needed: read-only, as processes share arrays, it could not be used.
        return {**super().__getstate__(), "_known": None}

    def get_feature_names_out(self, input_features=None):
        """Return the terms, an ndarray of str objects of shape (n_terms,)."""
        check_is_fitted(self)
        return np.array(list(self.terms_), dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags
