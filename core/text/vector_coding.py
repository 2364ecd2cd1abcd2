"""Vectors as words, so that whatever counts words takes embeddings, too."""

import re
from bisect import bisect_left
from functools import cache, lru_cache
from threading import Lock

import numpy as np

from core.errors import BadParameter
from core.kernels.tokens.packed_terms import PackedTerms
from core.kernels.tokens.reading import make_analyzer
from core.text.hash_names import HashNames
from core.text.token_parameters import reading_of

#: Words of a vector, and among how many directions each tells the one it points along most.
N_WORDS, N_DIRECTIONS = 96, 32
#: With more numbers, those of the directions would be -1, 0 and 1 alone.
MOST_NUMBERS = 4096
#: The largest number of a vector becomes this one, the others in proportion.
_LARGEST = 2047
#: Vectors that are encoded at a time.
_AT_A_TIME = 1024
_LOCK = Lock()
_LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", dtype=np.uint8)
_WORD = re.compile(r"vec(\d{1,4})x\d{3}[a-z2-7]")
_WORD_IN_BYTES = re.compile(_WORD.pattern.encode())
_BLANK = ord(" ")
_WORDS = re.compile(rf"\n{_WORD.pattern}(?: {_WORD.pattern}){{{N_WORDS - 1}}}\Z")


def vector_words(V):
    """Return words that are the more alike, the smaller the angle between two vectors.

    For each of 96 words, 32 random directions are drawn, the same each time; the word names the
    one that the vector points along most. Two vectors have a word in common with a probability
    that only the angle between them decides. So a text and its words, counted, weighted and
    compared as any other text, is near those with like words and near those with like vectors.

    Parameters
    ----------
    V : array-like of shape (n_samples, n_numbers)
        One vector in each row, at most 4,096 numbers, of which one at least is not 0; the column of
        a data frame that has a vector in each row, too.

    Returns
    -------
    list of str, of length n_samples
        96 words each, parted by blanks. Vectors of different lengths have none in common.

    Raises
    ------
    ValueError
        If a number is not finite, or a vector is 0 throughout, has too many numbers or not as
        many as others.

    Notes
    -----
    Numbers count to 1/2,047 of the largest of their vector. All sums are then whole numbers that
    float32 holds, so that the words are the same on each machine and in each batch.

    References
    ----------
    J. Yagnik, D. Strelow, D. A. Ross and R.-S. Lin, "The power of comparative reasoning", ICCV
    2011: winner takes all hashing, there of permuted coordinates. Random directions take the place
    of the coordinates here, which rank worse (ADR 29).

    Examples
    --------
    >>> from core.text import vector_words
    >>> words = vector_words([[0, 1], [1, 8], [1, 0]])
    >>> up, nearly_up, right = ({*some.split()} for some in words)
    >>> len(up & nearly_up), len(up & right)
    (83, 4)
    """
    return [words_of(code) for code in vector_codes(V)]


def vector_codes(V):
    """Return a letter for each word of :func:`vector_words`, behind the number of numbers.

    Parameters and errors are the same.

    Returns
    -------
    list of str, of length n_samples
        What the service keeps of a vector: "384:" and 96 letters.

    Examples
    --------
    >>> from core.text.vector_coding import vector_codes, words_of
    >>> (code,) = vector_codes([[0.1, 0.7, -0.2]])
    >>> code[:5], len(code), words_of(code)[:20]
    ('3:nyl', 98, 'vec3x000n vec3x001y ')
    """
    whole = whole_numbers(V)
    n_numbers = whole.shape[1]
    directions = _directions(n_numbers)
    codes = []
    for start in range(0, len(whole), _AT_A_TIME):
        products = whole[start : start + _AT_A_TIME].astype(np.float32) @ directions
        winners = products.reshape(-1, N_WORDS, N_DIRECTIONS).argmax(axis=2)
        codes += [f"{n_numbers}:{row.tobytes().decode()}" for row in _LETTERS[winners]]
    return codes


def whole_numbers(V):
    """Return vectors as they are encoded: whole numbers, the largest of each 2,047 or -2,047.

    Parameters and errors are those of :func:`vector_words`.

    Returns
    -------
    ndarray of int16 of shape (n_samples, n_numbers)

    Examples
    --------
    >>> from core.text.vector_coding import whole_numbers
    >>> whole_numbers([[0.5, -1.0, 0.25]]).tolist()
    [[1024, -2047, 512]]
    """
    try:
        V = np.asarray(V)
        if V.ndim == 1 and V.dtype == object:  # a column of a data frame
            V = V.tolist()
        V = np.atleast_2d(np.asarray(V, dtype=np.float64))
    except OverflowError as error:  # of Python's integers
        raise BadParameter("A number of a vector is not finite.", "V") from error
    except (TypeError, ValueError) as error:
        told = "V must be a table of numbers, as many in each row, and not sparse."
        raise BadParameter(told, "V") from error
    if V.ndim > 2 or not 0 < V.shape[1] <= MOST_NUMBERS:
        raise BadParameter(f"A vector has 1 to {MOST_NUMBERS:,} numbers; not {V.shape[-1]:,}.", "V")
    largest = np.abs(V).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all():
        where = _named(np.isfinite(largest).argmin(), len(V))
        raise BadParameter(f"A number of {where} is not finite.", "V")
    if not largest.all():
        where = _named(largest.argmin(), len(V)).capitalize()
        raise BadParameter(f"{where} is 0 throughout: it has no direction.", "V")
    # In two steps, as the inverse of a tiny number would be infinite.
    return np.rint(V / largest * _LARGEST).astype(np.int16)


