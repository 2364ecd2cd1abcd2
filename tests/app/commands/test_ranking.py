"""Rankings that cannot be written, and how many rows are to come."""

import codecs
import csv
import io
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Client, MockTransport, Response
from rich.console import Console

from app.commands import ranking as ranking_command
from app.commands import spreadsheet_file
from app.commands.asked_cut import AskedCut, cut_score
from app.commands.client import ServiceFailed
from app.commands.ranking import Part


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    output = tmp_path / "no such folder" / "ranking.csv"

    with (
        pytest.raises(ServiceFailed, match=r"Cannot write .*: No such file .* with --output\."),
        spreadsheet_file.replaced(output),
    ):
        pass


def test_what_breaks_leaves_the_file_of_before_and_nothing_else(tmp_path: Path) -> None:
    output = tmp_path / "ranking.csv"
    output.write_text("before")

    def rows() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), spreadsheet_file.replaced(output) as file:
        file.writelines(rows())

    assert output.read_text() == "before"
    assert list(tmp_path.iterdir()) == [output]


def test_what_is_whole_takes_the_place_of_the_file_of_before(tmp_path: Path) -> None:
    output = tmp_path / "ranking.csv"
    output.write_text("before")

    with spreadsheet_file.replaced(output) as file:
        file.write("all")

    assert output.read_text() == "all"
    assert list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize("limit", [1, 2, 9])
