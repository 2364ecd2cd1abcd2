import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.commands import next as next_command
from app.commands.spreadsheet_file import in_cell
from app.media_types import CSV
from app.orm import Label
from app.services.intake.csv_columns import EXPORTED, Delimiter
from app.services.intake.decoding import decoded
from app.services.intake.intake import read_rows
from app.services.intake.options import Options
from app.services.intake.rows import Row, RowError
from app.services.intake.spreadsheet_cells import CELL_LENGTH, FORMULA_STARTS
from app.services.ranking.exports import CSV_COLUMNS, csv_lines, ndjson_lines, ris_lines
from app.services.ranking.ranking import RankedDocument


def ranked(rank: int, text: str) -> RankedDocument:
    return RankedDocument(
        rank=rank,
        id=f"d{rank}",
        score=-1.5,
        probability=None,
        predicted=False,
        label=Label.UNLABELED,
        judgement=None,
        text=text,
        metadata={"a": 1},
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "'"])
def test_csv_cell_is_no_formula(start: str) -> None:
    lines = b"".join(csv_lines(iter([ranked(1, f'{start}HYPERLINK("x")')]))).decode()

    (row,) = csv.DictReader(lines.splitlines(keepends=True))
    assert row["text"] == f'\'{start}HYPERLINK("x")'
    assert float(row["score"]) == -1.5  # a number stays one


@pytest.mark.parametrize(
    ("delimiter", "sign", "score"),
    [
        ("comma", ",", "-1.5"),
        ("semicolon", ";", "-1,5"),
        ("tab", "\t", "-1.5"),
        ("pipe", "|", "-1.5"),
    ],
)
def test_columns_are_parted_as_asked(delimiter: Delimiter, sign: str, score: str) -> None:
    text = "one, two; three\tfour|five"

    lines = b"".join(csv_lines(iter([ranked(1, text)]), delimiter)).decode()

    (row,) = csv.DictReader(lines.splitlines(keepends=True), delimiter=sign)
    assert [*row] == [*CSV_COLUMNS]
    assert (row["score"], row["probability"], row["text"]) == (score, "", text)
    assert row["metadata"] == '{"a":1}'


def test_text_with_quotes_and_lines_comes_back_from_csv() -> None:
    text = 'says "no",\nthen leaves; ä'

    lines = b"".join(csv_lines(iter([ranked(1, text)]))).decode()

    (row,) = csv.DictReader(lines.splitlines(keepends=True))
    assert row["text"] == text


@pytest.mark.parametrize("lines", [ndjson_lines, csv_lines, ris_lines])
def test_few_rows_of_long_texts_are_held_at_once(
    lines: Callable[[Iterator[RankedDocument]], Iterator[bytes]],
) -> None:
    n_read = n_sent = most = 0

    def rows() -> Iterator[RankedDocument]:
        nonlocal n_read, most
        for n_read in range(1, 41):
            most = max(most, n_read - n_sent)
            yield ranked(n_read, f"begin\n{'a' * 2**18}")

    for block in lines(rows()):
        n_sent += block.count(b"begin")
    assert (n_read, n_sent) == (40, 40)
    assert most <= 4  # of a mebibyte together


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
    unpacked = decoded(iter([body]), media_type=CSV, encoding="identity", max_bytes=10**7)
    return list(read_rows(unpacked, media_type=CSV, options=Options(10**6, **options)))


def kept(rows: list[Row | RowError]) -> list[tuple[str | None, str | None]]:
    return [(row.own_id, row.text) for row in rows if isinstance(row, Row)]


def in_round(id_: str, text: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"id": id_, "text": text, "rank": 1, "metadata": metadata, "copies": []}


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
        # Every second one is a copy of the one before.
        rows = [in_round(id_, text) for id_, text in pairs]
        for first, copy in zip(rows[::2], rows[1::2], strict=False):
            first["copies"] = [copy]
        next_command.write(rows[::2], tmp_path / "round.csv")
        body = (tmp_path / "round.csv").read_bytes()

    assert kept(uploaded(body)) == pairs


#: Text that a formula begins like, a field that is named like a column, another alphabet.
METADATA = {"title": "=Rain", "label": "+1", "metadata": "'x", "Ort, Tag": "Köln 雨", "empty": ""}


def test_an_upload_of_an_export_has_metadata_as_it_was(tmp_path: Path) -> None:
    nested = METADATA | {"n": [1.5, None, {"is": True}]}
    documents = [replace(ranked(1, "a"), metadata=nested), replace(ranked(2, "b"), metadata=None)]

    rows = uploaded(b"".join(csv_lines(iter(documents))))

    assert [row.metadata for row in rows if isinstance(row, Row)] == [nested, None]


def test_a_file_for_spreadsheets_has_a_column_for_each_field_of_metadata(tmp_path: Path) -> None:
    documents = [
        in_round("a", "x", METADATA),
        in_round("b", "y", {"n": -1.5, "of": ["é"], "none": None}),
        in_round("c", "z"),
    ]
    next_command.write(documents, tmp_path / "round.csv")

    with (tmp_path / "round.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second, _ = csv.DictReader(file)
    names = [f"metadata.{name}" for name in [*METADATA, "n", "of", "none"]]
    assert list(first) == [*next_command.COLUMNS, *names, "metadata"]
    assert [first[f"metadata.{name}"] for name in ("title", "label")] == ["'=Rain", "'+1"]
    assert [second[name] for name in names[-3:]] == ["-1.5", '["é"]', ""]
    again = uploaded((tmp_path / "round.csv").read_bytes())
    assert [row.metadata for row in again if isinstance(row, Row)] == [
        document["metadata"] for document in documents
    ]


def test_metadata_of_a_file_for_spreadsheets_that_no_cell_holds_is_told(tmp_path: Path) -> None:
    fields = [{"a": 1}, {"a ": 2}, {}, {"x": "y" * 20_000, "z": "w" * 20_000}]
    rows = [in_round(f"{i}", "x", metadata) for i, metadata in enumerate(fields)]
    assert next_command.write(rows, tmp_path / "round.csv") == 1

    *found, cut = uploaded((tmp_path / "round.csv").read_bytes())
    assert [row.metadata for row in found if isinstance(row, Row)] == fields[:3]
    assert isinstance(cut, RowError)
    assert (cut.code, "or its metadata" in cut.reason) == ("cut_text", True)


def test_without_the_column_of_all_metadata_what_is_seen_of_it_is_kept() -> None:
    row = uploaded(b"id,rank,label,text,metadata.title,metadata.n,note\na,1,,x,'=y,,z\n")[0]

    assert isinstance(row, Row)
    assert row.metadata == {"title": "=y", "n": "", "note": "z"}


def test_what_models_and_readers_found_is_left_out_of_an_upload_and_told() -> None:
    told: list[str] = []

    rows = uploaded(b"".join(csv_lines(iter([ranked(1, "a")]))), warn=told.append)

    assert [row.metadata for row in rows if isinstance(row, Row)] == [{"a": 1}]
    (warning,) = told
    assert "rank, score, probability, predicted, label, judgement were left out" in warning
    assert "`seedbed judge` or PUT /projects/{id}/labels" in warning


@pytest.mark.parametrize("cell", ["[1]", "{", "=1"])
def test_metadata_that_somebody_broke_is_refused(cell: str) -> None:
    (row,) = uploaded(f"id,rank,label,text,metadata\na,1,,x,{cell}\n".encode())

    assert isinstance(row, RowError)
    assert (row.position, row.code) == (2, "invalid_metadata")


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
