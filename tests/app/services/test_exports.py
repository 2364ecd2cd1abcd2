import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.commands import next as next_command
from app.commands.spreadsheet_file import in_cell
from app.media_types import CSV
from app.services.csv_columns import EXPORTED
from app.services.decoding import decoded
from app.services.exports import CSV_COLUMNS, csv_lines, ndjson_lines
from app.services.intake import Options, read_rows
from app.services.ranking import RankedDocument
from app.services.rows import Row, RowError
from app.services.spreadsheet_cells import CELL_LENGTH, FORMULA_STARTS
from app.tables import Label


def ranked(rank: int, text: str) -> RankedDocument:
    return RankedDocument(
        rank=rank,
        id=f"d{rank}",
        score=-1.5,
        probability=None,
        predicted=False,
        label=Label.UNLABELED,
        text=text,
        metadata={"a": 1},
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "'"])
def test_csv_cell_is_no_formula(start: str) -> None:
    lines = b"".join(csv_lines(iter([ranked(1, f'{start}HYPERLINK("x")')]))).decode()

    (row,) = csv.DictReader(lines.splitlines(keepends=True))
    assert row["text"] == f'\'{start}HYPERLINK("x")'
    assert float(row["score"]) == -1.5  # a number stays one


def test_text_with_quotes_and_lines_comes_back_from_csv() -> None:
    text = 'says "no",\nthen leaves; ä'

    lines = b"".join(csv_lines(iter([ranked(1, text)]))).decode()

    (row,) = csv.DictReader(lines.splitlines(keepends=True))
    assert row["text"] == text


def test_ids_are_protected_as_texts_are_and_no_mark_stands_before_the_header() -> None:
    row = replace(ranked(1, "a"), id="=1")

    lines = b"".join(csv_lines(iter([row])))

    assert lines.startswith(b"rank,id,")
    assert b"1,'=1," in lines


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "'a"])
def test_lines_of_json_have_text_as_it_is(text: str) -> None:
    (line,) = b"".join(ndjson_lines(iter([ranked(1, text)]))).splitlines()

    assert json.loads(line)["text"] == text


def test_every_row_of_a_long_ranking_is_exported() -> None:
    rows = [ranked(i, f"text {i}") for i in range(1, 1202)]

    as_json = [json.loads(line) for line in b"".join(ndjson_lines(iter(rows))).splitlines()]
    as_csv = b"".join(csv_lines(iter(rows))).splitlines()

    assert [row["rank"] for row in as_json] == [row.rank for row in rows]
    assert as_json[0] == {**vars(rows[0]), "label": "unlabeled"}
    assert len(as_csv) == 1202


def uploaded(body: bytes, **options: Any) -> list[Row | RowError]:
    unpacked = decoded(iter([body]), encoding="identity", max_bytes=10**7)
    return list(read_rows(unpacked, media_type=CSV, options=Options(10**6, **options)))


def kept(rows: list[Row | RowError]) -> list[tuple[str | None, str | None]]:
    return [(row.own_id, row.text) for row in rows if isinstance(row, Row)]


#: With what a protected text begins with, and what is protected of itself.
TEXTS = [f"{start}1+1" for start in [*FORMULA_STARTS, "'", "''", "'=", "", "q'"]]
IDS = ["-5", "+49", "=1+1", "@user", "'q", "''q", "q"]


@pytest.mark.parametrize("name", ["a ranking", "a round"])
def test_an_upload_of_an_export_has_ids_and_texts_as_they_were(name: str, tmp_path: Path) -> None:
    pairs = [(id_, text) for id_ in IDS for text in TEXTS]
    if name == "a ranking":
        documents = [replace(ranked(1, text), id=id_) for id_, text in pairs]
        body = b"".join(csv_lines(iter(documents)))
    else:
        rows = [{"id": id_, "text": text, "rank": 1} for id_, text in pairs]
        next_command.write(rows, tmp_path / "round.csv")
        body = (tmp_path / "round.csv").read_bytes()

    assert kept(uploaded(body)) == pairs


def test_an_export_that_a_spreadsheet_saved_is_known_by_its_columns() -> None:
    for columns in (CSV_COLUMNS, next_command.COLUMNS):
        assert EXPORTED.issubset(columns)
        head = ";".join(["note", *columns[::-1]])
        cells = {"id": "'-5", "text": "'=1", "note": "'=x"}
        row = ";".join(cells.get(name, "") for name in head.split(";"))

        (found,) = uploaded(f"{head}\n{row}\n".encode(), delimiter="semicolon")

        assert isinstance(found, Row)
        assert (found.id, found.text) == ("-5", "=1")
        assert found.metadata is not None
        assert found.metadata["note"] == "'=x"


@pytest.mark.parametrize("head", ["id,text,label", "rank,id,score,text", "id,text"])
def test_cells_of_other_files_stay_as_they_are(head: str) -> None:
    cut = in_cell("x" * (CELL_LENGTH + 1))
    for text in ("'=1", "''q", cut):
        cells = {"id": "'-5", "text": text}
        row = ",".join(cells.get(name, "1") for name in head.split(","))

        assert kept(uploaded(f"{head}\n{row}\n".encode())) == [("'-5", text)]


# The last one is cut within a character.
@pytest.mark.parametrize(("start", "character"), [("", "x"), ("", "😀"), ("x", "😀")])
def test_a_text_that_was_cut_for_a_cell_is_refused(start: str, character: str) -> None:
    n_units = len(character.encode("utf-16-le")) // 2
    # One that fits, one that does not, and a short one that was written with the same end.
    n_fit = (CELL_LENGTH - len(start)) // n_units
    texts = [start + character * n_fit, start + character * CELL_LENGTH + "y", "rain …"]
    rows = [f"1,a{n},,{in_cell(text)}\n" for n, text in enumerate(texts)]

    fits, cut, short = uploaded(f"rank,id,label,text\n{''.join(rows)}".encode())

    assert kept([fits, short]) == [("a0", texts[0]), ("a2", "rain …")]
    assert isinstance(cut, RowError)
    assert (cut.position, cut.code) == (3, "cut_text")
    assert "seedbed ranking --output FILE.ndjson" in cut.reason
