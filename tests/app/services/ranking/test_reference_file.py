"""What was found, as references that are read again as they were."""

import io
import warnings
from collections.abc import Iterable
from typing import Any

import pytest
import rispy
from hypothesis import given
from hypothesis import strategies as st

from app.media_types import NBIB, RIS
from app.services.intake.intake import read_rows
from app.services.intake.options import Options
from app.services.intake.rows import Row
from app.services.ranking.reference_file import ROWS_AT_A_TIME, TITLE_LENGTH, write_references

OF_RIS = """\
TY  - CPAPER
ID  - 7
TI  - Floods &amp; towns: Überflutung
AU  - Fanning, E.
AU  - Oda, K.
AB  - Background: water stands.
  Methods: we looked; nothing more.
Results.
PY  - 2019/05/01/
JF  - Journal of Rivers
JO  - J Riv
JA  - J. Riv.
DO  - https://doi.org/10.5555/ABC.17
KW  - *flood
KW  - town
VL  - 3
IS  - 9
SP  - 1
EP  - 9
UR  - http://example.com/a;b
UR  - http://example.com/c
N1  - A note; it has two parts.
PB  - A house
AN  - 77
ER  -

TY  - BOOK
T1  - Rivers in flood
T2  - Rivers of the world
Y1  - 1999
SP  - e12
LB  - mine
ER  -

TY  - JOUR
AB  - Water without a title.
ER  -
"""
OF_PUBMED = """\
PMID- 12345678
TI  - A flood that is long and
      goes on.
LID - 10.1016/J.cell.2020.01 [doi]
AB  - BACKGROUND: An abstract -
      it goes on, too.
AU  - Smith J
AU  - Doe JA
DP  - 2020 Jan 15
JT  - The Lancet
VI  - 12
IP  - 4
PG  - 345-9
PT  - Journal Article
PT  - Review
MH  - Floods/*statistics & numerical data
OT  - water
OT  - rain
PMC - PMC77

PMID- 12345679
TI  - River without an abstract
"""
SAME = ("title", "authors", "year", "journal", "doi", "keywords", "urls", "volume", "number")


def read(body: str | bytes, media_type: str = RIS, **options: Any) -> list[Row]:
    data = body if isinstance(body, bytes) else body.encode()
    found = read_rows([data], media_type=media_type, options=Options(10**6)._replace(**options))
    rows = list(found)
    assert all(isinstance(row, Row) for row in rows)
    return [row for row in rows if isinstance(row, Row)]


def ranked(
    rank: int, text: str | None, metadata: dict[str, Any] | None, id_: str = "d"
) -> dict[str, Any]:
    return {
        "rank": rank,
        "id": id_,
        "probability": 0.914 if rank % 2 else None,
        "label": "positive",
        "text": text,
        "metadata": metadata,
    }


def written(rows: Iterable[dict[str, Any]]) -> str:
    file = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_references(file, rows)
    return file.getvalue()


def same(row: Row, also: tuple[str, ...] = ("pages",)) -> dict[str, str]:
    metadata = row.metadata or {}
    return {name: metadata[name] for name in (*SAME, *also) if name in metadata}


@pytest.mark.parametrize(("body", "media_type"), [(OF_RIS, RIS), (OF_PUBMED, NBIB)])
def test_references_are_read_again_as_they_were(body: str, media_type: str) -> None:
    before = [row for row in read(body, media_type) if (row.metadata or {}).get("title")]

    told = written(ranked(i, row.text, row.metadata, row.id) for i, row in enumerate(before))

    after = read(told, id_column="reference_id")
    assert [(row.id, row.text, same(row)) for row in after] == [
        (row.id, row.text, same(row)) for row in before
    ]


def test_each_field_has_its_tag() -> None:
    (paper, book, _), (article, _) = read(OF_RIS), read(OF_PUBMED, NBIB)
    rows = (paper, book, article)

    told = written(ranked(i, row.text, row.metadata, f"x{i}") for i, row in enumerate(rows, 1))

    assert told.split("\n\n")[0].splitlines() == [
        *("TY  - CPAPER", "TI  - Floods & towns: Überflutung"),
        *("AU  - Fanning, E.", "AU  - Oda, K.", "PY  - 2019", "JO  - J Riv"),
        *("T2  - Journal of Rivers", "VL  - 3", "IS  - 9", "SP  - 1", "EP  - 9"),
        *("DO  - 10.5555/abc.17", "AN  - 77"),
        *("UR  - http://example.com/a;b", "UR  - http://example.com/c"),
        *("AB  - Background: water stands.", "Methods: we looked; nothing more.", "Results."),
        *("KW  - *flood", "KW  - town"),
        *(
            "N1  - A note; it has two parts.",
            "N1  - Seedbed: rank 1, probability 0.914, label positive",
        ),
        *("ID  - x1", "JA  - J. Riv.", "PB  - A house"),
        *("DA  - 2019/05/01/", "JF  - Journal of Rivers", "ER  - "),
    ]
    lines = told.splitlines()
    assert lines.count("T2  - Rivers of the world") == 1
    assert "N1  - Seedbed: rank 2, label positive" in lines
    assert {
        *("TY  - JOUR", "M3  - Journal Article; Review", "AN  - 12345678", "C2  - PMC77"),
        *("JO  - The Lancet", "T2  - The Lancet", "DA  - 2020 Jan 15", "SP  - 345", "EP  - 9"),
        "N1  - Subject headings: Floods/*statistics & numerical data",
    } <= set(lines)


