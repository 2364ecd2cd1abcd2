"""Rankings that cannot be written, and how many rows are to come."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.commands import ranking as ranking_command
from app.commands.client import ServiceFailed


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    output = tmp_path / "no such folder" / "ranking.csv"

    with (
        pytest.raises(ServiceFailed, match=r"Cannot write .*: No such file .* with --output\."),
        ranking_command.replaced(output),
    ):
        pass


def test_what_breaks_leaves_the_file_of_before_and_nothing_else(tmp_path: Path) -> None:
    output = tmp_path / "ranking.csv"
    output.write_text("before")

    def rows() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ranking_command.replaced(output) as file:
        file.writelines(rows())

    assert output.read_text() == "before"
    assert list(tmp_path.iterdir()) == [output]


def test_what_is_whole_takes_the_place_of_the_file_of_before(tmp_path: Path) -> None:
    output = tmp_path / "ranking.csv"
    output.write_text("before")

    with ranking_command.replaced(output) as file:
        file.write("all")

    assert output.read_text() == "all"
    assert list(tmp_path.iterdir()) == [output]


def test_the_total_is_that_of_the_ranking_of_today() -> None:
    model = {"n_documents": 100, "n_unlabeled": 90, "ranking": {"n_documents": 150}}

    assert ranking_command.n_unlabeled(model) == 140


@pytest.mark.parametrize("limit", [1, 2, 9])
def test_the_last_are_those_that_are_unlabeled_now(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(ranking_command, "show_rows", lambda _, rows: shown.extend(rows))
    monkeypatch.setattr(ranking_command, "connected", lambda *_: nullcontext(client))
    project = f"/projects/{model['project_id']}"
    ranked = client.get(f"/models/{model['id']}/ranking", params={"label": "unlabeled"}).json()
    *rest, deleted, one, other = [row["id"] for row in ranked["documents"]]
    labels = [{"id": id_, "label": "negative"} for id_ in (one, other)]
    assert client.put(f"{project}/labels", json=labels).is_success
    assert client.delete(f"{project}/documents/{deleted}").is_success

    ranking_command.run("", model["id"], limit, None, is_last=True)

    assert [row["id"] for row in shown] == rest[::-1][:limit]