@pytest.mark.usefixtures("commands_here")
def test_the_last_are_those_that_are_unlabeled_now(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(ranking_command, "show_rows", lambda _, rows: shown.extend(rows))
    project = f"/projects/{model['project_id']}"
    ranked = client.get(f"/models/{model['id']}/ranking", params={"label": "unlabeled"}).json()
    *rest, deleted, one, other = [row["id"] for row in ranked["documents"]]
    labels = [{"id": id_, "label": "negative"} for id_ in (one, other)]
    assert client.put(f"{project}/labels", json=labels).is_success
    assert client.delete(f"{project}/documents/{deleted}").is_success

    ranking_command.run("", model["id"], limit, None, part=Part(is_last=True))

    assert [row["id"] for row in shown] == rest[::-1][:limit]


@pytest.mark.usefixtures("commands_here")
def test_who_writes_the_end_into_a_csv_is_told_how_to_judge_it(
    model: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(file: str, part: Part) -> str:
        ranking_command.run("", model["id"], 2, tmp_path / file, part=part)
        return capsys.readouterr().out

    last = told("odd ones.csv", Part(is_last=True))
    assert "write negative into the column label" in last
    assert last.endswith(f" {model['project_id']} '{tmp_path / 'odd ones.csv'}'\n")
    assert "Next: seedbed judge " in last
    for file, part in (("first.csv", Part()), ("odd.ndjson", Part(is_last=True))):
        assert told(file, part).endswith(f"2 documents in {tmp_path / file}\n")
    assert "Next:" not in told("none.csv", Part("unsure", is_last=True))


def ranked(rank: int, *, predicted: bool, probability: float | None) -> dict[str, Any]:
    return {
        "rank": rank,
        "score": 1 / rank,
        "probability": probability,
        "predicted": predicted,
        "id": f"{rank}{'i' * 40}",
        "text": "some\ttext\n" * 30,
    }


def screen_of(rows: list[dict[str, Any]], *, is_terminal: bool) -> list[str]:
    file = io.StringIO()
    console = Console(
        file=file, width=100, force_terminal=is_terminal, color_system=None, markup=False
    )
    ranking_command.show_rows(console, rows)
    return file.getvalue().splitlines()


def test_on_a_terminal_a_document_has_one_line_and_the_cut_its_own() -> None:
    rows = [
        ranked(1, predicted=True, probability=0.9),
        ranked(2, predicted=True, probability=0.8),
        ranked(4, predicted=False, probability=None),
    ]
    head, first, second, cut, third = screen_of(rows, is_terminal=True)

    assert head.split() == ["rank", "score", "probability", "id", "text"]
    assert first.split()[:3] == ["1", "1.000", "0.900"]
    assert second.split()[:3] == ["2", "0.500", "0.800"]
    assert cut.strip() == ranking_command.CUT
    assert third.split()[:3] == ["4", "0.250", "-"]
    assert all(line.count("…") == 2 for line in (first, second, third))
    # Texts have half the line and more.
    assert first.count("text") * len("some text ") >= 50


def test_without_probabilities_and_a_cut_there_is_no_column_and_no_line() -> None:
    row = ranked(1, predicted=True, probability=None)
    del row["predicted"]
    head, first, second = screen_of([row, row], is_terminal=True)

    assert head.split() == ["rank", "score", "id", "text"]
    assert first == second


@pytest.mark.parametrize("is_terminal", [True, False])
def test_texts_tell_a_terminal_nothing(is_terminal: bool) -> None:
    row = ranked(1, predicted=True, probability=None)
    row["text"] = "a\x1b[2J\x07b\x9b31m\tc\u200dd"
    row["id"] = "i\x9b" if is_terminal else "i"
    *_, line = screen_of([row], is_terminal=is_terminal)

    assert "\x9b" not in line
    assert line.rstrip().endswith("a\ufffd[2J\ufffdb\ufffd31m c\u200dd")


def test_a_pipe_gets_whole_ids_and_texts_with_tabs_between() -> None:
    rows = [ranked(3, predicted=True, probability=p) for p in (0.25, None)]
    lines = [line.split("\t") for line in screen_of(rows, is_terminal=False)]

    text = " ".join(["some text"] * 30)
    assert lines == [["3", "0.333", p, rows[0]["id"], text] for p in ("0.250", "-")]


@pytest.mark.usefixtures("commands_here")
def test_ranks_that_are_left_out_are_counted(
    client: TestClient, model: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    path = f"/models/{model['id']}/ranking"
    labels = [row["label"] for row in client.get(path).json()["documents"]]
    last = labels[::-1].index("unlabeled")
    n_seeds = labels[: len(labels) - last].count("positive")
    assert n_seeds

    ranking_command.run("", model["id"], None, None)

    rows, notes = capsys.readouterr()
    assert sum("\t" in line for line in rows.splitlines()) == labels.count("unlabeled")
    assert f"Left out among these ranks: {n_seeds} that have a label" in notes
    has_warnings = bool(client.get(f"/models/{model['id']}").json()["warnings"])
    assert ("Mind the warnings of its training" in notes) == has_warnings
    assert notes.endswith(f" {model['id']} --output ranking.csv\n")


@pytest.mark.usefixtures("commands_here")
def test_the_documents_of_each_label_can_be_written_and_shown(
    client: TestClient, model: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = {f"p{i}": "positive" for i in range(model["n_positive"])}
    labels |= {f"u{i}": "unlabeled" for i in range(model["n_unlabeled"])}
    judged = {"u0": "positive", "u1": "negative", "u2": "unsure"}
    body = [{"id": id_, "label": label} for id_, label in judged.items()]
    assert client.put(f"/projects/{model['project_id']}/labels", json=body).is_success
    labels |= judged
    for label in ("unlabeled", "positive", "negative", "unsure", "all"):
        expected = {id_ for id_, given in labels.items() if label in {given, "all"}}
        output = tmp_path / f"{label}.csv"

        ranking_command.run("", model["id"], None, output, part=Part(label))

        with output.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["id"]: row["label"] for row in rows} == {id_: labels[id_] for id_ in expected}
        ranks = [int(row["rank"]) for row in rows]
        assert ranks == sorted(ranks)
        capsys.readouterr()

        ranking_command.run("", model["id"], None, None, part=Part(label, is_last=True))

        shown, notes = capsys.readouterr()
        found = [line.split("\t") for line in shown.splitlines() if "\t" in line]
        assert [int(line[0]) for line in found] == ranks[::-1]
        option = "" if label == "unlabeled" else f"--label {label} "
        assert notes.endswith(f" {model['id']} {option}--last --output ranking.csv\n")
        n_left_out = len(labels) - ranks[0] + 1 - len(ranks)
        assert (f"Left out among these ranks: {n_left_out} that " in notes) is (n_left_out > 0)


@pytest.mark.usefixtures("commands_here")
def test_what_is_accepted_can_be_written_by_any_cut_of_the_model(
    client: TestClient,
    model: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, project = f"/models/{model['id']}", f"/projects/{model['project_id']}"
    best = client.get(f"{path}/ranking", params={"label": "unlabeled"}).json()["documents"][0]["id"]
    judged = [{"id": best, "label": "negative"}]
    assert client.put(f"{project}/labels", json=judged).is_success
    whole = client.get(f"{path}/ranking").json()["documents"]
    pile = [row for row in whole if row["label"] == "unlabeled"]
    cuts = {cut["rule"]: cut for cut in client.get(f"{path}/cuts").json()["cuts"]}
    score = pile[0]["score"]
    numbers = count()

    def written(label: str, *cut: Any) -> list[str]:
        output = tmp_path / f"{next(numbers)}.ndjson"
        part = Part(label, cut=AskedCut(*cut))
        ranking_command.run("", model["id"], None, output, part=part)
        return [json.loads(line)["id"] for line in output.read_text().splitlines()]

    assert written("unlabeled", True) == [row["id"] for row in pile if row["predicted"]]
    assert written("all", True) == [row["id"] for row in whole if row["predicted"]]
    assert best not in written("all", True)
    assert written("unlabeled", False, "lee_liu") == [
        row["id"] for row in pile if row["score"] >= cuts["lee_liu"]["offset"]
    ]
    assert written("unlabeled", False, None, score) == [
        row["id"] for row in pile if row["score"] >= score
    ]
    capsys.readouterr()
    ranking_command.run("", model["id"], None, None, part=Part(cut=AskedCut(rule="own")))
    assert capsys.readouterr().err.endswith(" --cut own --output ranking.csv\n")
    two = Part(cut=AskedCut(is_accepted=True, rule="own"))
    with pytest.raises(ServiceFailed, match="Give one of --accepted, --cut and --min-score"):
        ranking_command.run("", model["id"], None, None, part=two)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("budget:2", "has no cut by budget:2, but by own, prior. For the first N take --limit N."),
        ("f1", "has no cut by f1 (to accept all would be best), but by own, prior."),
        ("lee_liu", "has no cut by lee_liu (equal scores), but by own, prior."),
    ],
)
def test_why_there_is_no_cut_to_rank_by_is_told(rule: str, why: str) -> None:
    offsets = {"own": 0.5, "f1": None, "prior": 0.25, "lee_liu": None}
    reasons = {"f1": "accepts_all", "lee_liu": "equal_scores"}
    cuts = [{"rule": r, "offset": o, "reason": reasons.get(r)} for r, o in offsets.items()]
    service = MockTransport(lambda _: Response(200, json={"cuts": cuts}))

    with Client(base_url="http://service", transport=service) as client:
        assert cut_score(client, "7a", "prior") == 0.25
        with pytest.raises(ServiceFailed) as refused:
            cut_score(client, "7a", rule)
    assert str(refused.value).endswith(why)


@pytest.mark.parametrize(("label", "total"), [("unlabeled", 140), ("all", 150), ("positive", 12)])
def test_the_bar_goes_to_the_documents_of_the_label(
    monkeypatch: pytest.MonkeyPatch, label: str, total: int
) -> None:
    model = {"n_documents": 100, "n_unlabeled": 90, "project_id": "7a"}
    model["ranking"] = {"n_documents": 150}
    answers = {"/projects/7a": {"counts": {"positive": 12}}}
    service = MockTransport(lambda request: Response(200, json=answers[request.url.path]))

    with Client(base_url="http://service", transport=service) as client:
        assert ranking_command.n_documents(client, model, label) == total


@pytest.mark.usefixtures("commands_here")
def test_a_csv_is_one_for_spreadsheets_and_no_file_is_overwritten(
    client: TestClient, model: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "flood " + "😀" * 20_000
    document = {"id": "u0", "text": long}
    client.post(f"/projects/{model['project_id']}/unlabeled", json={"documents": [document]})
    output = tmp_path / "ranking.csv"

    ranking_command.run("", model["id"], None, output)

    assert output.read_bytes().startswith(codecs.BOM_UTF8 + b"rank,id,")
    with output.open(encoding="utf-8-sig", newline="") as file:
        texts = {row["id"]: row["text"] for row in csv.DictReader(file)}
    # Each of these characters is two units of UTF-16.
    assert texts["u0"] == long[: 6 + (32_767 - 1 - 6) // 2] + "…"
    assert "with … at the end: 1. An .ndjson has them whole." in capsys.readouterr().out
    with pytest.raises(ServiceFailed, match=r"ranking\.csv is there already: delete it or choose"):
        ranking_command.run("", model["id"], None, output)


@pytest.mark.usefixtures("commands_here")
def test_a_csv_has_the_delimiter_that_a_spreadsheet_expects(
    model: dict[str, Any], tmp_path: Path
) -> None:
    output = tmp_path / "ranking.csv"

    ranking_command.run("", model["id"], 2, output, delimiter="semicolon")

    with output.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    assert [row["label"] for row in rows] == ["unlabeled"] * 2
    for other in (None, tmp_path / "ranking.ndjson", tmp_path / "ranking.ris"):
        with pytest.raises(ServiceFailed, match=r"--delimiter is for --output FILE\.csv"):
            ranking_command.run("", model["id"], 2, other, delimiter="semicolon")


@pytest.mark.parametrize(("length", "is_cut"), [(32_767, False), (32_768, True)])
def test_a_text_that_fits_a_cell_stays_as_it_is(length: int, *, is_cut: bool) -> None:
    cell = spreadsheet_file.in_cell("x" * length)

    assert len(cell) == 32_767
    assert cell.endswith("…") is is_cut
