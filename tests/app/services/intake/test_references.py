import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidRequest, UnreadableBody
from app.media_types import NBIB, PLAIN, RIS
from app.services.intake.intake import read_rows
from app.services.intake.options import Options
from app.services.intake.reference_formats import FORMATS, told_format
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
CN  - Group for long
      names
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


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_ris_as_databases_write_it_is_read(ending: bytes) -> None:
    first, second, third = rows(OF_DATABASES.replace(b"\n", ending), RIS)
    assert (
        first.text
        == "Floods in towns\nBackground: water stands\nin the streets.\nMethods: we looked."
    )
    assert first.metadata == {
        "title": "Floods in towns",
        "authors": "Fanning, E.; Oda, K.",
        "doi": "10.5555/abc.17",
        "type_of_reference": "JOUR",
        "reference_id": "1",
        "keywords": "*flood; town",
        "number": "9",
        "urls": "http://example.com/a;b",
    }
    assert (second.text, second.metadata) == (
        "No end",
        {"title": "No end", "year": "2019", "type_of_reference": "JOUR"},
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
        "title": "A title that is long and goes on.",
        "authors": "Smith, John; Doe JA; Group for long names",
        "doi": "10.1016/j.cell.2020.01",
        "pmid": "12345678",
        "subject_headings": "Floods/*statistics & numerical data",
    }
    assert second.text == "Without an abstract"
    assert second.metadata == {"title": "Without an abstract", "pmid": "12345679"}


def test_other_fields_are_text_and_id_where_they_are_named() -> None:
    options = {"text_columns": ["title", "keywords"], "id_column": "doi"}
    first, second = rows(OF_DATABASES[: OF_DATABASES.index(b"TY  - RPRT")], RIS, **options)
    assert (first.own_id, first.text) == ("10.5555/abc.17", "Floods in towns\n*flood; town")
    assert first.metadata is not None
    assert first.metadata["abstract"].startswith("Background")
    assert first.metadata["title"] == "Floods in towns"
    # Not every reference has one: it gets an id of its text, as a cell that is empty does.
    assert second.own_id is None


@pytest.mark.parametrize(
    "told",
    [
        b"DO  - 10.1000/ABC",
        b"DO  - doi:10.1000/abc.",
        b"DO  - DOI 10.1000/abc;",
        b"DO  - https://doi.org/10.1000%2Fabc",
        b"UR  - https://example.org/10.1000/other/full\nUR  - http://dx.doi.org/10.1000/abc,",
        b"M3  - doi: 10.1000/abc",
    ],
)
def test_a_doi_is_one_id_however_it_is_written(told: bytes) -> None:
    (row,) = rows(b"TY  - JOUR\nTI  - a\n" + told + b"\nER  - \n", RIS, id_column="doi")
    assert row.own_id == "10.1000/abc"
    assert row.metadata is not None
    assert row.metadata["doi"] == "10.1000/abc"


def test_signs_of_a_doi_stay_and_what_is_none_is_no_id() -> None:
    body = (
        b"TY  - JOUR\nTI  - a\nDO  - 10.1002/(SICI)10(19)17:15&lt;1661::AID&gt;3.0.CO;2-2\nER  - \n"
        b"TY  - JOUR\nTI  - b\nDO  - not given\nUR  - https://example.org/10.1000/b\nER  - \n"
    )
    with_doi, without = rows(body, RIS, id_column="doi")
    assert with_doi.own_id == "10.1002/(sici)10(19)17:15<1661::aid>3.0.co;2-2"
    assert without.own_id is None
    assert without.metadata is not None
    assert without.metadata["doi_as_written"] == "not given"


def test_references_without_a_doi_are_told() -> None:
    warnings: list[str] = []
    first, second = rows(OF_PUBMED, NBIB, id_column="doi", warn=warnings.append)
    assert (first.own_id, second.own_id) == ("10.1016/j.cell.2020.01", "12345679")
    rows(OF_DATABASES, RIS, id_column="doi", warn=warnings.append)
    assert len(warnings) == 3
    (warning,) = set(warnings)
    assert warning.startswith("Some references have no 'doi': their ids are PubMed's numbers, or")