def _named(place, n_vectors):
    return "a vector" if n_vectors == 1 else f"vector {place}"


def length_of_code(code):
    """Return how many numbers the vector of a code of :func:`vector_codes` has; None: it has none.

    Examples
    --------
    >>> from core.text.vector_coding import length_of_code, vector_codes
    >>> [length_of_code(code) for code in [*vector_codes([[0.1, 0.7]]), None]]
    [2, None]
    """
    return None if code is None else int(code.partition(":")[0])


def words_of(code):
    """Return the words of a code of :func:`vector_codes`, parted by blanks."""
    n_numbers, _, letters = code.partition(":")
    words = bytearray(_words_without_letters(n_numbers))
    length = len(words) // N_WORDS + 1
    words[length - 2 :: length] = letters.encode()
    return words.decode()


def with_words(text, code):
    """Return a text with the words of a code on a line of their own; None: without."""
    return text if code is None else f"{text}\n{words_of(code)}"


def without_words(text):
    """Return a text of :func:`with_words` as it was."""
    return _WORDS.sub("", text)


def takes_words(counter):
    """Tell whether a TokenCounter finds words of vectors: not if it looks for other tokens."""
    reading = reading_of(counter)
    words = ["vec384x000a", "vec384x0014"]
    found = make_analyzer(reading)(f"text\n{' '.join(words)}")
    return reading.analyzer == "word" and set(words) <= set(found)


def length_of(term):
    """Return how many numbers the vector has that a term is a word of, as a str."""
    return _WORD.search(term)[1]


def length_behind(text):
    """Return how many numbers the vector of a text of :func:`with_words` has; None: it has none."""
    found = _WORDS.match(text, text.rfind("\nvec"))
    return found and int(found[1])


def lengths_in(terms):
    """Return how many numbers the vectors have that terms are words of.

    Parameters
    ----------
    terms : sequence of str
        ``terms_`` of a TokenCounter.

    Returns
    -------
    set of int

    Examples
    --------
    >>> from core.text.vector_coding import lengths_in
    >>> lengths_in(["red", "vec384x000a", "vec384x001c", "vector"])
    {384}
    """
    if isinstance(terms, HashNames):
        return set()
    # They are in alphabetical order.
    like_words = terms[bisect_left(terms, "vec0") : bisect_left(terms, "vec:")]
    return {int(word[1]) for word in map(_WORD.fullmatch, like_words) if word}


def word_places(terms):
    """Return which terms, by their places, are words of vectors or sequences that have one.

    Parameters
    ----------
    terms : sequence of str
        Of a TokenCounter: ``terms_``, or some of them. Made names of hashed terms are none.

    Returns
    -------
    ndarray of int of shape (n_found,)
        Ascending.

    Examples
    --------
    >>> from core.text.vector_coding import word_places
    >>> word_places(["red", "red vec384x000a", "vec384x000a", "vector"]).tolist()
    [1, 2]
    """
    if isinstance(terms, HashNames):
        return np.empty(0, dtype=np.intp)
    if not isinstance(terms, PackedTerms):
        return np.flatnonzero([any(map(_WORD.fullmatch, term.split(" "))) for term in terms])
    if "words_of_vectors" not in terms.notes:
        terms.notes["words_of_vectors"] = _places_in(terms)
    return terms.notes["words_of_vectors"]


def _places_in(terms):
    # Most collections have none, and their terms need not be looked through.
    if not lengths_in(terms):
        return np.empty(0, dtype=np.intp)
    text, bounds = terms.text, terms.bounds
    spans = np.array([found.span() for found in _WORD_IN_BYTES.finditer(text.tobytes())])
    begins, ends = spans.T
    places = np.searchsorted(bounds, begins, side="right") - 1
    is_whole = ((begins == bounds[places]) | (text[begins - 1] == _BLANK)) & (
        (ends == bounds[places + 1]) | (text[ends] == _BLANK)
    )
    return np.unique(places[is_whole])


@cache
def _words_without_letters(n_numbers):
    return " ".join([f"vec{n_numbers}x{place:03d}?" for place in range(N_WORDS)]).encode()


def _directions(n_numbers):
    """Return random directions, the columns of whole numbers, the same each time."""
    with _LOCK:  # not by several threads at once: they take tens of megabytes
        return _made_directions(n_numbers)


@lru_cache(maxsize=2)
def _made_directions(n_numbers):
    # So large that no sum of products with numbers up to _LARGEST needs more bits than float32 has.
    largest = min(127, 2**24 // (_LARGEST * n_numbers))
    # RandomState draws the same numbers in each version of NumPy.
    random = np.random.RandomState(n_numbers)
    directions = np.empty((n_numbers, N_WORDS * N_DIRECTIONS), dtype=np.float32)
    for row in directions:
        drawn = np.rint(random.standard_normal(len(row)) * largest / 3)
        np.clip(drawn, -largest, largest, out=row, casting="same_kind")
    return directions
