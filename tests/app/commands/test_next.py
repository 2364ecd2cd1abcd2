"""The file of a round."""

import csv
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.commands import judge as judge_command
from app.commands import next as next_command
from app.commands.client import ServiceFailed
from app.commands.label_file import read_lines
from app.services.intake.spreadsheet_cells import CELL_LENGTH

IDS = ["-5", "+49", "=1+1", "@user", "'q", "q"]


def row(id_: str, text: str = "a", *copies: dict[str, Any], rank: int = 1) -> dict[str, Any]:
    return {"id": id_, "text": text, "rank": rank, "metadata": None, "copies": list(copies)}


def test_cells_are_no_formulas_and_their_ids_come_back(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    rows = [row(id_, '=HYPERLINK("x")') for id_ in IDS]

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
    rows = [row(str(i), text) for i, text in enumerate(texts)]

    assert next_command.write(rows, tmp_path / "round.csv") == 1

    with (tmp_path / "round.csv").open(encoding="utf-8-sig", newline="") as stream:
        cells = [row["text"] for row in csv.DictReader(stream)]
    assert cells == [texts[0], "'=" + "x" * (CELL_LENGTH - 3) + "…"]


def test_copies_stand_below_what_they_repeat_and_get_its_label(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    first = row("-1", "a", row("=2", rank=3), row("c", rank=4), row("d", rank=5), rank=1)
    next_command.write([first, row("e", rank=2)], file)
    with file.open(encoding="utf-8-sig", newline="") as stream:
        head, *cells = csv.reader(stream)
    assert head == ["id", "rank", "label", "copy_of", "text"]
    assert [line[0] for line in cells] == ["'-1", "'=2", "c", "d", "e"]
    assert [line[3] for line in cells] == ["", "'-1", "'-1", "'-1", ""]

    cells[0][2], cells[2][2] = "positive", "unsure"
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *reversed(cells)])
    found = read_lines(file)
    labels = {id_: line.label for id_, line in found.lines.items()}
    assert labels == {"-1": "positive", "=2": "positive", "c": "unsure", "d": "positive"}
    assert list(labels) == ["-1", "=2", "c", "d"]  # by rank
    assert (found.n_alike, found.n_blank) == (2, 1)
    rest = read_lines(file, rest="negative").lines
    assert [line.label for line in rest.values()].count("negative") == 1


def test_a_copy_has_no_label_while_what_it_repeats_has_none(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    next_command.write([row("a", "a", row("b", rank=2)), row("c", rank=3)], file)
    file.write_text(file.read_text().replace("c,3,", "c,3,negative"))
    found = read_lines(file)
    assert (list(found.lines), found.n_alike, found.n_blank) == (["c"], 0, 2)
    rest = read_lines(file, rest="unsure").lines
    assert [(id_, line.label) for id_, line in rest.items()] == [
        ("a", "unsure"),
        ("b", "unsure"),
        ("c", "negative"),
    ]


def test_a_file_of_another_program_has_no_copies(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("id,label,copy_of\na,positive,\nb,,a\n")
    assert list(read_lines(file).lines) == ["a"]


@pytest.mark.usefixtures("commands_here")
def test_copies_are_judged_with_what_they_repeat(
    client: TestClient, model: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project_id, text = (
        model["project_id"],
        "the river burst its banks and stands in all the streets",
    )
    texts = [{"id": f"u{i}", "text": f"{text} {i}"} for i in range(3)]
    client.post(f"/projects/{project_id}/unlabeled", json={"documents": texts})
    file = tmp_path / "round.csv"
    asked = {"n": 50, "strategy": "relevance"}

    with pytest.raises(ServiceFailed, match="Name a file for the copies, too"):
        next_command.run("", project_id, {**asked, "copies": True}, None)
    next_command.run("", project_id, {**asked, "n": 2}, None)
    withheld = "With --copies they stand below it"
    assert withheld in capsys.readouterr().err
    next_command.run("", project_id, {**asked, "copies": True}, file)
    told = capsys.readouterr().out
    assert "2 more rows, those with a copy_of, say nearly the same" in told
    assert withheld not in told
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    firsts = {row["copy_of"] for row in rows} - {""}
    for cells in rows:
        cells["label"] = "positive" if cells["id"] in firsts else ""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    judge_command.run("", project_id, file, "utf-8")

    assert "Labeled as what they say nearly the same as: 2." in capsys.readouterr().out
    for one in texts:
        document = client.get(f"/projects/{project_id}/documents/{one['id']}").json()
        assert document["label"] == "positive"


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
