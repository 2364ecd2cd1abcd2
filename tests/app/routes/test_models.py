import csv
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rispy
from fastapi.testclient import TestClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from app.media_types import RIS
from app.orm import Model
from app.repositories.models import ModelRepository
from app.services.ranking import exports, ranking
from app.settings import Settings
from core.persistence import load


@pytest.fixture
def ranking_path(model: dict[str, Any]) -> str:
    return f"/models/{model['id']}/ranking"


def test_model_tells_what_it_was_trained_on_and_what_came_of_it(
    client: TestClient, model: dict[str, Any]
) -> None:
    assert model["algorithm"] == "prototype"
    assert model["is_champion"]
    assert (model["n_documents"], model["n_positive"], model["n_unlabeled"]) == (9, 3, 6)
    assert len(model["sha256"]) == 64
    assert model["size"] > 0
    assert model["seconds"]
    assert client.get("/models").json()["models"] == [model]


@pytest.mark.parametrize("path", ["terms", "file", "ranking", "documents/u0/explanation", "test"])
def test_a_model_that_is_deleted_meanwhile_is_not_found(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    get, deleted = ModelRepository.get, []

    def get_and_delete(self: ModelRepository, model_id: str) -> Model:
        found = get(self, model_id)
        if not deleted:
            deleted.append(model_id)
            assert client.delete(f"/models/{model_id}").status_code == 204
        return found

    monkeypatch.setattr(ModelRepository, "get", get_and_delete)
    url = f"/models/{model['id']}/{path}"
    labeled = {"documents": [{"text": "water", "label": "positive"}]}
    answer = client.post(url, json=labeled) if path == "test" else client.get(url)
    assert (answer.status_code, answer.json()["code"]) == (404, "model_not_found")


def test_models_are_listed_by_project(client: TestClient, model: dict[str, Any]) -> None:
    other = client.post("/projects", json={"name": "other"}).json()["id"]

    def ids(project_id: str) -> list[str]:
        models = client.get("/models", params={"project_id": project_id}).json()["models"]
        return [found["id"] for found in models]

    assert ids(model["project_id"]) == [model["id"]]
    assert ids(other) == []
    assert client.get("/models", params={"project_id": "nobody"}).status_code == 404


def test_the_file_of_a_model_predicts_in_python_as_the_service_does(
    client: TestClient, model: dict[str, Any], tmp_path: Path
) -> None:
    answer = client.get(f"/models/{model['id']}/file")
    assert hashlib.sha256(answer.content).hexdigest() == model["sha256"]
    assert f'filename="{model["id"]}.model"' in answer.headers["content-disposition"]
    known = {"if-none-match": answer.headers["etag"]}
    assert client.get(f"/models/{model['id']}/file", headers=known).status_code == 304
    assert client.get("/models/nobody/file").status_code == 404

    (tmp_path / "model").write_bytes(answer.content)
    texts = ["flooded river", "a goal in the match"]
    asked = client.get("/predict", params={"model_id": model["id"], "text": texts})
    scores = [told["score"] for told in asked.json()["predictions"]]
    assert load(tmp_path / "model").score_samples(texts).tolist() == pytest.approx(scores)


def test_ranking_puts_floods_first(client: TestClient, ranking_path: str) -> None:
    documents = client.get(ranking_path).json()["documents"]

    assert [row["rank"] for row in documents] == list(range(1, 10))
    assert [row["score"] for row in documents] == sorted(
        (row["score"] for row in documents), reverse=True
    )
    assert {row["id"] for row in documents[:5]} == {"p0", "p1", "p2", "u0", "u1"}


def test_ranking_is_filtered_by_label_and_score(client: TestClient, ranking_path: str) -> None:
    whole = client.get(ranking_path).json()["documents"]
    fourth = whole[3]["score"]

    unlabeled = client.get(ranking_path, params={"label": "unlabeled"}).json()["documents"]
    best = client.get(ranking_path, params={"min_score": fourth}).json()["documents"]

    assert unlabeled == [row for row in whole if row["label"] == "unlabeled"]
    assert best == whole[:4]


def test_ranking_is_filtered_by_what_is_predicted(client: TestClient, ranking_path: str) -> None:
    whole = client.get(ranking_path).json()["documents"]

    accepted = client.get(ranking_path, params={"predicted": True}).json()["documents"]
    lines = client.get(
        ranking_path, params={"predicted": False}, headers={"accept": "application/x-ndjson"}
    ).text.splitlines()

    assert accepted == [row for row in whole if row["predicted"]]
    assert [json.loads(line)["id"] for line in lines] == [
        row["id"] for row in whole if not row["predicted"]
    ]
    assert accepted
    assert lines


def test_ranking_pages_join_to_the_whole(client: TestClient, ranking_path: str) -> None:
    whole = client.get(ranking_path).json()["documents"]
    parameters: dict[str, Any] = {"page_size": 4, "label": "unlabeled"}

    first = client.get(ranking_path, params=parameters).json()
    second = client.get(
        ranking_path, params={**parameters, "page_token": first["next_page_token"]}
    ).json()

    assert len(first["documents"]) == 4
    assert second["next_page_token"] is None
    joined = first["documents"] + second["documents"]
    assert joined == [row for row in whole if row["label"] == "unlabeled"]


@pytest.mark.parametrize(
    "other",
    [
        {"order": "last"},
        {"label": "unlabeled", "order": "last"},
        {"label": "positive"},
        {"label": "unlabeled", "min_score": -1e-9},
        {},
    ],
)
def test_a_page_token_goes_with_the_parameters_it_was_given_for(
    client: TestClient, ranking_path: str, other: dict[str, str]
) -> None:
    asked: dict[str, Any] = {"order": "first", "label": "unlabeled", "page_size": 2}
    token = client.get(ranking_path, params=asked).json()["next_page_token"]

    # How many rows a page has may change on the way, and the order of the parameters.
    again = {"page_token": token, "page_size": 3, "label": "unlabeled", "order": "first"}
    assert client.get(ranking_path, params=again).status_code == 200
    refused = client.get(ranking_path, params={**other, "page_token": token})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
    (error,) = refused.json()["errors"]
    assert error["pointer"] == "?page_token"
    assert "this list with other parameters" in error["detail"]


@pytest.mark.parametrize(
    ("media_type", "ending"),
    [("application/x-ndjson", "ndjson"), ("text/csv", "csv"), (RIS, "ris")],
)
def test_an_exported_ranking_has_the_name_of_a_file(
    client: TestClient, model: dict[str, Any], ranking_path: str, media_type: str, ending: str
) -> None:
    response = client.get(ranking_path, headers={"accept": media_type})

    named = f'attachment; filename="{model["id"]}.{ending}"'
    assert response.headers["content-disposition"] == named


def test_ranking_is_exported_as_ndjson(client: TestClient, ranking_path: str) -> None:
    response = client.get(ranking_path, headers={"accept": "application/x-ndjson"})

    assert response.headers["content-type"] == "application/x-ndjson"
    rows = [json.loads(line) for line in response.text.splitlines()]
    assert rows == client.get(ranking_path).json()["documents"]


def test_csv_export_has_no_formulas(client: TestClient, ranking_path: str) -> None:
    response = client.get(ranking_path, headers={"accept": "text/csv"})

    rows = list(csv.DictReader(response.text.splitlines()))
    documents = client.get(ranking_path).json()["documents"]
    assert [float(row["score"]) for row in rows] == [row["score"] for row in documents]
    assert [row["predicted"] == "true" for row in rows] == [row["predicted"] for row in documents]
    texts = {row["id"]: row["text"] for row in rows}
    assert texts["u5"] == "'=the band plays its new album on Friday"
    assert texts["u0"] == "water rises in the streets after heavy rain"


def test_csv_export_for_spreadsheets_with_decimal_commas(
    client: TestClient, ranking_path: str
) -> None:
    params = {"delimiter": "semicolon"}
    response = client.get(ranking_path, params=params, headers={"accept": "text/csv"})

    rows = list(csv.DictReader(response.text.splitlines(), delimiter=";"))
    documents = client.get(ranking_path).json()["documents"]
    told = [float(row["score"].replace(",", ".")) for row in rows]
    assert told == [row["score"] for row in documents]
    assert not any("." in row["score"] for row in rows)


@pytest.mark.parametrize("media_type", ["application/json", "application/x-ndjson", RIS])
def test_what_has_no_columns_has_no_delimiter(
    client: TestClient, ranking_path: str, media_type: str
) -> None:
    params = {"delimiter": "tab"}
    response = client.get(ranking_path, params=params, headers={"accept": media_type})

    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert error["pointer"] == "?delimiter"
    assert "send Accept: text/csv" in error["detail"]


def test_ranking_is_exported_as_references(client: TestClient, ranking_path: str) -> None:
    response = client.get(ranking_path, params={"label": "unlabeled"}, headers={"accept": RIS})

    assert response.headers["content-type"] == RIS
    told = rispy.loads(response.text)
    documents = client.get(ranking_path, params={"label": "unlabeled"}).json()["documents"]
    assert [each["id"] for each in told] == [each["id"] for each in documents]
    titles = {each["id"]: each.get("title") for each in told}
    assert titles["u0"] == "water rises in the streets after heavy rain"


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("*/*", "application/json"),
        ("text/*", "text/csv; charset=utf-8"),
        ("", "application/json"),
        ("text/csv, */*", "text/csv; charset=utf-8"),
        ("*/*, text/*", "text/csv; charset=utf-8"),
        ("text/csv;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("application/json;q=0, */*", "application/x-ndjson"),
        ("image/png", "application/problem+json"),
    ],
)
def test_client_chooses_the_form_of_the_ranking(
    client: TestClient, ranking_path: str, accept: str, content_type: str
) -> None:
    response = client.get(ranking_path, headers={"accept": accept})

    assert response.headers["content-type"] == content_type


@pytest.mark.parametrize("path", ["", "/ranking"])
def test_unchanged_answer_is_not_sent_again(
    client: TestClient, model: dict[str, Any], path: str
) -> None:
    url = f"/models/{model['id']}{path}"
    etag = client.get(url).headers["etag"]
    assert etag.startswith('"')

    for known in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        response = client.get(url, headers={"if-none-match": known})
        assert (response.status_code, response.content) == (304, b"")
        assert response.headers["etag"] == etag
    assert client.get(url, headers={"if-none-match": '"other"'}).status_code == 200


def test_etag_changes_with_a_label(
    client: TestClient, model: dict[str, Any], ranking_path: str
) -> None:
    etag = client.get(ranking_path).headers["etag"]

    client.put(f"/projects/{model['project_id']}/labels", json=[{"id": "u0", "label": "negative"}])

    assert client.get(ranking_path).headers["etag"] != etag


def test_terms_are_those_of_the_positives(client: TestClient, model: dict[str, Any]) -> None:
    response = client.get(f"/models/{model['id']}/terms", params={"n_terms": 2})

    terms = response.json()["terms_for"]
    # In all three positives, and in two of them.
    assert [term["term"] for term in terms] == ["water", "river"]
    assert terms[0]["weight"] > terms[1]["weight"] > 0


def test_documents_of_the_project_are_explained(client: TestClient, model: dict[str, Any]) -> None:
    document = {"id": "a/b c", "text": "water of the river"}
    client.post(f"/projects/{model['project_id']}/unlabeled", json={"documents": [document]})
    path = f"/models/{model['id']}/documents"
    ranked = client.get(f"/models/{model['id']}/ranking").json()["documents"]

    (row,) = [row for row in ranked if row["id"] == "u1"]
    told = client.get(f"{path}/u1/explanation").json()
    assert {name: told[name] for name in ("rank", "score", "probability", "predicted")} == {
        name: row[name] for name in ("rank", "score", "probability", "predicted")
    }
    assert {term["term"] for term in told["terms"]} >= {"river", "banks", "houses"}
    assert told["positives"][0]["id"] == "p0"
    assert client.get(f"{path}/a%2Fb%20c/explanation").json()["rank"] is None


def test_unknown_document_is_not_explained(client: TestClient, model: dict[str, Any]) -> None:
    response = client.get(f"/models/{model['id']}/documents/nobody/explanation")

    assert response.status_code == 404
    assert response.json()["code"] == "document_not_found"


def test_deleted_model_leaves_nothing_but_its_project(
    client: TestClient, model: dict[str, Any], settings: Settings
) -> None:
    client.get(f"/models/{model['id']}/terms")
    response = client.delete(f"/models/{model['id']}")

    assert response.status_code == 204
    assert client.get(f"/models/{model['id']}").status_code == 404
    assert not client.app.state.predictor._loaded  # type: ignore[attr-defined]  # of FastAPI
    assert client.get(f"/projects/{model['project_id']}").json()["champion_id"] is None
    left = [path for path in Path(settings.artifacts_url).rglob("*") if path.is_file()]
    assert [path.parent.name for path in left] == ["matrices"]


def test_a_model_whose_file_cannot_be_deleted_is_deleted(
    client: TestClient, model: dict[str, Any], settings: Settings
) -> None:
    client.get(f"/models/{model['id']}/terms")
    for path in Path(settings.artifacts_url).glob("models/*"):
        path.unlink()
        path.mkdir()

    assert client.delete(f"/models/{model['id']}").status_code == 204
    assert not client.app.state.predictor._loaded  # type: ignore[attr-defined]  # of FastAPI


def test_lost_file_is_told(client: TestClient, model: dict[str, Any], settings: Settings) -> None:
    for path in Path(settings.artifacts_url).rglob("*"):
        if path.is_file():
            path.unlink()

    for path in ("terms", "ranking"):
        response = client.get(f"/models/{model['id']}/{path}")
        assert response.status_code == 503
        assert response.json()["code"] == "artifact_unavailable"


def test_unknown_model_is_not_found(client: TestClient) -> None:
    requests: list[Callable[[str], Any]] = [client.get, client.delete]
    for response in (
        *(request("/models/nobody") for request in requests),
        client.get("/models/nobody/ranking"),
        client.get("/models/nobody/terms"),
        client.get("/models/nobody/documents/p0/explanation"),
    ):
        assert response.status_code == 404
        assert response.json()["code"] == "model_not_found"


def test_ranking_begins_at_a_rank_and_goes_on_by_token(
    client: TestClient, model: dict[str, Any]
) -> None:
    url = f"/models/{model['id']}/ranking"
    whole = client.get(url).json()["documents"]
    last = client.get(url, params={"start_rank": model["n_documents"]}).json()
    assert (last["documents"], last["next_page_token"]) == (whole[-1:], None)

    asked = {"start_rank": 4, "page_size": 2}
    first = client.get(url, params=asked).json()
    second = client.get(url, params={**asked, "page_token": first["next_page_token"]}).json()
    assert first["documents"] + second["documents"] == whole[3:7]
    lines = client.get(url, params={"start_rank": 4}, headers={"accept": "application/x-ndjson"})
    assert [json.loads(line) for line in lines.iter_lines()] == whole[3:]
    assert client.get(url, params={"start_rank": 0}).status_code == 422


def test_ranking_is_read_from_the_last_one_on(client: TestClient, ranking_path: str) -> None:
    whole = client.get(ranking_path).json()["documents"]
    unlabeled = [row for row in whole if row["label"] == "unlabeled"]

    asked: dict[str, Any] = {"order": "last", "label": "unlabeled", "page_size": 2}
    first = client.get(ranking_path, params=asked).json()
    second = client.get(
        ranking_path, params={**asked, "page_token": first["next_page_token"]}
    ).json()
    assert first["documents"] + second["documents"] == unlabeled[::-1][:4]

    asked = {"order": "last", "start_rank": 4}
    lines = client.get(ranking_path, params=asked, headers={"accept": "application/x-ndjson"})
    assert [json.loads(line) for line in lines.iter_lines()] == whole[3::-1]
    refused = client.get(ranking_path, params={"order": "asc"})
    assert refused.status_code == 422
    assert "'first' or 'last'" in refused.json()["errors"][0]["detail"]


@pytest.mark.parametrize("damage", ["cut short", "changed"])
@pytest.mark.parametrize(
    ("kind", "path", "parameters", "accept"),
    [
        ("models", "/predict", {"text": "water"}, "application/json"),
        ("models", "/models/{id}/terms", {}, "application/json"),
        ("models", "/models/{id}/documents/u0/explanation", {}, "application/json"),
        ("rankings", "/models/{id}/ranking", {}, "application/json"),
        ("rankings", "/models/{id}/ranking", {}, "text/csv"),
    ],
)
def test_file_damaged_after_it_was_used_is_told_until_it_is_restored(
    client: TestClient,
    model: dict[str, Any],
    settings: Settings,
    damage: str,
    kind: str,
    path: str,
    parameters: dict[str, str],
    accept: str,
) -> None:
    def status() -> int:
        asked = {**parameters, "model_id": model["id"]} if path == "/predict" else parameters
        url = path.format(id=model["id"])
        return client.get(url, params=asked, headers={"accept": accept}).status_code

    (file,) = Path(settings.artifacts_url, kind).iterdir()
    content = file.read_bytes()
    assert status() == 200
    if damage == "cut short":
        os.truncate(file, 10)
    else:
        file.write_bytes(content[:-100] + bytes([content[-100] ^ 1]) + content[-99:])
    assert [status(), status()] == [503, 503]
    assert client.get("/livez").status_code == 200
    file.write_bytes(content)
    assert status() == 200


def test_cuts_tell_what_each_would_give(client: TestClient, model: dict[str, Any]) -> None:
    told = client.get(f"/models/{model['id']}/cuts").json()
    cuts = {cut["rule"]: cut for cut in told["cuts"]}

    assert told["used"] == model["cut"]["rule"] == "f1"
    assert told["n_unlabeled"] == model["n_unlabeled"] == 6
    assert list(cuts) == ["own", "f1", "prior", "lee_liu", "conductance", "mixture"]
    assert cuts["f1"]["offset"] == model["offset"]
    precision, recall = (cuts["f1"][name] for name in ("precision", "recall"))
    assert 0 <= precision["low"] <= precision["value"] <= precision["high"] <= 1
    assert 0 <= recall["low"] <= recall["value"] <= recall["high"] <= 1


def test_any_cut_can_be_asked_about(
    client: TestClient, model: dict[str, Any], ranking_path: str
) -> None:
    unlabeled = client.get(ranking_path, params={"label": "unlabeled"}).json()["documents"]
    score = unlabeled[1]["score"]
    told = client.get(f"/models/{model['id']}/cuts", params={"score": score}).json()

    asked = told["cuts"][-1]
    above = [row["probability"] for row in unlabeled if row["score"] >= score]
    assert asked["rule"] == "asked"
    assert asked["n_accepted"] == len(above) == 2
    assert asked["precision"]["value"] == pytest.approx(sum(above) / 2, abs=1e-6)
    assert client.get("/models/nobody/cuts").status_code == 404


def test_what_a_budget_would_give_can_be_asked_without_training_with_it(
    client: TestClient, model: dict[str, Any], ranking_path: str
) -> None:
    unlabeled = client.get(ranking_path, params={"label": "unlabeled"}).json()["documents"]
    first = [row["probability"] for row in unlabeled[:2]]
    path = f"/models/{model['id']}/cuts"
    asked = client.get(path, params={"budget": 2}).json()["cuts"][-1]

    assert (asked["rule"], asked["n_accepted"]) == ("budget:2", 2)
    assert unlabeled[1]["score"] >= asked["offset"] > unlabeled[2]["score"]
    assert asked["precision"]["value"] == pytest.approx(sum(first) / 2, abs=1e-6)

    both = client.get(path, params={"budget": 6, "score": asked["offset"]}).json()["cuts"]
    assert [cut["rule"] for cut in both[-2:]] == ["asked", "budget:6"]
    assert [cut["n_accepted"] for cut in both[-2:]] == [2, 6]
    problem = client.get(path, params={"budget": 7}).json()
    assert (problem["status"], problem["code"]) == (422, "invalid_request")
    assert problem["errors"][0]["pointer"] == "?budget"
    assert "more than the 6 unlabeled documents" in problem["detail"]


def test_an_asked_cut_leaves_out_what_was_deleted(
    client: TestClient, model: dict[str, Any], ranking_path: str
) -> None:
    unlabeled = client.get(ranking_path, params={"label": "unlabeled"}).json()["documents"]
    first, second = unlabeled[:2]
    path = f"/projects/{model['project_id']}/documents/{first['id']}"
    assert client.delete(path).status_code == 204

    told = client.get(f"/models/{model['id']}/cuts", params={"score": second["score"]}).json()
    asked = told["cuts"][-1]
    assert asked["n_accepted"] == 1  # the second, without the first
    assert asked["precision"]["value"] == pytest.approx(second["probability"], abs=1e-6)


@pytest.mark.parametrize("media_type", ["text/csv", "application/x-ndjson"])
def test_an_export_of_the_ranking_has_no_pages(
    client: TestClient, ranking_path: str, media_type: str
) -> None:
    headers = {"accept": media_type}
    problem = client.get(ranking_path, params={"page_size": 3}, headers=headers).json()
    assert (problem["status"], problem["code"]) == (422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == ["?page_size"]
    assert client.get(ranking_path, headers=headers).status_code == 200


@pytest.mark.parametrize("media_type", ["text/csv", "application/x-ndjson", RIS])
def test_an_export_whose_database_fails_is_broken_off_with_a_line_in_the_log(
    client: TestClient, ranking_path: str, media_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "_EXPORT", 4)
    monkeypatch.setattr(exports, "ROWS_AT_A_TIME", 4)
    app: Any = client.app
    sent: list[Any] = []

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        async def note(message: Message) -> None:
            sent.append(message)
            await send(message)

        await app(scope, receive, note)

    def fail_later(_: object, __: object, statement: str, *___: object) -> None:
        if any(message.get("body") for message in sent):
            raise OperationalError(statement, {}, Exception("gone"))

    event.listen(app.state.database.engine, "before_cursor_execute", fail_later)
    with capture_logs() as logs:
        answer = TestClient(watched).get(ranking_path, headers={"accept": media_type})

    assert answer.status_code == 200
    assert sent[-1]["more_body"]  # no end that would make it look whole
    assert [(line["event"], line.get("exc_info"), line.get("code")) for line in logs] == [
        ("database unavailable", None, None),
        ("request", None, "database_unavailable"),
    ]
