"""Older models are deleted, those in use are not."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.commands.delete import delete_models


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
