"""What all deletions have in common."""

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient


def test_an_answer_without_a_body_has_no_media_type(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    table = client.post(
        "/tables",
        params={"label_column": "kind", "positive": "a"},
        content="x,kind\n1,a\n2,b\n",
        headers={"content-type": "text/csv"},
    ).json()
    client.post("/feature-selection", json={"table_id": table["id"], "method": "k_best"})
    selection = client.get(f"/jobs/{run_job()}").json()["result"]["feature_selection_id"]
    project = f"/projects/{model['project_id']}"
    paths = {
        "/projects/{project_id}/documents/{document_id}": f"{project}/documents/u0",
        "/models/{model_id}": f"/models/{model['id']}",
        "/projects/{project_id}": project,
        "/feature-selections/{feature_selection_id}": f"/feature-selections/{selection}",
        "/tables/{table_id}": f"/tables/{table['id']}",
    }

    answers = [client.delete(path) for path in paths.values()]

    assert [answer.status_code for answer in answers] == [204] * len(paths)
    for answer in answers:
        assert not {"content-type", "content-length"} & set(answer.headers)
    app = client.app
    assert isinstance(app, FastAPI)
    described = app.openapi()["paths"].items()
    assert set(paths) == {path for path, methods in described if "delete" in methods}
