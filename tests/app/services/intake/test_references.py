from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidRequest
from app.media_types import NBIB, PLAIN, RIS
from app.services.intake.intake import read_rows
from app.services.intake.options import Options
from app.services.intake.rows import Row, RowError

#: As Cochrane, Embase and others write: lines between references, two tags for one thing, empty
#: values, values of several lines, tags that nobody knows, and an end that is missing.
OF_DATABASES = b"""\
Record #1 of 2
Provider: John Wiley & Sons, Ltd

TY  - JOUR
ID  - 1
T1  - Floods in towns
TI  - Floods in towns
A1  - Fanning, E.
A1  - Oda, K.
N2  - Background: water stands
in the streets.

Methods: we looked.
KW  - *flood
KW  - town
XX  - unknown
and goes on
IS  - 9
SP  -
DO  - http://dx.doi.org/10.5555/ABC.17
UR  - http://example.com/a;b
ER  -

C1  - Database: Embase
Search Strategy:
TY  -  JOUR
TI  - No end
PY  - 2019
TY  - RPRT
AB  - No title.
ER  - 
"""  # noqa: W291  (as they write it)

OF_PUBMED = b"""
PMID- 12345678
OWN - NLM
TI  - A title that is long and
      goes on.
LID - S0140(20)1 [pii]
LID - 10.1016/J.cell.2020.01 [doi]
AB  - BACKGROUND: An abstract -
      it goes on, too.
FAU - Smith, John
AU  - Smith J
AU  - Doe JA
MH  - Floods/*statistics & numerical data
CIN - Lancet. 2020;1:2. PMID: 99

PMID- 12345679
TI  - Without an abstract
"""


def read(body: bytes, media_type: str, size: int = 7, **options: object) -> list[Row | RowError]:
    pieces = (body[i : i + size] for i in range(0, len(body), size))
    return list(
        read_rows(pieces, media_type=media_type, options=Options(10**6)._replace(**options))
    )


def rows(body: bytes, media_type: str, **options: object) -> list[Row]:
    found = read(body, media_type, **options)
    assert all(isinstance(row, Row) for row in found)
    return [row for row in found if isinstance(row, Row)]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_ris_as_databases_write_it_is_read(ending: bytes) -> None:
    first, second, third = rows(OF_DATABASES.replace(b"\n", ending), RIS)
    assert (
        first.text
        == "Floods in towns\nBackground: water stands\nin the streets.\nMethods: we looked."
    )
    assert first.metadata == {
        "type_of_reference": "JOUR",
        "reference_id": "1",
        "first_authors": ["Fanning, E.", "Oda, K."],
        "keywords": ["*flood", "town"],
        "number": "9",
        "doi": "10.5555/abc.17",
        "urls": ["http://example.com/a;b"],
    }
    assert (second.text, second.metadata) == (
        "No end",
        {"type_of_reference": "JOUR", "year": "2019"},
    )
    assert third.text == "No title."
    assert [row.position for row in (first, second, third)] == [4, 26, 29]
    assert not first.has_own_id


def test_pubmed_has_ids_and_lines_that_go_on() -> None:
    first, second = rows(OF_PUBMED, NBIB)
    assert (first.position, first.own_id, second.own_id) == (2, "12345678", "12345679")
    assert first.text == (
        "A title that is long and goes on.\nBACKGROUND: An abstract - it goes on, too."
    )
    assert first.metadata == {
        "authors": ["Smith J", "Doe JA"],
        "subject_headings": ["Floods/*statistics & numerical data"],
        "doi": "10.1016/j.cell.2020.01",
    }
    assert (second.text, second.metadata) == ("Without an abstract", None)


def test_other_fields_are_text_and_id_where_they_are_named() -> None:
    options = {"text_columns": ["title", "keywords"], "id_column": "doi"}
    first, second = rows(OF_DATABASES[: OF_DATABASES.index(b"TY  - RPRT")], RIS, **options)
    assert (first.own_id, first.text) == ("10.5555/abc.17", "Floods in towns\n*flood; town")
    assert first.metadata is not None
    assert first.metadata["abstract"].startswith("Background")
    # Not every reference has one: it gets an id of its text, as a cell that is empty does.
    assert second.own_id is None

    (only, _) = rows(OF_PUBMED, NBIB, id_column="doi")
    assert only.own_id == "10.1016/j.cell.2020.01"
    assert only.metadata is not None
    assert only.metadata["pmid"] == "12345678"


