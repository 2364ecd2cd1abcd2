import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidRequest, UnreadableBody
from app.services.intake.csv_records import CsvRecords, Record
from app.services.intake.rows import RowError


def read(text: str, delimiter: str, max_bytes: int = 10_000) -> list[Record | RowError]:
    records = CsvRecords(iter([text.encode()]), delimiter, max_bytes)
    return list(records.rows(len(records.header())))


def fields(rows: list[Record | RowError]) -> list[tuple[int, list[str]]]:
    return [(row.position, row.fields) for row in rows if isinstance(row, Record)]


FIELD = st.text(st.characters(codec="utf-8", exclude_characters="\0\t"))


@given(
    rows=st.lists(st.tuples(FIELD, FIELD, FIELD), max_size=4),
    dialect=st.sampled_from(["excel", "excel-tab"]),
)
def test_what_spreadsheets_write_is_read_as_it_was(
    rows: list[tuple[str, str, str]], dialect: str
) -> None:
    file = io.StringIO()
    csv.writer(file, dialect).writerows([("a", "b", "c"), *rows])
    found = read(file.getvalue(), csv.get_dialect(dialect).delimiter, 10**7)
    assert [tuple(fields) for _, fields in fields_of(found)] == rows


def fields_of(rows: list[Record | RowError]) -> list[tuple[int, list[str]]]:
    assert all(isinstance(row, Record) for row in rows)
    return fields(rows)


@pytest.mark.parametrize(
    "texts",
    [
        ['"Hello there', "good morning", 'a "prize"', '"late', "bye"],
        ['"now" or never', 'never "now"'],
        ['"opens here', 'closes there"'],
        ['"', "a" * 70, "b" * 70],  # which would be a record of too many bytes
    ],
)
def test_stray_quotation_marks_between_tabs_stand_as_they_are(texts: list[str]) -> None:
    lines = [f"{i}\t{text}\r\n" for i, text in enumerate(texts)]
    rows = fields_of(read("id\ttext\n" + "".join(lines), "\t", max_bytes=100))
    assert rows == [(i + 2, [str(i), text]) for i, text in enumerate(texts)]


def test_quotation_marks_that_have_all_lines_read_again_each_time_are_refused() -> None:
    # The mark in the first column closes that of the line before, the other opens one.
    lines = ['a"\t"b\n'] * 20_000
    with pytest.raises(UnreadableBody, match="many before, a quotation mark opens and is not"):
        read("".join(["id\ttext\n", *lines]), "\t", max_bytes=10**7)
    rows = fields_of(read("".join(["id\ttext\n", *lines[:500]]), "\t", max_bytes=10**7))
    assert [found for _, found in rows] == [['a"', '"b']] * 500


def test_lines_that_a_quotation_mark_swallows_are_told() -> None:
    rows = read('id,text\n0,a\n1,"river\n2,morning\n3,see "you"\n4,b\n5,"c\n6,d\n', ",")
    assert fields(rows) == [(2, ["0", "a"]), (6, ["4", "b"])]
    faults = [row for row in rows if isinstance(row, RowError)]
    assert [(fault.position, fault.code) for fault in faults] == [
        (3, "invalid_csv"),
        (7, "invalid_csv"),
    ]
    assert faults[0].reason.startswith("Lines 3 to 5, read as one row, are not CSV: a quotation")
    assert faults[1].reason.startswith("Lines 7 to 8, read as one row, are not CSV: a quotation")


@pytest.mark.parametrize("end", ["", '901,"ends with a mark"\n', '901,7" tall\n'])
def test_rows_behind_a_mark_that_is_not_closed_are_read_all_the_same(end: str) -> None:
    lines = [f"{i},text {i}\n" for i in range(900)]
    lines[5] = '5,"broken\n'

    fault, *rows = sorted(
        read("".join(["id,text\n", *lines, end]), ","), key=lambda row: isinstance(row, Record)
    )

    assert isinstance(fault, RowError)
    assert (fault.position, fault.code) == (7, "invalid_csv")
    assert fault.reason.startswith("The row is not CSV: a quotation mark opens there and is not")
    ids = [found[0] for _, found in fields(rows)]
    assert ids == [str(i) for i in range(900) if i != 5] + ["901"] * bool(end)


def test_many_marks_that_are_not_closed_cost_one_row_each() -> None:
    lines = [f"{i},{'' if i % 50 else chr(34)}text {i}\n" for i in range(1, 5000)]
    rows = read("".join(["id,text\n", *lines]), ",", 10**6)
    assert len(fields(rows)) == 4999 - 99


def test_lines_of_a_text_are_none_of_the_rows() -> None:
    text = "".join(f"Smith{i}, John\n" for i in range(24))
    assert fields_of(read(f'id,text\n1,"{text}"\n2,b\n', ",")) == [
        (2, ["1", text]),
        (2 + 25, ["2", "b"]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        'Dear Bob,\nThanks, really\nbest, Al\nyours, X\nwith, Y\nand, Z\nend" and',
        'one\ntwo\nthree, four\nfive\nsix\nseven, eight" and',
    ],
)
def test_lines_of_a_text_that_is_no_csv_are_none_of_the_rows(text: str) -> None:
    fault, row = read(f'id,text\n1,"{text}\n2,b\n', ",")
    assert isinstance(fault, RowError)
    last = 2 + text.count("\n")
    assert fault.reason.startswith(f"Lines 2 to {last}, read as one row")
    assert fields([row]) == [(last + 1, ["2", "b"])]


def test_text_behind_a_closing_quotation_mark_is_told() -> None:
    fault, row, open_ = read('id,text\n1,"x" y\n2,ok\n3,"z', ",")
    assert isinstance(fault, RowError)
    assert fault.reason.startswith("The row is not CSV: text stands behind a closing quotation")
    assert fields([row]) == [(3, ["2", "ok"])]
    assert isinstance(open_, RowError)
    assert open_.reason.startswith("The row is not CSV: a quotation mark opens there and is not")


@pytest.mark.parametrize("name", ['"text', '"text" here'])
def test_a_stray_quotation_mark_in_a_header(name: str) -> None:
    records = CsvRecords(iter([f"\nid\t{name}\n1\ta\n".encode()]), "\t", 100)
    assert records.header() == ["id", name]
    assert fields(list(records.rows(2))) == [(3, ["1", "a"])]

    with pytest.raises(InvalidRequest, match="quotation mark opens in the first line"):
        read(f"id,{name}\n1,a\n", ",")
