from collections.abc import Callable, Iterator
from datetime import date, datetime
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from app.errors import AppError, BodyTooLarge, InvalidRequest, UnreadableBody
from app.media_types import XLSX
from app.services.intake import workbook_records
from app.services.intake.intake import read_rows
from app.services.intake.options import Options
from app.services.intake.rows import Row, RowError
from tests.app.workbooks import bytes_of, workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def sheet_of(xml: str) -> bytes:
    """Return a workbook whose sheet has this XML."""
    made, changed = BytesIO(bytes_of(workbook(["text"]))), BytesIO()
    with ZipFile(made) as given, ZipFile(changed, "w", ZIP_DEFLATED) as written:
        for name in given.namelist():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            written.writestr(name, xml if is_sheet else given.read(name))
    return changed.getvalue()


def read(
    body: bytes, folder: Path, warn: Callable[[str], object] = pytest.fail, **options: Any
) -> list[Row | RowError]:
    pieces = (body[i : i + 1000] for i in range(0, len(body), 1000))
    given = Options(10_000, folder=folder, warn=warn, **options)
    return list(read_rows(pieces, media_type=XLSX, options=given))


def told(rows: list[Row | RowError]) -> list[tuple[int, str, str | None, dict[str, Any] | None]]:
    assert all(isinstance(row, Row) for row in rows), rows
    return [(row.position, row.id, row.text, row.metadata) for row in rows if isinstance(row, Row)]


def test_rows_are_documents_as_in_a_csv(tmp_path: Path) -> None:
    made = workbook(
        [],
        [" id ", "text", "sent", "at", "n", "share", "ok", "none", None],
        [7, "Two\nlines", date(2026, 11, 1), datetime(2026, 11, 1, 9, 30), 3.0, 0.25, True, None],
        [],
        ["b", "ünï_x000D_code", None, None, None, None, False, ""],
    )
    both = told(read(bytes_of(made), tmp_path))
    assert both == [
        (
            3,
            "7",
            "Two\nlines",
            {
                "sent": "2026-11-01",
                "at": "2026-11-01T09:30:00",
                "n": "3",
                "share": "0.25",
                "ok": "TRUE",
                "none": "",
            },
        ),
        (
            5,
            "b",
            "ünï\rcode",
            {"sent": "", "at": "", "n": "", "share": "", "ok": "FALSE", "none": ""},
        ),
    ]


def test_columns_can_be_named_and_what_is_left_of_a_formula_counts(tmp_path: Path) -> None:
    made = workbook(["Nr", "Title", "Body"], ["a", "One", "=1+1"], ["b", None, "two"])
    rows = read(bytes_of(made), tmp_path, text_columns=["Title", "Body"], id_column="Nr")
    # Nobody has computed it: openpyxl writes formulas alone.
    assert told(rows) == [(2, "a", "One", None), (3, "b", "two", None)]


def test_the_first_sheet_that_is_seen_is_read_and_others_are_told_of(tmp_path: Path) -> None:
    made = workbook(["text"], ["hidden"], title="Hidden")
    made.active.sheet_state = "hidden"
    for title in ("Floods", "Others"):
        sheet = made.create_sheet(title)
        sheet.append(["text"])
        sheet.append([title])
    warnings: list[str] = []
    (row,) = read(bytes_of(made), tmp_path, warnings.append)
    assert isinstance(row, Row)
    assert row.text == "Floods"
    (warning,) = warnings
    assert "2 sheets" in warning
    assert "'Floods'" in warning


def test_rows_that_cannot_be_read_are_refused_alone(tmp_path: Path) -> None:
    made = workbook(
        ["id", "text"], ["a", "one"], ["b", None], ["c", "three", "four"], ["d", "five"]
    )
    found = read(bytes_of(made), tmp_path)
    faults = [(row.position, row.code) for row in found if isinstance(row, RowError)]
    assert faults == [(3, "empty_text"), (4, "invalid_row")]
    assert [row.id for row in found if isinstance(row, Row)] == ["a", "d"]


def test_a_sheet_without_the_column_names_those_it_has(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"The sheet has no column 'text'.*'Body, long'") as e:
        read(bytes_of(workbook(["Nr", "Body, long"], ["a", "one"])), tmp_path)
    assert "text_column" in e.value.detail
    assert "delimiter" not in e.value.detail
    with pytest.raises(InvalidRequest, match="The sheet is empty"):
        read(bytes_of(workbook()), tmp_path)


