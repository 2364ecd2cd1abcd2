"""A review that goes on elsewhere: the file of a ranking takes its order of reading along."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.commands import judge as judge_command
from app.commands import ranking as ranking_command
from app.commands import upload as upload_command
from app.commands.client import ServiceFailed
from app.commands.label_file import read_lines
from app.commands.ranking import ALL, Part

#: How the first documents of the pile were judged, in this order.
READ = ["p"] * 6 + ["n", "p", "u", "n", "p", *"nnnnnnnn", "p", *"nnnnnnnnnn"]
LABELS = {"p": "positive", "n": "negative", "u": "unsure"}
N_SEEDS = 3

pytestmark = pytest.mark.usefixtures("commands_here")


@pytest.fixture
def train(client: TestClient, run_job: Callable[[], str]) -> Callable[[str], str]:
    """Return what trains a model of a project and returns its id."""

    def trained(project: str) -> str:
        body = {"project_id": project, "algorithm": "prototype", "calibrate": False}
        assert client.post("/train", json=body).status_code == 202
        model_id: str = client.get(f"/jobs/{run_job()}").json()["result"]["model_id"]
        return model_id

    return trained


def put(client: TestClient, project: str, labels: list[tuple[str, str]]) -> None:
    body = [{"id": id_, "label": label} for id_, label in labels]
    assert client.put(f"/projects/{project}/labels", json=body).is_success


@pytest.fixture
def reviewed(client: TestClient, project_id: str, train: Callable[[str], str]) -> str:
    """Return a project of which a part was read."""
    seeds = [{"id": f"seed{i}", "text": f"river flood {i}"} for i in range(N_SEEDS)]
    pile = [{"id": f"d{i}", "text": f"goal match river {i} {i % 7}"} for i in range(90)]
    client.post(f"/projects/{project_id}/positives", json=seeds)
    client.post(f"/projects/{project_id}/unlabeled", json=pile)
    train(project_id)
    # From the last one to the first, so that no other order is the same.
    read = [(f"d{60 - i}", LABELS[mark]) for i, mark in enumerate(READ)]
    put(client, project_id, read[:9])
    put(client, project_id, [("d60", "unlabeled")])
    put(client, project_id, [*read[9:], ("d60", "positive")])
    train(project_id)
    return project_id


def known(client: TestClient, project: str) -> dict[str, Any]:
    review: dict[str, Any] = client.get(f"/projects/{project}/review").json()
    return review


def test_the_ranking_counts_judgements_in_their_order(
    client: TestClient, reviewed: str, tmp_path: Path
) -> None:
    (model, *_) = client.get("/models", params={"project_id": reviewed}).json()["models"]
    path = f"/models/{model['id']}/ranking"
    rows = client.get(path, params={"page_size": 1000}).json()["documents"]
    judged = {row["id"]: row["judgement"] for row in rows if row["judgement"] is not None}
    in_order = [f"d{60 - i}" for i in range(1, len(READ))] + ["d60"]
    assert sorted(judged, key=lambda id_: judged[id_]) == in_order
    assert {row["label"] for row in rows if row["judgement"] is None} == {"positive", "unlabeled"}
    exported = client.get(path, headers={"accept": "application/x-ndjson"}).text
    assert [json.loads(line)["judgement"] for line in exported.splitlines()] == [
        row["judgement"] for row in rows
    ]

    put(client, reviewed, [("seed0", "unlabeled")])
    (seed,) = (
        row
        for row in client.get(path, params={"page_size": 1000}).json()["documents"]
        if row["id"] == "seed0"
    )
    assert (seed["label"], seed["judgement"]) == ("unlabeled", None)

    file = tmp_path / "all.csv"
    ranking_command.run("", model["id"], None, file, part=Part(ALL))
    with file.open(encoding="utf-8-sig", newline="") as stream:
        written = {row["id"]: row["judgement"] for row in csv.DictReader(stream)}
    assert {id_: int(told) for id_, told in written.items() if told} == judged


def test_a_review_is_the_same_in_the_project_that_takes_its_file(
    client: TestClient,
    reviewed: str,
    train: Callable[[str], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "all.csv"
    ranking_command.run("", reviewed, None, file, part=Part(ALL))
    copy = client.post("/projects", json={"name": "copy"}).json()["id"]
    csv_type = {"content-type": "text/csv"}
    client.post(f"/projects/{copy}/unlabeled", content=file.read_bytes(), headers=csv_type)
    capsys.readouterr()

    judge_command.run("", copy, file, "utf-8")

    told = capsys.readouterr().out
    assert f"{N_SEEDS + READ.count('p')} positive" in told
    assert f"{N_SEEDS + len(READ)} changed" in told
    assert f"\nPositives given at the start, according to the file: {N_SEEDS}.\n" in told
    train(copy)
    assert known(client, copy)["n_seeds"] == N_SEEDS
    assert known(client, copy) == known(client, reviewed)
    # Once more it changes nothing.
    judge_command.run("", copy, file, "utf-8")
    assert "; 0 changed." in capsys.readouterr().out
    assert known(client, copy) == known(client, reviewed)


def test_positives_alone_that_were_read_are_no_seeds(
    client: TestClient, reviewed: str, train: Callable[[str], str], tmp_path: Path
) -> None:
    read = [f"d{60 - i}" for i, mark in enumerate(READ) if mark != "p"]
    put(client, reviewed, [(id_, "unlabeled") for id_ in read])
    train(reviewed)
    file = tmp_path / "all.csv"
    ranking_command.run("", reviewed, None, file, part=Part(ALL))
    copy = client.post("/projects", json={"name": "copy"}).json()["id"]
    csv_type = {"content-type": "text/csv"}
    client.post(f"/projects/{copy}/unlabeled", content=file.read_bytes(), headers=csv_type)
    judge_command.run("", copy, file, "utf-8")
    train(copy)
    assert known(client, copy)["n_seeds"] == N_SEEDS
    assert known(client, copy)["n_found"] == READ.count("p")
    assert known(client, copy) == known(client, reviewed)


def test_where_something_was_judged_already_no_positives_come_before_the_others(
    client: TestClient, reviewed: str, tmp_path: Path
) -> None:
    file = tmp_path / "more.csv"
    file.write_text("id,label,rank,judgement\nd80,positive,3,\nd81,negative,2,\nd82,positive,1,\n")
    before = known(client, reviewed)

    judge_command.run("", reviewed, file, "utf-8")

    after = known(client, reviewed)
    assert (after["n_seeds"], after["n_judged"]) == (N_SEEDS, before["n_judged"] + 3)
    assert list(read_lines(file).lines) == ["d82", "d81", "d80"]


def test_what_was_sent_before_ids_turned_out_unknown_is_told(
    client: TestClient, project_id: str, tmp_path: Path
) -> None:
    client.post(f"/projects/{project_id}/unlabeled", json=[{"id": "a", "text": "river"}])
    file = tmp_path / "all.csv"
    file.write_text("id,label,judgement\na,positive,\nb,negative,1\n")

    with pytest.raises(ServiceFailed, match="given at the start were labeled; nothing else was"):
        judge_command.run("", project_id, file, "utf-8")
    assert known(client, project_id)["n_seeds"] == 1


@pytest.mark.parametrize(
    ("judgements", "expected"),
    [
        (("3", "1", "2"), "bcad"),
        (("2", "", "1"), "cadb"),
        # Of two projects: they say nothing of each other.
        (("2", "1", "1"), "dcba"),
    ],
)
def test_labels_are_in_the_order_of_the_judgements_then_of_the_ranks(
    tmp_path: Path, judgements: tuple[str, ...], expected: str
) -> None:
    file = tmp_path / "all.csv"
    cells = zip("abcd", (4, 3, 2, 1), [*judgements, ""], strict=True)
    rows = [f"{id_},positive,{rank},{judgement}" for id_, rank, judgement in cells]
    file.write_text("\n".join(["id,label,rank,judgement", *rows]))

    assert "".join(read_lines(file).lines) == expected


def test_the_upload_of_a_file_with_labels_leads_to_them(
    client: TestClient, reviewed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def uploaded(file: Path, label: str) -> str:
        capsys.readouterr()
        upload_command.run(
            "",
            [file],
            project=f"{label} copy",
            label=label,
            language=None,
            columns={},
            charset="utf-8",
        )
        return capsys.readouterr().out.splitlines()[-1]

    file = tmp_path / "it is all.csv"
    ranking_command.run("", reviewed, None, file, part=Part(ALL))
    judge = f"judge --url {client.base_url} 'unlabeled copy' '{file}'"
    assert uploaded(file, "unlabeled") == f"Next: seedbed {judge}"
    # All that is uploaded so is positive.
    assert "judge" not in uploaded(file, "positives")

    # Nobody labeled any of these, so they are no labels to send.
    file = tmp_path / "pile.csv"
    ranking_command.run("", reviewed, None, file, part=Part("unlabeled"))
    assert " EXAMPLES " in uploaded(file, "unlabeled")
