import csv
import json
from dataclasses import replace

import pytest

from app.services.exports import csv_lines, ndjson_lines
from app.services.ranking import RankedDocument
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