@pytest.mark.parametrize(
    ("media_type", "options", "pointer"),
    [
        (RIS, {"text_columns": ["Title"]}, "?text_column"),
        (RIS, {"id_column": "pmid"}, "?id_column"),
        (NBIB, {"id_column": "reference_id"}, "?id_column"),
    ],
)
def test_a_field_that_none_has_is_refused(
    media_type: str, options: dict[str, object], pointer: str
) -> None:
    with pytest.raises(InvalidRequest, match=r"have no field .*; they may have: .*title") as caught:
        read(OF_DATABASES, media_type, **options)
    assert caught.value.errors[0]["pointer"] == pointer


def test_numbers_of_references_are_told_to_be_no_ids() -> None:
    warnings: list[str] = []
    rows(OF_DATABASES, RIS, warn=warnings.append)
    assert all("'reference_id' was kept as metadata" in warning for warning in warnings)
    assert len(warnings) == 1
    rows(OF_PUBMED, NBIB, warn=warnings.append)
    assert len(warnings) == 1


def errors(found: Sequence[Row | RowError]) -> list[tuple[int, str]]:
    return [(row.position, row.code) for row in found if isinstance(row, RowError)]


def test_what_cannot_be_read_is_refused_alone() -> None:
    body = (
        b"TY  - JOUR\nDO  - 10.5555/1\nER  - \n"
        b"TY  - JOUR\nTI  - K\xf6ln\nER  - \n"
        b"TY  - JOUR\nTI  - " + b"long " * 700_000 + b"\nER  - \n"
        b"TY  - JOUR\nAB  - " + b"\nlong" * 900_000 + b"\nER  - \n"
        b"TY  - JOUR\nTI  - good\nER  - \n"
    )
    found = read(body, RIS, size=2**16)
    assert errors(found) == [
        (1, "empty_text"),
        (4, "invalid_unicode"),
        (7, "text_too_long"),
        (10, "row_too_long"),
    ]
    assert isinstance(found[0], RowError)
    assert found[0].reason == "The reference has no title and no abstract."
    assert isinstance(found[-1], Row)
    assert found[-1].text == "good"


@pytest.mark.parametrize("media_type", [RIS, NBIB])
def test_a_file_without_references_is_refused_and_an_empty_one_is_empty(media_type: str) -> None:
    with pytest.raises(InvalidRequest, match=r"There are no references: in .* each begins with"):
        read(b"id,text\n1,water\n", media_type)
    assert read(b"\n \n", media_type) == []


@pytest.mark.parametrize(
    ("body", "suffix"), [(OF_PUBMED, ".nbib"), (b"TY  - JOUR\nTI  - a\n", ".ris")]
)
def test_references_are_no_lines_of_text(body: bytes, suffix: str) -> None:
    with pytest.raises(InvalidRequest, match=f"This looks like references.* in {suffix}"):
        read(body, PLAIN)


LINES = st.lists(
    st.one_of(
        st.sampled_from(["TY  - JOUR", "PMID- 1", "ER  - ", "TI  - a", "AB  - b", "SP  -", ""]),
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8),
        st.builds("{}  - {}".format, st.sampled_from(["TI", "XX", "DO", "KW", "UK"]), st.text()),
    )
)


@pytest.mark.parametrize("media_type", [RIS, NBIB])
@given(lines=LINES, size=st.integers(1, 9))
def test_whatever_the_lines_are_each_reference_is_told_once(
    media_type: str, lines: list[str], size: int
) -> None:
    body = "\n".join(lines).encode()
    start = {RIS: "TY  -", NBIB: "PMID-"}[media_type]
    begun = [n for n, line in enumerate(body.decode().split("\n"), 1) if line.startswith(start)]
    if not begun and body.strip():
        with pytest.raises(InvalidRequest):
            read(body, media_type, size)
    else:
        assert [row.position for row in read(body, media_type, size)] == begun
