import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidRequest, UnreadableBody
from app.services.intake.json_elements import MAX_DEPTH, json_elements

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('a"\\[]{},: é\U0001f600\n'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('k"\\]}'), inner),
    max_leaves=8,
)


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[i : i + size] for i in range(0, len(data), size))


def split(data: bytes, size: int = 3, max_bytes: int = 1000) -> tuple[str, list[bytes | None]]:
    key, elements = json_elements(pieces(data, size), max_bytes=max_bytes)
    return key, list(elements)


def parsed(elements: list[bytes | None]) -> list[Any]:
    return [json.loads(element or b"") for element in elements]


@given(
    values=st.lists(JSON_VALUES, max_size=5),
    size=st.integers(1, 40),
    is_ascii=st.booleans(),
    indent=st.sampled_from([None, 1]),
    # Longer than what is looked at for the beginning, so that elements are cut, too.
    start=st.sampled_from([0, 5000]),
)
def test_elements_are_those_of_the_list_however_the_body_is_cut(
    values: list[Any], size: int, is_ascii: bool, indent: int | None, start: int
) -> None:
    values = ["x" * start, *values]
    body = json.dumps(values, ensure_ascii=is_ascii, indent=indent).encode()
    key, elements = split(body, size, max_bytes=10_000)
    assert key == "documents"
    assert parsed(elements) == values


@pytest.mark.parametrize("name", ["documents", "ids"])
def test_a_list_may_stand_in_an_object(name: str) -> None:
    body = b' { "' + name.encode() + b'" : [1, 2 ] } \n'
    key, elements = split(body)
    assert (key, parsed(elements)) == (name, [1, 2])


@pytest.mark.parametrize("body", [b"[]", b" [ ] ", b'{"documents":[]}'])
def test_an_empty_list_has_no_elements(body: bytes) -> None:
    assert split(body)[1] == []


def test_what_stands_between_commas_is_an_element_even_if_nothing_does() -> None:
    assert split(b"[1,,2,]")[1] == [b"1", b"", b"2", b""]


def test_a_malformed_element_is_passed_on_alone() -> None:
    assert split(b'[{"text":"a"],nonsense,"\xff"]')[1] == [b'{"text":"a"]', b"nonsense", b'"\xff"']


def test_an_element_that_is_too_long_is_left_out_alone() -> None:
    long_one = json.dumps("x" * 9000).encode()
    elements = split(b"[1, " + long_one + b", 2, " + long_one + b"]", size=100)[1]
    assert elements == [b"1", None, b" 2", None]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[", b"[1", b'["', b'["\\', b"[1,", b"nonsense", b"\xff"),
        *(b"[1]]", b"[1}", b"[1] 2", b'{"ids":[1]', b'{"ids":[1]]'),
    ],
)
def test_a_body_that_is_cut_off_or_not_json_or_does_not_end_well_is_unreadable(body: bytes) -> None:
    with pytest.raises(UnreadableBody):
        split(body)


def test_a_body_is_given_up_where_an_element_nests_too_deep() -> None:
    deep = b"[" * 1000 + b"]" * 1000
    assert split(b"[" + deep + b"]", max_bytes=10_000)[1] == [deep]
    endless = itertools.chain([b"["], itertools.repeat(b'{"a": [' * 1000, MAX_DEPTH))
    with pytest.raises(UnreadableBody, match="1,000,000 levels"):
        list(json_elements(endless, max_bytes=1000)[1])
    assert any(endless)  # the rest is not read


@pytest.mark.parametrize("body", [b"{", b'{"ids": ', b'{"documents" [1]}', b'{"text": "a"} {}'])
def test_an_object_that_is_not_json_is_unreadable(body: bytes) -> None:
    with pytest.raises(UnreadableBody, match=r"not JSON: .+\. Expected a list"):
        split(body)


def test_a_long_object_of_another_shape_is_told_by_its_start() -> None:
    with pytest.raises(InvalidRequest, match="Expected a list"):
        split(b'{"texts": "' + b"x" * 9000 + b'"}')
    with pytest.raises(InvalidRequest, match="Expected a list"):
        split(b'{"a": ' + b"[" * 3000 + b"]" * 3000 + b"}", size=10_000)


@pytest.mark.parametrize(
    "body",
    [b"5", b"9" * 5000, b'"text"', b"{}", b'{"text": "a"}', b'{"ids": 5}', b"null"],
)
def test_json_of_another_shape_is_not_valid(body: bytes) -> None:
    with pytest.raises(InvalidRequest, match="Expected a list"):
        split(body)


def test_a_second_member_is_not_valid() -> None:
    with pytest.raises(InvalidRequest, match="only member"):
        split(b'{"documents": [1], "ids": [2]}')
