"""The table of models."""

import io
from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient
from rich.console import Console

from app.commands.models import show


def shown(client: TestClient, project_id: str) -> list[str]:
    screen = io.StringIO()
    console = Console(file=screen, width=100, markup=False, highlight=False, emoji=False)
    show(client, project_id, "floods", console)
    return screen.getvalue().splitlines()


def test_models_stand_with_what_tells_them_apart(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    project_id = model["project_id"]
    assert client.post("/train", json={"project_id": project_id, "algorithm": "lgn"}).is_success
    second = client.get(f"/jobs/{run_job()}").json()["result"]["model_id"]
    assert shown(client, project_id)[1].split()[4:] == ["current"]
    documents = {"documents": [{"text": "it came later"}]}
    assert client.post(f"/projects/{project_id}/unlabeled", json=documents).is_success

    head, newest, first = shown(client, project_id)
    assert head.split() == ["model", "algorithm", "trained", "ranking", "answers"]
    assert newest.split()[:2] == [second, "lgn"]
    assert newest.split()[4:] == ["older"]
    assert first.split()[:2] == [model["id"], model["algorithm"]]
    assert first.split()[4:] == ["older", "champion"]


def test_without_models_the_next_command_trains_one(
    client: TestClient, filled_project_id: str
) -> None:
    (told,) = shown(client, filled_project_id)
    assert told.startswith("There are no models. Next: seedbed train ")
