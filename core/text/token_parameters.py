"""What the parameters of a token counter may be and mean; see :class:`core.text.TokenCounter`."""

from collections import Counter
from collections.abc import Mapping, Set
from functools import lru_cache
from numbers import Integral

from core.caller_warning import warn_caller
from core.errors import BadParameter
from core.kernels.tokens.counts import Limits
from core.kernels.tokens.packed_terms import PackedTerms
from core.kernels.tokens.pattern import compile_pattern
from core.kernels.tokens.reading import WORD_PATTERNS, Reading, make_analyzer
from core.options import AT_LEAST_ONE, Interval, Options, StrOptions
from core.text.hash_names import HashNames
from core.text.stop_words import STOP_WORDS
from core.validation import RealNotInt

#: Longest n-gram: longer ones hardly ever come twice.
MAX_N = 5
#: Words that a warning names.
N_TOLD = 5
#: Most columns of hashed terms, each of which has a name.
MAX_FEATURES = 2**22

CONSTRAINTS: dict = {
    "analyzer": [StrOptions({"word", "char", "char_wb"})],
    "lowercase": ["boolean"],
    "token_pattern": [str],
    "stop_words": [StrOptions(set(STOP_WORDS)), list, set, frozenset, None],
    "extra_stop_words": [list, set, frozenset, None],
    "cjk": [StrOptions({"characters", "bigrams"}), None],
    "marks": ["boolean"],
    "long_numbers_as_zeros": ["boolean"],
    "ngram_range": [
        Options(tuple, {(n, m) for n in range(1, MAX_N + 1) for m in range(n, MAX_N + 1)})
    ],
    "min_df": [AT_LEAST_ONE, Interval(RealNotInt, 0, 1, closed="both")],
    "max_df": [AT_LEAST_ONE, Interval(RealNotInt, 0, 1, closed="both")],
    "max_features": [AT_LEAST_ONE, None],
    "n_features": [Interval(Integral, 1, MAX_FEATURES, closed="both"), None],
    "binary": ["boolean"],
}


def check_types(counter):
    """Refuse what the check against ``CONSTRAINTS`` cannot look at.

    Raises
    ------
    ValueError
        If ``ngram_range`` is a tuple with anything but ints in it.
    """
    # (1.0, 2.0) and (True, 2) equal (1, 2) but are slips, and a list in a tuple has no hash.
    is_tuple = isinstance(counter.ngram_range, tuple)
    if is_tuple and not all(
        isinstance(n, Integral) and not isinstance(n, bool) for n in counter.ngram_range
    ):
        raise BadParameter(
            f"ngram_range={counter.ngram_range!r} holds something other than ints.", "ngram_range"
        )


def check_values(counter):
    """Refuse what ``CONSTRAINTS`` cannot express.

    Raises
    ------
    ValueError
        If the pattern or a stop word is not one, or parameters do not go together.
    """
    compile_pattern(counter.token_pattern)
    for name in ("stop_words", "extra_stop_words"):
        for word in _given_words(counter, name):
            if not isinstance(word, str):
                raise BadParameter(f"{name} holds {word!r}, which is not a str.", name)
    if _is_reversed(counter.min_df, counter.max_df):
        raise BadParameter(
            f"min_df={counter.min_df!r} is more than max_df={counter.max_df!r}, so no term is "
            "left: lower min_df or raise max_df.",
            "min_df",
            "max_df",
        )
    for name in ("cjk", "marks", "long_numbers_as_zeros"):
        if getattr(counter, name):
            _check_words(counter, name)
    if counter.n_features is not None and not keeps_all_terms(counter):
        raise BadParameter(
            f"n_features={counter.n_features!r} hashes terms, which then cannot be left out: "
            "leave min_df, max_df and max_features at their defaults.",
            "n_features",
            "min_df",
            "max_df",
            "max_features",
        )


def _check_words(counter, name):
    """Refuse a parameter about whole words where tokens are something else."""
    told = f"{name}={getattr(counter, name)!r}"
    if counter.analyzer != "word":
        raise BadParameter(
            f"{told} is about words, and analyzer={counter.analyzer!r} takes characters whatever "
            f"the script: leave {name} out, or take analyzer='word'.",
            name,
            "analyzer",
        )
    if counter.token_pattern not in WORD_PATTERNS:
        raise BadParameter(
            f"{told} is about whole words, which token_pattern={counter.token_pattern!r} does not "
            f"find: take one of {', '.join(WORD_PATTERNS)}.",
            name,
            "token_pattern",
        )


def _given_words(counter, name):
    """Return the stop words given one by one; those of a language need no check."""
    words = getattr(counter, name)
    return () if isinstance(words, str) else words or ()


