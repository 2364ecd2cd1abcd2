from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from app.document_sizes import MAX_VECTOR_NUMBERS, VECTOR_CODE_CHARACTERS
from core.errors import BadParameter
from core.explanation import VECTOR, explain_texts, top_terms
from core.pipeline import make_text_classifier
from core.text import TokenCounter, vector_words
from core.text.vector_coding import (
    MOST_NUMBERS,
    N_DIRECTIONS,
    N_WORDS,
    _directions,
    takes_words,
    vector_codes,
    whole_numbers,
    with_words,
    without_words,
    word_places,
    words_of,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def drawn(n_vectors: int, n_numbers: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((n_vectors, n_numbers))


@pytest.mark.parametrize("n_numbers", [1, 2, 50, 384, MOST_NUMBERS])
def test_a_word_names_the_direction_of_the_largest_product(n_numbers: int) -> None:
    whole = whole_numbers(drawn(3, n_numbers))
    # Python's integers have all the digits there are.
    directions = _directions(n_numbers).astype(int).T.tolist()
    for vector, code in zip(whole.tolist(), vector_codes(whole), strict=True):
        products = [sum(map(int.__mul__, vector, direction)) for direction in directions[:64]]
        for word in range(2):
            of_word = products[word * N_DIRECTIONS : (word + 1) * N_DIRECTIONS]
            letter = LETTERS[of_word.index(max(of_word))]
            assert words_of(code).split()[word] == f"vec{n_numbers}x00{word}{letter}"


@pytest.mark.parametrize("n_numbers", [1, 384, MOST_NUMBERS])
def test_no_sum_needs_more_digits_than_float32_has(n_numbers: int) -> None:
    largest = 2047 * np.abs(_directions(n_numbers)).sum(axis=0).max()
    assert largest <= 2**24


def test_only_the_direction_matters() -> None:
    V = drawn(5, 30)
    assert vector_codes(V * 1e-300) == vector_codes(V) == vector_codes(V * 7e200)


def test_each_vector_has_its_words_whatever_is_beside_it() -> None:
    V = drawn(1100, 40)
    assert [vector_codes(v)[0] for v in V[::100]] == vector_codes(V)[::100]


def test_words_in_common_grow_with_the_cosine() -> None:
    a, b = drawn(2, 300)
    b -= a * (a @ b) / (a @ a)
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    cosines = np.array([1, 0.95, 0.8, 0.5, 0, -1])
    V = cosines[:, None] * a + np.sqrt(1 - cosines**2)[:, None] * b
    first, *others = [set(words.split()) for words in vector_words(V)]
    shared = [len(first & other) for other in others]
    assert shared == sorted(shared, reverse=True)
    # By chance, 1 of 32; of what points the other way none, but for ties.
    assert shared[-2] <= 3 * N_WORDS / N_DIRECTIONS
    assert shared[-1] == 0


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ([0.0, 0.0], "A vector is 0 throughout"),
        ([np.nan, 1.0], "not finite"),
        ([np.inf, 1.0], "not finite"),
        ([10**400, 1.0], "not finite"),
        ([], "1 to 4,096 numbers; not 0"),
        ([1.0] * (MOST_NUMBERS + 1), "1 to 4,096 numbers; not 4,097"),
    ],
)
def test_what_has_no_direction_is_refused(vector: list[float], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        vector_words([vector])


@pytest.mark.parametrize("fault", [0.0, np.nan])
def test_which_of_many_vectors_is_at_fault_is_told(fault: float) -> None:
    V = drawn(5, 3)
    V[[3, 4]] = fault
    with pytest.raises(BadParameter, match=r"[Vv]ector 3 is"):
        vector_words(V)


@pytest.mark.parametrize("a_row", [list, np.array])
def test_a_column_of_a_data_frame_has_a_vector_in_each_row(a_row: Callable[..., Any]) -> None:
    V = drawn(5, 3)
    column = np.empty(5, dtype=object)
    column[:] = [a_row(row) for row in V.tolist()]
    assert vector_words(column) == vector_words(V)


COLUMN_WITH_A_GAP = np.array([[1.0, 2.0], None], dtype=object)


@pytest.mark.parametrize(
    "V", [[[1.0, 2.0], [1.0]], [["a"]], csr_array(np.eye(3)), COLUMN_WITH_A_GAP]
)
def test_what_is_no_table_of_numbers_is_refused(V: object) -> None:
    with pytest.raises(BadParameter, match="as many in each row"):
        vector_words(V)


def test_words_come_off_a_text_as_they_were_put_there() -> None:
    code = vector_codes(drawn(1, 384))[0]
    text = "two\nlines vec384x000a"
    assert without_words(with_words(text, code)) == text
    assert with_words(text, None) == text
    assert without_words(text) == text


def test_what_the_service_keeps_has_room() -> None:
    assert MAX_VECTOR_NUMBERS == MOST_NUMBERS
    assert len(vector_codes(np.ones((1, MOST_NUMBERS)))[0]) <= VECTOR_CODE_CHARACTERS


def test_a_counter_counts_each_word_once() -> None:
    words = vector_words(drawn(1, 384))[0]
    counter = TokenCounter(marks=True, cjk="bigrams")
    counts = counter.fit_transform([f"vector vec12 vecchio zebra\n{words}"])
    assert set(counter.terms_) == {"vector", "vec12", "vecchio", "zebra", *words.split()}
    assert (counts.toarray() == 1).all()
    found = [counter.terms_[place] for place in word_places(counter.terms_)]
    assert found == sorted(words.split())


@pytest.mark.parametrize(
    ("counter", "takes"),
    [
        (TokenCounter(), True),
        (TokenCounter(ngram_range=(1, 2), n_features=64, stop_words="english"), True),
        (TokenCounter(analyzer="char"), False),
        (TokenCounter(token_pattern=r"[a-z]+"), False),
        (TokenCounter(token_pattern=r"(?u)\b\w+\b"), True),
        (TokenCounter(token_pattern=r"\b([a-z0-9]{3,})\b"), True),
        (TokenCounter(token_pattern=r"[^ ]+"), False),
        # Pairs alone would be of a word and whatever stands beside it.
        (TokenCounter(ngram_range=(2, 2)), False),
    ],
)
def test_other_tokens_are_not_mixed_with_words_of_vectors(
    counter: TokenCounter, takes: bool
) -> None:
    assert takes_words(counter) is takes


def test_an_explanation_takes_the_vector_as_one_and_words_alone_are_the_models() -> None:
    V = drawn(2, 20)[[0, 0, 1, 1]]
    texts = ["red apple", "green apple", "fast car", "old car"]
    texts = [f"{text}\n{words}" for text, words in zip(texts, vector_words(V), strict=True)]
    pipeline = make_text_classifier("naive_logistic_regression").fit(texts, [1, 1, 0, 0])
    (explained,) = explain_texts(pipeline, texts[:1], n_terms=3)
    assert [term for term, _ in explained] == [VECTOR, "apple", "red"]
    X = pipeline[:-1].transform(texts[:1])
    places = word_places(pipeline["counts"].terms_)
    of_vector = pipeline[-1].explain(X).toarray()[0, places].sum()
    assert dict(explained)[VECTOR] == pytest.approx(of_vector)
    for terms in top_terms(pipeline):
        assert {term for term, _ in terms} <= {"red", "apple", "green", "fast", "old", "car"}


def test_sequences_with_a_word_of_a_vector_are_found_among_others() -> None:
    words = vector_words(drawn(1, 20))[0].split()[:2]
    counter = TokenCounter(ngram_range=(1, 2))
    counter.fit([f"xvec20x000a vec20x000ab red {words[0]} {words[1]} apple"])
    found = [counter.terms_[place] for place in word_places(counter.terms_)]
    pairs = [f"red {words[0]}", f"{words[0]} {words[1]}", f"{words[1]} apple"]
    assert found == sorted([*words, *pairs])
    assert word_places(list(counter.terms_)).tolist() == word_places(counter.terms_).tolist()


def test_hashed_terms_are_no_words() -> None:
    counter = TokenCounter(n_features=8).fit([vector_words(drawn(1, 3))[0]])
    assert not len(word_places(counter.terms_))
