import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernels.tokens.hash import MARGIN
from core.kernels.tokens.packed_terms import PackedTerms

ANY = st.text(st.characters(exclude_categories=()))


@given(st.lists(ANY), st.slices(8))
def test_packed_terms_are_like_a_list(strings: list[str], part: slice) -> None:
    packed = PackedTerms.of(strings)
    assert packed == strings
    assert list(packed) == [packed[i] for i in range(len(strings))] == strings
    assert packed[part] == strings[part]
    assert packed == PackedTerms.checked(packed.text, packed.bounds)
    assert repr(packed) == repr(strings)
    assert pickle.loads(pickle.dumps(packed)) == packed


def test_what_is_not_there_is_an_index_error() -> None:
    packed = PackedTerms.of(["bed", "seed"])
    assert (packed[-2], packed[np.int64(1)]) == ("bed", "seed")
    for index in (2, -3):
        with pytest.raises(IndexError):
            packed[index]


def test_terms_differ_by_their_strings_and_by_where_they_end() -> None:
    assert PackedTerms.of(["ab", "c"]) != PackedTerms.of(["a", "bc"])
    assert PackedTerms.of(["a"]) != ["b"]
    assert PackedTerms.of(["a"]) != "a"


def bounds(*places: int) -> np.ndarray:
    return np.array(places, dtype=np.int64)


TEXT = np.frombuffer("fluß".encode() + bytes(MARGIN), dtype=np.uint8)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (TEXT, bounds(0, 2, 6)),
        (TEXT, bounds(0, 2, 4)),
        (TEXT, bounds(1, 5)),
        (TEXT, bounds(0, 3, 2, 5)),
        (TEXT, bounds(-1, 5)),
        (TEXT, bounds(0, 4, 5)),
        (TEXT, bounds()),
        (TEXT, bounds(0, 5).astype(np.int32)),
        (TEXT, bounds(0, 5)[:, None]),
        (TEXT.astype(np.int8), bounds(0, 5)),
        (TEXT[:-1], bounds(0, 5)),
        (np.frombuffer(b"\xff" + bytes(MARGIN), dtype=np.uint8), bounds(0, 1)),
    ],
)
def test_arrays_that_are_no_terms_are_refused(text: np.ndarray, places: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"term|utf-8"):
        PackedTerms.checked(text, places)


def test_an_empty_term_is_one() -> None:
    packed = PackedTerms.of(["", "a", ""])
    assert PackedTerms.checked(packed.text, packed.bounds) == ["", "a", ""]