def warn_of_stop_words(counter):
    """Warn of stop words that leave nothing out, as no text has such a token.

    Warns
    -----
    UserWarning
        If a stop word itself is read as tokens that are none.
    """
    if counter.analyzer != "word":
        return
    reading = reading_of(counter)
    analyze = make_analyzer(_of_single_words(reading))
    idle = {
        word: tokens
        for word in sorted(_given_words(counter, "stop_words"))
        if not reading.stop_words.issuperset(tokens := analyze(word))
    }
    if idle:
        warn_caller(
            f"some stop words leave nothing out: {_readings(idle)}. Give them as lowercase, "
            "token_pattern, cjk, marks and long_numbers_as_zeros have texts read."
        )


def _readings(tokens):
    """Tell how words are read, from words -> their tokens."""
    told = [f"{word!r} is read as {' '.join(tokens[word])!r}" for word in [*tokens][:N_TOLD]]
    return ", ".join(told) + (f", and {len(tokens) - N_TOLD} more" if len(tokens) > N_TOLD else "")


def given_terms(counter, terms):
    """Return terms that are to be counted, a list of them where they were not learned.

    Raises
    ------
    ValueError
        If they are no sequence of str, not distinct, or none.

    Warns
    -----
    UserWarning
        If some are not even counted in a text that is the term itself.
    """
    if isinstance(terms, PackedTerms | HashNames):
        return terms
    if counter.n_features is not None:
        raise ValueError(f"n_features={counter.n_features!r} hashes terms: leave it out.")
    if isinstance(terms, str | bytes | Mapping | Set):
        raise ValueError(
            f"terms is a {type(terms).__name__}, but must be a list of str in the order of the "
            "columns; of a vocabulary it is sorted(vocabulary, key=vocabulary.get)."
        )
    terms = list(terms)
    for term in terms:
        if not isinstance(term, str):
            raise ValueError(f"terms holds {term!r}, which is not a str.")
    if not terms:
        raise ValueError("terms is empty: there is nothing to count.")
    (most_common, n_times), *_ = Counter(terms).most_common(1)
    if n_times > 1:
        raise ValueError(f"terms holds {most_common!r} more than once.")
    _warn_of_idle(terms, reading_of(counter))
    return terms


def _warn_of_idle(terms, reading):
    analyze = make_analyzer(reading)
    idle = {term: tokens for term in terms if term not in (tokens := analyze(term))}
    if idle:
        warn_caller(
            f"some terms are never counted: {_readings(idle)}. Give them as lowercase, "
            "token_pattern, stop_words, cjk, marks, long_numbers_as_zeros and ngram_range have "
            "texts read."
        )


def check_extendable(counter, counts):
    """Refuse to count further texts where terms were left out or counts are of other terms.

    Raises
    ------
    ValueError
        If so.
    """
    if not keeps_all_terms(counter):
        raise ValueError(
            "terms that were left out before cannot be counted now: min_df must be 1, max_df 1.0 "
            "and max_features None."
        )
    if counts.shape[1] != len(counter.terms_):
        raise ValueError(
            f"counts has {counts.shape[1]} columns, but there are {len(counter.terms_)} terms."
        )


def _is_reversed(min_df, max_df):
    """Tell whether no term can lie between the bounds, whatever the number of texts."""
    is_same_unit = isinstance(min_df, Integral) == isinstance(max_df, Integral)
    return is_same_unit and min_df > max_df


def keeps_all_terms(counter):
    """Tell whether the parameters of a counter leave out no term."""
    # 1 is one text, 1.0 are all texts.
    is_number, is_share = (isinstance(df, Integral) for df in (counter.min_df, counter.max_df))
    is_all = (counter.min_df, counter.max_df, counter.max_features) == (1, 1, None)
    return is_all and is_number and not is_share


def limits_of(counter):
    """Return which terms the parameters of a counter leave out."""
    return Limits(counter.min_df, counter.max_df, counter.max_features)


def reading_of(counter):
    """Return how the parameters of a counter have texts read."""
    stop_words = counter.stop_words or ()
    if isinstance(stop_words, str):
        stop_words = STOP_WORDS[stop_words]
    shortest, longest = counter.ngram_range
    reading = Reading(
        analyzer=counter.analyzer,
        pattern=counter.token_pattern,
        is_lowered=counter.lowercase,
        stop_words=frozenset(stop_words),
        cjk=counter.cjk,
        shortest=shortest,
        longest=longest,
        with_marks=counter.marks,
        long_numbers_as_zeros=counter.long_numbers_as_zeros,
    )
    if counter.analyzer != "word" or not counter.extra_stop_words:
        return reading
    extra = _words_of(_of_single_words(reading), frozenset(counter.extra_stop_words))
    return reading._replace(stop_words=reading.stop_words | extra)


def _of_single_words(reading):
    return reading._replace(stop_words=frozenset(), shortest=1, longest=1)


@lru_cache(maxsize=16)
def _words_of(reading, texts):
    analyze = make_analyzer(reading)
    return frozenset(word for text in texts for word in analyze(text))