def test_numbers_of_references_are_never_told_to_be_ids() -> None:
    warnings: list[str] = []
    rows(OF_DATABASES, RIS, warn=warnings.append)
    rows(OF_PUBMED, NBIB, warn=warnings.append)
    assert warnings == []
    for name in ("ID", "id", "reference id"):
        with pytest.raises(InvalidRequest) as caught:
            read(OF_DATABASES, RIS, id_column=name)
        assert "reference_id" not in caught.value.detail


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("second", "position"),
    [
        (b"\n" + MARK + b"TY  - JOUR\nTI  - two\nAB  - far\nER  - \n", 4),
        (b"TY  - JOUR\nTI  - two\nAB  - far\nER  - \n", 3),
        (MARK + b"TY  - JOUR\r\nTI  - two\r\nAB  - far\r\nER  - \r\n", 3),
        (b"\n  TY  - JOUR\n  TI  - two\n  AB  - far\n  ER  - \n", 4),
        (b"\nTY - JOUR\nTI - two\nAB - far\nER -\n", 4),
    ],
)
def test_ris_files_that_were_put_together_lose_nothing(second: bytes, position: int) -> None:
    third = b"TY  - JOUR\nTI  - three\nAB  - a\nER - positive\nER  - \n"
    first = MARK + b"TY  - JOUR\nTI  - one\nER  -"
    found = rows(first + second + third, RIS)
    assert [row.text for row in found] == ["one", "two\nfar", "three\na\nER - positive"]
    assert [row.position for row in found[:2]] == [1, position]
    assert all(row.metadata and row.metadata["type_of_reference"] == "JOUR" for row in found)


def test_pubmed_files_that_were_put_together_lose_nothing() -> None:
    body = b"PMID- 1\nTI  - one\n" + MARK + b"PMID- 2\nTI  - two\n"
    assert [(row.own_id, row.text) for row in rows(body, NBIB)] == [("1", "one"), ("2", "two")]


def only(told: str, media_type: str = RIS) -> Row:
    begins = {RIS: "TY  - JOUR\n", NBIB: "PMID- 1\n"}[media_type]
    (row,) = rows((begins + told).encode(), media_type)
    return row


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("T2  - The journal\nTI  - The title", "The title"),
        ("T2  - The book\nT1  - The title", "The title"),
        ("BT  - The book", "The book"),
        ("CT  - The talk\nST  - Talk", "The talk"),
        ("ST  - Short", "Short"),
        ("T2  - The journal", "The journal"),
        ("T1  - Floods in Towns.\nTI  - Floods in towns", "Floods in towns"),
        ("TI  - a\nN2  - Water\nstands.\nAB  - Water stands.", "a\nWater stands."),
        ("TI  - a\nN2  - Water stands.\nAB  - [No abstract available]", "a\nWater stands."),
        ("TI  - a\nAB  - [No abstract available]", "a"),
        (
            "TI  - <i>E. coli</i> in H<sub>2</sub>O &amp; ice: p &lt; 5",
            "E. coli in H2O & ice: p < 5",
        ),
        ("TI  - a\nAB  - &lt;p&gt;Aims&lt;/p&gt;<p>None</p>", "a\nAims None"),
    ],
)
def test_the_text_is_told_once_wherever_it_stands(told: str, text: str) -> None:
    row = only(told)
    assert row.text == text
    assert row.metadata is not None
    doubled = {"primary_title", "book_title", "conference_title", "notes_abstract", "abstract"}
    assert doubled.isdisjoint(row.metadata)
    assert row.metadata["title"] == text.split("\n")[0]


def test_what_pubmed_has_not_available_is_nothing() -> None:
    row = only("TI  - [Not Available].\nTT  - Hochwasser.\nAB  - No abstract available.", NBIB)
    assert row.text == "Hochwasser."


@pytest.mark.parametrize(
    ("media_type", "told"),
    [
        (
            RIS,
            "T1  - A\nA1  - Oda, K.\nA1  - Li, M.\nY1  - 2020/03/01/\nJO  - Nature\nVL  - 2\n"
            "IS  - 3\nSP  - 1\nEP  - 9\nKW  - ice\nKW  - rain\nDO  - 10.1000/a",
        ),
        (
            RIS,
            "TI  - A\nAU  - Oda, K.\nAU  - Li, M.\nPY  - 2020\nDA  - 2020/03/01/\nT2  - Nature\n"
            "VL  - 2\nIS  - 3\nSP  - 1-9\nKW  - ice\nKW  - rain\nUR  - https://doi.org/10.1000/A",
        ),
        (
            NBIB,
            "TI  - A\nAU  - Oda, K.\nAU  - Li, M.\nDP  - 2020 Mar 1\nJT  - Nature\nVI  - 2\n"
            "IP  - 3\nPG  - 1-9\nOT  - ice\nOT  - rain\nAID - 10.1000/a [doi]",
        ),
    ],
)
def test_fields_are_called_alike_whatever_the_database(media_type: str, told: str) -> None:
    metadata = only(told, media_type).metadata
    expected = {
        "title": "A",
        "authors": "Oda, K.; Li, M.",
        "year": "2020",
        "journal": "Nature",
        "doi": "10.1000/a",
        "keywords": "ice; rain",
        "volume": "2",
        "number": "3",
        "pages": "1-9",
    }
    assert metadata is not None
    assert metadata | expected == metadata


