"""Older models are deleted, those in use are not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.commands import delete
from app.commands.client import ServiceFailed
from app.commands.delete import delete_documents, delete_models
from tests.app.seedbed_command import seedbed


@pytest.mark.parametrize(("n_kept", "left"), [(0, [0]), (1, [3, 0]), (2, [3, 2, 0]), (9, None)])
def test_the_newest_models_and_the_champion_are_kept(
    client: TestClient,
    model: dict[str, Any],
    run_job: Callable[[], str],
    capsys: pytest.CaptureFixture[str],
    n_kept: int,
    left: list[int] | None,
) -> None:
    project_id, models = model["project_id"], [model["id"]]
    for _ in range(3):
        body = {"project_id": project_id, "algorithm": "prototype", "calibrate": False}
        assert client.post("/train", json=body).is_success
        models.append(client.get(f"/jobs/{run_job()}").json()["result"]["model_id"])

    delete_models(client, project_id, "floods", asks=False, n_kept=n_kept)
    told = capsys.readouterr().out

    kept = client.get("/models", params={"project_id": project_id}).json()["models"]
    expected = [3, 2, 1, 0] if left is None else left
    assert [one["id"] for one in kept] == [models[i] for i in expected]
    assert told.endswith(f"\nModels deleted: {4 - len(expected)}.\n")


def test_documents_are_deleted_some_at_a_time(
    client: TestClient,
    filled_project_id: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(delete, "IDS_AT_A_TIME", 2)
    delete_documents(client, filled_project_id, "floods", ["u0", " x ", "u1"], asks=False)
    delete_documents(client, filled_project_id, "floods", ["u2"], asks=False)
    told = [line for line in capsys.readouterr().out.splitlines() if "request" not in line]
    assert told == [
        "Documents deleted: 2.",
        "Ids of no document: 1, such as ' x '.",
        "Documents deleted: 1.",
    ]
    assert not client.get(f"/projects/{filled_project_id}/documents/u1").is_success


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b" \n\n", "has no ids"),
        (b"\xff", "cannot be read as text in UTF-8"),
        (b"a\n\nb\tc\n", "Line 3 of .* is no id: 'b.tc'"),
    ],
)
def test_a_file_without_ids_deletes_nothing(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "gone.txt"
    file.write_bytes(content)
    with pytest.raises(ServiceFailed, match=told):
        delete.run("http://127.0.0.1:1", "floods", asks=False, models_but=None, documents=file)


def test_blanks_around_ids_are_no_part_of_them(tmp_path: Path) -> None:
    file = tmp_path / "gone.txt"
    file.write_text("a \n\n b c\r\na\n", encoding="utf-8-sig")

    assert delete._ids_in(file) == ["a", "b c"]


def test_a_file_that_is_not_there_is_told_as_such(tmp_path: Path) -> None:
    finished = seedbed("delete", "floods", "--documents", str(tmp_path / "gone.txt"))

    assert finished.returncode == 2
    assert "does not exist" in finished.stderr