def test_documents_without_a_title_have_their_first_line_as_one() -> None:
    long = "word " * 100
    texts = ["\n  one line  \n", "first\nsecond", long, "x" * TITLE_LENGTH]

    references = rispy.loads(written(ranked(1, text, None) for text in texts))

    assert [(each["title"], each.get("abstract")) for each in references] == [
        ("one line", None),
        ("first", "second"),
        (long[: TITLE_LENGTH - 1].strip() + "…", long.strip()),
        ("x" * TITLE_LENGTH, None),
    ]
    assert {each["type_of_reference"] for each in references} == {"GEN"}


def test_columns_of_a_spreadsheet_are_the_fields_that_they_are_called_after() -> None:
    of_scopus = {"Authors": "Oda, K.; Fanning, E.", "Year": 2019, "Source title": "Rivers"}
    of_zotero = {"Author": "Oda, K.", "Publication Year": "2019", "Issue": "4", "Number": "17"}
    known = {"year": "2018", "Year": "2019", "Label": "x"}
    rows = [
        ranked(1, "Flood\nIt rose.", of_scopus, "https://doi.org/10.5555/S1"),
        ranked(2, "Flood", of_zotero, "10.5555/s2"),
        ranked(3, "Flood", known, "see 10.5555/s3"),
    ]

    scopus, zotero, own = rispy.loads(written(rows))

    assert (scopus["authors"], scopus["year"]) == (["Oda, K.", "Fanning, E."], "2019")
    assert (scopus["doi"], scopus["journal_name"]) == ("10.5555/s1", "Rivers")
    assert (zotero["authors"], zotero["year"]) == (["Oda, K."], "2019")
    assert (zotero["number"], zotero["doi"]) == ("4", "10.5555/s2")
    assert own["year"] == "2018"
    assert not {"doi", "label"} & set(own)


@pytest.mark.parametrize(
    ("text", "metadata", "abstract", "others"),
    [
        ("Water", {"title": "Water"}, None, []),
        ("Waters", {"title": "Water"}, "Waters", []),
        # Columns of a CSV, of which no field is left: the text comes back with an upload.
        ("Water\nIt rose.\nFlood", {}, "It rose. Flood", []),
        ("Water rises", {"title": "Flood"}, "Water rises", []),
        ("Flood\nrain; sea", {"title": "Flood", "abstract": "It rose."}, "It rose.", ["rain; sea"]),
        # Texts are kept in NFC, metadata as it came.
        ("Übel\nIt rose.", {"title": "U\u0308bel"}, "It rose.", []),
    ],
)
def test_what_the_text_has_beside_the_title_is_the_abstract(
    text: str, metadata: dict[str, Any], abstract: str | None, others: list[str]
) -> None:
    (reference,) = rispy.loads(written([ranked(2, text, metadata)]))

    assert reference.get("abstract") == abstract
    assert reference["notes"] == [*others, "Seedbed: rank 2, label positive"]


def test_odd_metadata_breaks_nothing() -> None:
    metadata = {
        "title": "Two\nlines\r\nTY  - JOUR",
        "authors": ["Oda, K.", None, ["Fanning, E."], {"name": "X"}],
        "year": 2019.0,
        "volume": 3,
        "journal": "A\u2028ER  - \u2029B",
        "keywords": [],
        "doi": None,
        "publisher": True,
        "unknown_tag": "u",
        "end_of_reference": "e",
        "type_of_reference": ["JOUR", "x"],
        "label": "a\0b",
        "Some column": {"a": [1]},
        "pages": "-",
    }
    text = "Water\nER  - \nTY  - BOOK\n\nTI  - none\nA   - b\n  end"

    told = written([ranked(1, text, metadata), ranked(2, "Rain", None)])

    first, second = rispy.loads(told)
    assert first["title"] == "Two lines TY  - JOUR"
    assert first["authors"] == ["Oda, K.", "Fanning, E.", '{"name": "X"}']
    assert (first["year"], first["volume"], first["publisher"]) == ("2019", "3", "true")
    assert first["journal_name"] == "A ER  - B"
    assert first["abstract"] == "Water ER  - TY  - BOOK TI  - none A   - b end"
    assert first["label"] == "ab"
    assert second["title"] == "Rain"
    assert len(read(told)) == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
LINES = st.lists(
    st.sampled_from(["TY  - JOUR", "ER  - ", "ER  -", "TI  - a", "x", "É1  - b", " ", "\x85TY -x"])
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
).map("\n".join)


@given(
    LINES,
    st.dictionaries(st.sampled_from([*SAME, "abstract", "pages", "notes", "x"]), JSON | LINES),
)
def test_whatever_a_document_has_it_is_one_reference(text: str, metadata: dict[str, Any]) -> None:
    told = written([ranked(1, f"w {text}", metadata, "a"), ranked(3, "Rain", None, "b")])

    ids = [(row.metadata or {}).get("reference_id") for row in read(told)]
    assert ids == ["a", "b"]


def test_references_are_written_in_parts() -> None:
    n_rows = ROWS_AT_A_TIME + 2
    told = written(ranked(i, f"water {i}", None) for i in range(n_rows))

    assert told.count("\n\nTY  - GEN\n") == n_rows - 1
    assert [row.text for row in read(told)] == [f"water {i}" for i in range(n_rows)]
    assert written([]) == ""