def test_what_says_more_is_kept() -> None:
    row = only(
        "TI  - Ice\nT2  - Ice\nJO  - J. Ice\nPY  - 2020/05//\nDA  - 2020/03/01\nAB  - Water\n"
        "N2  - Wasser\nSP  - e5\nUR  - https://doi.org/10.1000/a\nM3  - Article"
    )
    assert row.text == "Ice\nWater"
    assert row.metadata == {
        "title": "Ice",
        "year": "2020",
        "journal": "J. Ice",
        "doi": "10.1000/a",
        "pages": "e5",
        "type_of_reference": "JOUR",
        "year_as_written": "2020/05//",
        "date": "2020/03/01",
        "notes_abstract": "Wasser",
        "urls": "https://doi.org/10.1000/a",
        "type_of_work": "Article",
    }


@pytest.mark.parametrize(
    ("media_type", "options", "pointer", "meant"),
    [
        (RIS, {"text_columns": ["Title"]}, "?text_column", "title"),
        (RIS, {"text_columns": ["title", "T1"]}, "?text_column", "title"),
        (RIS, {"text_columns": ["JF"]}, "?text_column", "journal"),
        (RIS, {"id_column": "DO"}, "?id_column", "doi"),
        (RIS, {"id_column": "DOI"}, "?id_column", "doi"),
        (NBIB, {"id_column": "PMID"}, "?id_column", "pmid"),
        (NBIB, {"text_columns": ["MH"]}, "?text_column", "subject_headings"),
        (NBIB, {"id_column": "reference_id"}, "?id_column", None),
        (RIS, {"id_column": "pmid"}, "?id_column", None),
    ],
)
def test_a_field_that_none_has_is_refused(
    media_type: str, options: dict[str, object], pointer: str, meant: str | None
) -> None:
    match = r"have no field .*; they mostly have: title, abstract, authors.*, pages\."
    with pytest.raises(InvalidRequest, match=match) as caught:
        read(OF_DATABASES, media_type, **options)
    assert caught.value.errors[0]["pointer"] == pointer
    hint = "pages." if meant is None else f"pages. Did you mean {meant!r}?"
    assert caught.value.detail.endswith(hint)


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
    assert isinstance(found[3], RowError)
    assert found[3].reason.endswith("Send a part of it, or raise SEEDBED_MAX_DOCUMENT_BYTES.")
    assert isinstance(found[-1], Row)
    assert found[-1].text == "good"


@pytest.mark.parametrize("media_type", [RIS, NBIB])
def test_a_file_without_references_is_refused_and_an_empty_one_is_empty(media_type: str) -> None:
    with pytest.raises(InvalidRequest, match=r"There are no references: in .* each begins with"):
        read(b"id,text\n1,water\n", media_type)
    assert read(b"\n \n", media_type) == []


OF_WEB_OF_SCIENCE = MARK + b"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI A\nER\n\nEF\n"
OF_BIBTEX = b"% made by Mendeley\n\n@article{Oda2020,\n  title = {A},\n}\n"
OF_ENDNOTE = b"%0 Journal Article\n%T A\n%A Oda, K.\n"


@pytest.mark.parametrize("media_type", [RIS, NBIB, PLAIN])
@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            OF_WEB_OF_SCIENCE,
            "in Web of Science's own format, which is not read: export them as RIS",
        ),
        (b"PT J\nAU Oda, K\nTI A\nER\n", "in Web of Science's own format, which"),
        (OF_BIBTEX, "in BibTeX, which is not read: export them as RIS"),
        (OF_ENDNOTE, "in EndNote's own format, which is not read: export them as RIS"),
    ],
)
def test_references_that_are_not_read_are_told(media_type: str, body: bytes, told: str) -> None:
    with pytest.raises(InvalidRequest, match=f"This looks like references, {told}"):
        read(body, media_type)


