"""The file of a round."""

import csv
from pathlib import Path
from typing import Any

import pytest

from app.commands import next as next_command
from app.commands.client import ServiceFailed
from app.commands.label_file import read_lines
from app.services.intake.spreadsheet_cells import CELL_LENGTH

IDS = ["-5", "+49", "=1+1", "@user", "'q", "q"]


def test_cells_are_no_formulas_and_their_ids_come_back(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    rows = [{"id": id_, "text": '=HYPERLINK("x")', "rank": 1, "metadata": None} for id_ in IDS]

    assert next_command.write(rows, file) == 0

    with file.open(encoding="utf-8-sig", newline="") as stream:
        head, *cells = csv.reader(stream)
    assert head == ["id", "rank", "label", "text"]
    assert [row[0] for row in cells] == ["'-5", "'+49", "'=1+1", "'@user", "''q", "q"]
    assert {row[1] for row in cells} == {"1"}
    assert {row[3] for row in cells} == {'\'=HYPERLINK("x")'}
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(
            [head, *([id_, rank, "positive", text] for id_, rank, _, text in cells)]
        )
    assert list(read_lines(file).lines) == IDS


def test_texts_that_no_cell_holds_are_cut_and_counted(tmp_path: Path) -> None:
    texts = ["x" * CELL_LENGTH, "=" + "x" * CELL_LENGTH]
    rows = [
        {"id": str(i), "text": text, "rank": i, "metadata": None} for i, text in enumerate(texts)
    ]

    assert next_command.write(rows, tmp_path / "round.csv") == 1

    with (tmp_path / "round.csv").open(encoding="utf-8-sig", newline="") as stream:
        cells = [row["text"] for row in csv.DictReader(stream)]
    assert cells == [texts[0], "'=" + "x" * (CELL_LENGTH - 3) + "…"]


@pytest.mark.parametrize("content", ["id,text,label\n1,a,\n", "id,label\n1,\n", "a note\n", ""])
@pytest.mark.usefixtures("commands_here")
def test_a_file_that_is_no_round_is_not_overwritten(
    model: dict[str, Any], tmp_path: Path, content: str
) -> None:
    file = tmp_path / "pile.csv"
    file.write_text(content)

    with pytest.raises(ServiceFailed, match=r"pile\.csv"):
        next_command.run("", model["project_id"], {"n": 2}, file)

    assert file.read_text() == content


@pytest.mark.usefixtures("commands_here")
def test_a_round_that_a_spreadsheet_saved_in_its_own_encoding_is_a_round(
    model: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id;rank;label;text\nelsewhere;1;negative;schön\n", encoding="cp1252")

    next_command.run("", model["project_id"], {"n": 2}, file)

    assert (tmp_path / "round-2.csv").exists()


@pytest.mark.usefixtures("commands_here")
def test_a_round_has_the_delimiter_of_the_one_before_unless_another_is_asked_for(
    model: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "round.csv"
    heads = []
    for mark, asked in ((";", "semicolon"), (";", None), (",", "comma"), (",", None)):
        next_command.run("", model["project_id"], {"n": 1}, file, asked)
        heads.append((file.read_text("utf-8-sig").partition("\n")[0], mark))

    assert heads == [(f"id{mark}rank{mark}label{mark}text", mark) for _, mark in heads]


@pytest.mark.usefixtures("commands_here")
def test_the_next_round_has_the_delimiter_of_a_labeled_one(
    model: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id;rank;label;text\nelsewhere;1;negative;a\n")

    next_command.run("", model["project_id"], {"n": 1}, file)

    assert (tmp_path / "round-2.csv").read_text("utf-8-sig").startswith("id;rank;label;text")
