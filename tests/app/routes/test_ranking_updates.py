"""A ranking is brought up to date, over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.http.page_tokens import encode_page_token, list_mark
from app.services.ranking import current_ranking

NEW = [{"id": "n0", "text": "water of the river"}, {"id": "n1", "text": "a goal, then rain"}]


def update(client: TestClient, model_id: str, run_job: Callable[[], str]) -> dict[str, Any]:
    answer = client.post(f"/models/{model_id}/ranking")
    assert answer.status_code == 202
    run_job()
    job = client.get(answer.headers["location"]).json()
    assert (job["kind"], job["status"]) == ("ranking", "succeeded")
    result: dict[str, Any] = job["result"]
    return result


def scores_of(client: TestClient, model_id: str) -> dict[str, tuple[float, float]]:
    rows = client.get(f"/models/{model_id}/ranking").json()["documents"]
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    return {row["id"]: (row["score"], row["probability"]) for row in rows}


def told_current(client: TestClient, model: dict[str, Any]) -> list[bool]:
    """Return what each answer that tells of the ranking says of it."""
    chosen = client.put(f"/projects/{model['project_id']}/champion", json={"model_id": model["id"]})
    (listed,) = client.get("/models").json()["models"]
    read = client.get(f"/models/{model['id']}").json()
    ranking = client.get(f"/models/{model['id']}/ranking").json()
    told = [*(one["ranking"] for one in (chosen.json(), listed, read)), ranking]
    return [one["is_current"] for one in told]


def predicted(client: TestClient, model_id: str, *texts: str) -> list[Any]:
    body = {"model_id": model_id, "texts": texts}
    found = client.post("/predict", json=body).json()["predictions"]
    return [pytest.approx((one["score"], one["probability"])) for one in found]


def test_new_documents_are_ranked_as_they_are_predicted(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    path = f"/projects/{model['project_id']}/unlabeled"
    before = scores_of(client, model["id"])
    assert told_current(client, model) == [True] * 4
    client.post(path, json={"documents": NEW})
    assert scores_of(client, model["id"]) == before
    assert told_current(client, model) == [False] * 4
    result = update(client, model["id"], run_job)

    scores = predicted(client, model["id"], *(row["text"] for row in NEW))
    assert scores_of(client, model["id"]) == before | {"n0": scores[0], "n1": scores[1]}
    n_documents = len(before) + len(NEW)
    assert result == {
        "model_id": model["id"],
        "n_scored": len(NEW),
        "n_documents": n_documents,
        "approximate": False,
    }
    assert told_current(client, model) == [True] * 4
    now = client.get(f"/models/{model['id']}").json()
    assert now["ranking"]["n_documents"] == n_documents
    assert now["ranking"]["updated_at"] > model["ranking"]["updated_at"]
    assert {**now, "ranking": None} == {**model, "ranking": None}
    explained = client.get(f"/models/{model['id']}/documents/n0/explanation").json()
    assert explained["rank"] is not None

    client.post(path, json={"documents": [{"id": "u4", "text": NEW[0]["text"]}]})
    assert told_current(client, model) == [False] * 4
    assert update(client, model["id"], run_job)["n_scored"] == n_documents
    found = scores_of(client, model["id"])
    assert len(found) == n_documents
    assert found["u4"] == found["n0"] == scores[0]
    assert update(client, model["id"], run_job)["n_scored"] == 0


def test_pages_of_a_ranking_that_was_replaced_are_not_gone_on_with(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    path, asked = f"/models/{model['id']}/ranking", {"page_size": 4, "min_score": -1e9}
    asked["page_token"] = client.get(path, params=asked).json()["next_page_token"]
    client.post(f"/projects/{model['project_id']}/unlabeled", json={"documents": NEW})
    assert client.get(path, params=asked).status_code == 200
    update(client, model["id"], run_job)
    answer = client.get(path, params=asked)
    assert (answer.status_code, answer.json()["code"]) == (409, "ranking_replaced")
    assert "first page" in answer.json()["detail"]

    mark = list_mark(path, [(name, str(value)) for name, value in asked.items()])
    for position in ("4", "4@", "4@00@", "x@00", ""):
        token = encode_page_token(f"{mark} {position}")
        assert client.get(path, params={**asked, "page_token": token}).status_code == 422


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/models/{id}/ranking?page_size=4", "application/json"),
        ("/models/{id}/ranking", "text/csv"),
        ("/models/{id}/documents/n0/explanation", "application/json"),
        ("/models/{id}/cuts?score=0", "application/json"),
        ("/projects/{project_id}/next", "application/json"),
        ("/projects/{project_id}/review", "application/json"),
    ],
)
def test_a_ranking_replaced_while_a_request_looks_for_it_is_no_error(
    client: TestClient,
    model: dict[str, Any],
    run_job: Callable[[], str],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    accept: str,
) -> None:
    client.post(f"/projects/{model['project_id']}/unlabeled", json={"documents": NEW})
    load = current_ranking.load

    def load_late(*given: Any) -> Any:
        monkeypatch.undo()
        update(client, model["id"], run_job)
        return load(*given)

    def answer() -> Any:
        url = path.format(**model)
        found = client.get(url, headers={"accept": accept})
        assert found.status_code == 200
        return found.text

    monkeypatch.setattr(current_ranking, "load", load_late)
    first = answer()
    assert client.get(f"/models/{model['id']}").json()["ranking"] != model["ranking"]
    assert first == answer()


def test_a_key_makes_one_job_and_a_model_that_is_not_there_none(
    client: TestClient, model: dict[str, Any]
) -> None:
    path, key = f"/models/{model['id']}/ranking", {"idempotency-key": "once"}
    first, second = (client.post(path, headers=key) for _ in range(2))
    assert first.json()["id"] == second.json()["id"]
    answer = client.post("/models/nobody/ranking")
    assert (answer.status_code, answer.json()["code"]) == (404, "model_not_found")


def test_a_ranking_does_without_documents_that_were_removed_with_others(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    path = f"/projects/{model['project_id']}"
    assert client.post(f"{path}/deletions", json={"ids": ["u0", "u1"]}).json()["deleted"] == 2
    update(client, model["id"], run_job)
    ranked = client.get(f"/models/{model['id']}/ranking").json()["documents"]
    assert not {"u0", "u1"} & {document["id"] for document in ranked}