OF_OVID = b"<1. >\nTY  - JOUR\nID  - 1\nTI  - a\nER  - \n"


@pytest.mark.parametrize(
    ("body", "media_type", "suffix"),
    [
        (OF_PUBMED, PLAIN, ".nbib"),
        (OF_PUBMED, RIS, ".nbib"),
        (b"TY  - JOUR\nTI  - a\n", PLAIN, ".ris"),
        (OF_OVID, PLAIN, ".ris"),
        (OF_OVID, NBIB, ".ris"),
        (b"a note\n" * 49 + OF_PUBMED[1:], PLAIN, ".nbib"),
    ],
)
def test_references_are_told_whose_format_is_another(
    body: bytes, media_type: str, suffix: str
) -> None:
    with pytest.raises(InvalidRequest, match=f"This looks like references.* in {suffix}"):
        read(body, media_type)


def test_lines_of_text_may_look_like_tags_or_be_behind_the_first_fifty() -> None:
    body = b"TY - thanks\nPT J is a plane\n@home {a}\n%0 of it\n" + b"a\n" * 46 + b"PMID- 1\n"
    assert len(rows(body, PLAIN)) == 51


def test_what_is_held_of_text_is_little_and_what_came_before_a_fault_is_read() -> None:
    taken = []

    def pieces() -> Iterator[bytes]:
        for n in range(4):
            taken.append(n)
            yield b"long " * 2**17 + b"\n"
        raise UnreadableBody("It ends too early.")

    found = read_rows(pieces(), media_type=PLAIN, options=Options(10**6))
    next(found)
    assert taken == [0, 1]
    with pytest.raises(UnreadableBody):
        list(found)

    def broken() -> Iterator[bytes]:
        yield b"one\ntwo\n"
        raise UnreadableBody("It ends too early.")

    found = read_rows(broken(), media_type=PLAIN, options=Options(10**6))
    assert [next(found).position, next(found).position] == [1, 2]
    with pytest.raises(UnreadableBody):
        next(found)


#: How references begin, also where files were put together.
STARTS = {
    RIS: ("TY  -", "TY -", "  TY  - JOUR", "\ufeffTY  -", "ER  -TY  -", "ER  - \ufeffTY - "),
    NBIB: ("PMID-", "\ufeffPMID-"),
}


def test_a_long_line_of_blanks_is_read_once() -> None:
    """Were each blank looked at again for each other one, this would take hours."""
    assert told_format(b"ER  -" + b" " * 2_000_000 + b"x") is None


@pytest.mark.parametrize(
    ("media_type", "start", "tag"),
    [(RIS, "TY  - JOUR", "TI  - "), (NBIB, "PMID- 1", "AB  - "), (NBIB, "PMID- 1", "OT  - ")],
)
def test_a_value_of_many_lines_is_not_copied_for_each_of_them(
    media_type: str, start: str, tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = FORMATS[media_type].parser
    add_tag, added = parser._add_tag, []

    def counted(record: dict[str, Any], *arguments: Any, **options: Any) -> None:
        added.append(arguments)
        add_tag(record, *arguments, **options)

    monkeypatch.setattr(parser, "_add_tag", counted)
    body = "\n".join([start, "T1  - a", "TI  - a", f"{tag}x", *["      y"] * 1000]).encode()
    (row,) = read(body, media_type)
    assert isinstance(row, Row)
    assert len(added) <= 3


LINES = st.lists(
    st.one_of(
        st.sampled_from([f"{start} JOUR" for starts in STARTS.values() for start in starts]),
        st.sampled_from(["ER  - ", "ER -", " ER  -", "ER - a", "TI  - a", "AB  - b", "SP  -", ""]),
        st.sampled_from(["TI - c", "  AB  - d", "  CN  - e", "CN  - f", "      g", "UK  - h"]),
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
    told = enumerate(re.split("\r\n?|\n", body.decode()), 1)
    begun = [n for n, line in told if line.startswith(STARTS[media_type])]
    if not begun and body.strip():
        with pytest.raises(InvalidRequest):
            read(body, media_type, size)
    else:
        assert [row.position for row in read(body, media_type, size)] == begun