def damaged() -> Iterator[tuple[str, bytes]]:
    whole = bytes_of(workbook(["text"], ["one"], ["two"]))
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>text</t></is></c></row>'
    begin, end = f'<worksheet xmlns="{MAIN}"><sheetData>', "</sheetData></worksheet>"
    yield "text", b"id,text\na,one\n"
    yield "nothing", b""
    yield "cut", whole[: len(whole) // 2]
    yield "old", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000)
    yield "no parts", _zip({"a.txt": b"a"})
    yield "xml", sheet_of(begin + row)
    yield "place", sheet_of(f'{begin}{row}<row r="x"><c r="A2"><v>1</v></c></row>{end}')
    yield "cell", sheet_of(f'{begin}{row}<row r="2"><c r="?"><v>1</v></c></row>{end}')
    yield "shared", sheet_of(f'{begin}{row}<row r="2"><c r="A2" t="s"><v>99</v></c></row>{end}')
    names = "abcdefghijk"
    entities = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise(names))
    entities = f'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{entities}'
    bomb = row.replace("text", "&k;")
    yield "entities", sheet_of(f"{entities}]>{begin}{bomb}{end}")


def _zip(parts: dict[str, bytes]) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in damaged()])
def test_what_is_no_workbook_is_refused(body: bytes, tmp_path: Path) -> None:
    with pytest.raises(UnreadableBody, match="workbook"):
        read(body, tmp_path)


def test_a_cell_far_away_takes_neither_time_nor_room(tmp_path: Path) -> None:
    far = (
        f'<worksheet xmlns="{MAIN}"><dimension ref="A1:XFD1048576"/><sheetData>'
        '<row r="1"><c r="A1" t="inlineStr"><is><t>text</t></is></c></row>'
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
        '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row></sheetData></worksheet>'
    )
    (row,) = read(sheet_of(far), tmp_path)
    assert isinstance(row, Row)
    assert (row.position, row.text) == (99999999999, "1")


def cells(number: int, *places: str) -> str:
    """Return a row whose cells hold their places."""
    made = (f'<c r="{p}" t="inlineStr"><is><t>{p}</t></is></c>' for p in places)
    return f'<row r="{number}">{"".join(made)}</row>'


@pytest.mark.parametrize("again", [1, 2, 3])
def test_rows_out_of_order_are_not_lost_in_silence(again: int, tmp_path: Path) -> None:
    rows = cells(1, "A1") + cells(3, "A3") + cells(again, "A2")
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    with pytest.raises(UnreadableBody, match=f"row {again} behind row 3: .* in order"):
        read(sheet_of(sheet), tmp_path, text_columns=["A1"])


def test_a_sheet_of_too_many_columns_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_records, "MAX_COLUMNS", 2)
    assert len(read(bytes_of(workbook(["id", "text"], ["a", "b"])), tmp_path)) == 1
    with pytest.raises(InvalidRequest, match="more than 2 columns"):
        read(bytes_of(workbook(["id", "text", "more"], ["a", "b", "c"])), tmp_path)


def test_cells_stand_where_they_say(tmp_path: Path) -> None:
    rows = cells(1, "C1", "A1", "B1") + cells(2, "B2", "C2", "A2")
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    (row,) = told(read(sheet_of(sheet), tmp_path, text_columns=["A1"]))
    assert row[2:] == ("A2", {"B1": "B2", "C1": "C2"})


def test_a_workbook_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = bytes_of(workbook(["text"], ["a" * 30_000]))
    with pytest.raises(BodyTooLarge, match="20000 bytes"):
        read(body, tmp_path, max_bytes=20_000)
    monkeypatch.setattr(workbook_records, "MAX_SHARED_BYTES", 2000)
    with pytest.raises(BodyTooLarge, match="save it as CSV"):
        read(body, tmp_path)


def test_what_the_body_raises_is_told_as_it_is(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield bytes_of(workbook(["text"]))[:100]
        raise AppError("broken off")

    with pytest.raises(AppError, match="broken off"):
        list(read_rows(broken(), media_type=XLSX, options=Options(100, folder=tmp_path)))
