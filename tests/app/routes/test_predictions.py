import asyncio
import gzip
import json
import resource
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from itertools import count
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from app.artifacts import Artifacts
from app.main import create_app
from app.repositories.models import ModelFile
from app.schemas.predictions import MAX_TEXTS
from app.services.models import models
from app.settings import Settings

JSON = {"content-type": "application/json"}
NDJSON = {"content-type": "application/x-ndjson"}
FLOOD = "water of the river"
OTHER = "a goal in the second half"


def test_texts_are_predicted_by_a_model(client: TestClient, model: dict[str, Any]) -> None:
    response = client.get("/predict", params={"model_id": model["id"], "text": [FLOOD, OTHER]})

    answer = response.json()
    assert answer["model_id"] == model["id"]
    assert [p["label"] for p in answer["predictions"]] == ["positive", "negative"]
    for prediction in answer["predictions"]:
        assert prediction["cut"] == model["offset"]
        assert (prediction["score"] >= prediction["cut"]) == (prediction["label"] == "positive")
        assert prediction["terms"] is None


def test_champion_answers_for_its_project(client: TestClient, model: dict[str, Any]) -> None:
    response = client.get("/predict", params={"project_id": model["project_id"], "text": FLOOD})

    assert response.json()["model_id"] == model["id"]


@pytest.mark.parametrize("text", [FLOOD, OTHER, "Überschwemmung", "e\u0301", " ", "a\0b"])
def test_a_text_is_answered_on_the_spot_as_at_length(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    parameters = {"model_id": model["id"], "text": text}
    at_length = client.get("/predict", params={**parameters, "explain": False})
    client.get("/predict", params={"model_id": model["id"], "text": FLOOD})  # is fast from here on
    for name in ("SPOT_SECONDS", "ROW_SECONDS"):
        monkeypatch.setattr(f"app.services.prediction.prediction.{name}", inf)
    if at_length.is_success:
        monkeypatch.setattr("app.routes.predictions._predict", None)

    on_the_spot = client.get("/predict", params=parameters)

    ignored = {"request_id", "instance"}
    assert on_the_spot.status_code == at_length.status_code
    assert without(on_the_spot.json(), ignored) == without(at_length.json(), ignored)
    assert on_the_spot.headers.get("model-id") == at_length.headers.get("model-id")


def without(answer: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in names}


@pytest.mark.parametrize(("text", "reason"), [(" ", "empty"), ("a\0b", "NUL")])
def test_texts_that_no_document_could_have_are_refused(
    client: TestClient, model: dict[str, Any], text: str, reason: str
) -> None:
    parameters = {"model_id": model["id"], "text": [FLOOD, text]}

    problem = client.get("/predict", params=parameters)

    assert problem.status_code == 422
    (error,) = problem.json()["errors"]
    assert error["pointer"].startswith("?text")
    assert reason in error["detail"]


def test_explanation_adds_up_to_the_score(client: TestClient, model: dict[str, Any]) -> None:
    parameters = {"model_id": model["id"], "text": FLOOD, "explain": True}

    (prediction,) = client.get("/predict", params=parameters).json()["predictions"]

    assert {term["term"] for term in prediction["terms"]} == {"water", "river"}
    total = sum(term["weight"] for term in prediction["terms"])
    assert total == pytest.approx(prediction["score"], rel=1e-5)
    assert prediction["rest"] == prediction["score"] - total


def test_explanation_names_the_documents_that_are_near(
    client: TestClient, model: dict[str, Any]
) -> None:
    parameters = {"model_id": model["id"], "explain": True}
    answers = [
        client.get("/predict", params={**parameters, "text": FLOOD}),
        client.post("/predict", params=parameters, json={"texts": [FLOOD]}),
    ]
    found = [answer.json()["predictions"][0] for answer in answers]
    lines = client.post("/predict", params=parameters, content=json.dumps(FLOOD), headers=NDJSON)
    for prediction in (*found, json.loads(lines.text)):
        # The texts of p0 and p2 have both of its words, that of p1 has one.
        ids = [near["id"] for near in prediction["positives"]]
        assert (set(ids[:2]), ids[2:]) == ({"p0", "p2"}, ["p1"])
        assert prediction["neighbors"] is None
        assert prediction["neighbors_reason"] == "rows_not_kept"


def test_a_graph_names_all_documents_that_are_near(
    client: TestClient, filled_project_id: str, run_job: Callable[[], str]
) -> None:
    client.post("/train", json={"project_id": filled_project_id, "algorithm": "lp_pul"})
    model_id = client.get(f"/jobs/{run_job()}").json()["result"]["model_id"]
    parameters = {"model_id": model_id, "explain": True}
    answers = [
        client.get("/predict", params={**parameters, "text": FLOOD}),
        client.post("/predict", params=parameters, json={"texts": [FLOOD]}),
    ]
    found = [answer.json()["predictions"][0] for answer in answers]
    lines = client.post("/predict", params=parameters, content=json.dumps(FLOOD), headers=NDJSON)
    assert found == [json.loads(lines.text)] * 2
    near = {near["id"]: near for near in found[0]["neighbors"]}
    assert {near[name]["label"] for name in ("p0", "p1", "p2")} == {"positive"}
    assert {type(each["score"]) for each in near.values()} == {float}
    assert found[0]["neighbors_reason"] is None


def test_nothing_is_near_that_was_not_asked_for(client: TestClient, model: dict[str, Any]) -> None:
    parameters = {"model_id": model["id"], "text": FLOOD}
    (prediction,) = client.get("/predict", params=parameters).json()["predictions"]
    for name in ("neighbors", "positives"):
        assert (prediction[name], prediction[f"{name}_reason"]) == (None, "not_asked")


def test_every_answer_names_the_model_in_a_header(
    client: TestClient, model: dict[str, Any]
) -> None:
    for parameters in ({"model_id": model["id"]}, {"project_id": model["project_id"]}):
        post = partial(client.post, "/predict", params=parameters)
        answers = [
            client.get("/predict", params={**parameters, "text": FLOOD}),
            post(json={"texts": [FLOOD]}),
            post(content=json.dumps(FLOOD), headers=NDJSON),
            post(content=b"", headers=NDJSON),
        ]
        assert [answer.headers["model-id"] for answer in answers] == [model["id"]] * 4


def test_deleted_model_does_not_answer_from_memory(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    parameters = {"model_id": model["id"], "text": FLOOD}
    answers = [client.get("/predict", params=parameters) for _ in range(5)]
    assert [(a.status_code, a.content) for a in answers] == [(200, answers[0].content)] * 5

    # The file goes after the answer, and an object store may take its time.
    monkeypatch.setattr(Artifacts, "delete", lambda *_: None)
    client.delete(f"/models/{model['id']}")

    assert client.get("/predict", params=parameters).json()["code"] == "model_not_found"


def test_project_without_model_says_what_to_do(client: TestClient, filled_project_id: str) -> None:
    response = client.get("/predict", params={"project_id": filled_project_id, "text": FLOOD})

    assert response.status_code == 409
    assert response.json()["code"] == "no_model"
    assert "POST /train" in response.json()["detail"]


@pytest.mark.parametrize("ids", [{}, {"project_id": "p", "model_id": "m"}])
def test_exactly_one_of_project_and_model_is_given(client: TestClient, ids: dict[str, str]) -> None:
    for response, place in (
        (client.get("/predict", params={**ids, "text": FLOOD}), "?"),
        (client.post("/predict", json={**ids, "texts": [FLOOD]}), "/"),
        (client.post("/predict", params=ids, content=b'"a"', headers=NDJSON), "?"),
    ):
        assert response.status_code == 422
        assert response.json()["code"] == "invalid_request"
        (error,) = response.json()["errors"]
        assert error["pointer"] == f"{place}model_id"
        assert ("both" if ids else "neither") in error["detail"]


def test_many_texts_are_predicted_as_json(client: TestClient, model: dict[str, Any]) -> None:
    body = {"model_id": model["id"], "texts": [FLOOD] * 3000}

    predictions = client.post("/predict", json=body).json()["predictions"]

    assert len(predictions) == 3000
    assert {p["label"] for p in predictions} == {"positive"}
    assert {p["id"] for p in predictions} == {None}


def test_documents_keep_their_ids(client: TestClient, model: dict[str, Any]) -> None:
    documents = [{"id": "a", "text": FLOOD}, {"id": "b", "text": OTHER}]
    body = {"project_id": model["project_id"], "documents": documents, "explain": True}

    predictions = client.post("/predict", json=body).json()["predictions"]

    assert [(p["id"], p["label"]) for p in predictions] == [("a", "positive"), ("b", "negative")]
    assert predictions[0]["terms"]


def test_documents_may_be_as_in_an_upload(client: TestClient, model: dict[str, Any]) -> None:
    documents = [
        {"id": 7, "text": FLOOD, "metadata": {"a": 1}},
        {"text": OTHER},
        {"text": OTHER, "id": None},
    ]
    content = b"\xef\xbb\xbf" + json.dumps({"documents": documents}).encode()
    parameters = {"model_id": model["id"]}

    answer = client.post("/predict", params=parameters, content=content, headers=JSON)
    lines = client.post(
        "/predict", params=parameters, content="\n".join(map(json.dumps, documents)), headers=NDJSON
    )

    assert [p["id"] for p in answer.json()["predictions"]] == ["7", None, None]
    assert answer.json()["predictions"] == [json.loads(line) for line in lines.text.splitlines()]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a\0b", "nul_character"),
        ("water " * 200, "text_too_long"),
        (" ", "empty_text"),
        ("", "empty_text"),
        (None, "empty_text"),
    ],
)
def test_a_text_that_no_document_could_have_leaves_the_others(
    settings: Settings, model: dict[str, Any], text: str | None, code: str
) -> None:
    documents = [{"id": i, "text": t} for i, t in [("a", FLOOD), ("b", text), ("c", OTHER)]]
    limited = settings.model_copy(update={"max_document_bytes": 1000})
    with TestClient(create_app(limited)) as client:
        post = partial(client.post, "/predict", params={"model_id": model["id"]})
        of_documents = post(json={"documents": documents}).json()["predictions"]
        of_texts = post(json={"texts": [FLOOD, text, OTHER]}).json()["predictions"]
        lines = post(content="\n".join(map(json.dumps, documents)), headers=NDJSON).text

    of_lines = [json.loads(line) for line in lines.splitlines()]
    for found, place in [(of_documents, "index"), (of_texts, "index"), (of_lines, "line")]:
        assert [found[0]["label"], found[2]["label"]] == ["positive", "negative"]
        assert found[1]["error"].items() >= {place: 1 + (place == "line"), "code": code}.items()
    assert [of_documents[0], of_documents[2]] == [of_lines[0], of_lines[2]]


@pytest.mark.parametrize("document_id", ["a\n", True])
def test_same_ids_are_refused_in_json_and_in_a_stream(
    client: TestClient, model: dict[str, Any], document_id: object
) -> None:
    document = {"text": FLOOD, "id": document_id}
    post = partial(client.post, "/predict", params={"model_id": model["id"]})
    problem = post(json={"documents": [{"text": FLOOD}, document]})
    line = post(json=document, headers=NDJSON)

    assert problem.status_code == 422
    assert problem.json()["errors"][0]["pointer"].startswith("/documents/1")
    assert json.loads(line.text)["error"]["code"] == "invalid_id"


def test_fields_of_a_stream_can_be_named(client: TestClient, model: dict[str, Any]) -> None:
    content = '{"key": "a", "title": "water", "body": "of the river", "year": 2001}\n{"key": "b"}\n'
    parameters = {"model_id": model["id"], "id_column": "key", "text_column": ["title", "body"]}

    response = client.post("/predict", params=parameters, content=content, headers=NDJSON)

    found, missing = map(json.loads, response.text.splitlines())
    assert (found["id"], found["label"]) == ("a", "positive")
    assert missing["error"]["code"] == "missing_text"


def test_further_fields_of_a_stream_are_passed_over_unless_they_are_to_be_refused(
    client: TestClient, model: dict[str, Any]
) -> None:
    document = {"id": "a", "text": FLOOD, "year": 2001}
    parameters = {"model_id": model["id"]}
    post = partial(client.post, "/predict", json=document, headers=NDJSON)

    asked = {"extra_fields": "metadata"}
    refused = post(params={**parameters, "extra_fields": "refuse"}).json()
    taken = [post(params={**parameters, **more}).json() for more in ({}, asked)]

    assert refused["error"]["code"] == "unknown_field"
    assert "Send extra_fields=metadata" in refused["error"]["reason"]
    assert [(each["id"], each["label"]) for each in taken] == [("a", "positive")] * 2


def test_a_stream_whose_texts_stand_in_another_field_is_told_so(
    client: TestClient, model: dict[str, Any]
) -> None:
    parameters = {"model_id": model["id"]}
    content = json.dumps({"id": "a", "txet": FLOOD})
    line = client.post("/predict", params=parameters, content=content, headers=NDJSON).json()

    assert line["error"]["code"] == "missing_text"
    assert "its fields are: 'id', 'txet'" in line["error"]["reason"]


def test_fields_of_a_json_body_have_their_names(client: TestClient, model: dict[str, Any]) -> None:
    for name, value in [("text_column", "a"), ("id_column", "a"), ("extra_fields", "metadata")]:
        parameters = {"model_id": model["id"], name: value}
        problem = client.post("/predict", params=parameters, json={"texts": [FLOOD]}).json()

        assert problem["status"] == 422
        assert "are for application/x-ndjson" in problem["detail"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"texts": [FLOOD], "documents": []}, ""),
        ({}, ""),
        ({"texts": [""]}, "/texts/0"),
        ({"documents": [{"text": "\0"}]}, "/documents/0"),
        ({"texts": [FLOOD, 1]}, "/texts/1"),
        ({"documents": [{"id": "a"}]}, "/documents/0/text"),
        ({"texts": [FLOOD], "colour": "red"}, "/colour"),
    ],
)
def test_fault_of_a_json_body_is_pointed_at(
    client: TestClient, model: dict[str, Any], body: dict[str, Any], pointer: str
) -> None:
    response = client.post("/predict", json={"model_id": model["id"], **body})

    assert response.status_code == 422
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


@pytest.mark.parametrize("name", ["texts", "documents"])
def test_a_json_body_has_so_many_texts_at_most(client: TestClient, name: str) -> None:
    item = FLOOD if name == "texts" else {"text": FLOOD}
    response = client.post("/predict", json={"model_id": "m", name: [item] * (MAX_TEXTS + 1)})

    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert error["pointer"] == f"/{name}"
    assert "send more as application/x-ndjson" in error["detail"]


@pytest.mark.parametrize(
    ("body", "n_errors"),
    [({"texts": [1] * 200}, 1), ({"documents": [{}] * 200}, 1), ({"texts": [" "] * 200}, 100)],
)
def test_of_many_faults_the_first_are_told(
    client: TestClient, body: dict[str, Any], n_errors: int
) -> None:
    problem = client.post("/predict", json={"model_id": "m", **body}).json()

    assert (problem["status"], len(problem["errors"])) == (422, n_errors)


def test_parameters_of_a_json_body_may_stand_in_the_query(
    client: TestClient, model: dict[str, Any]
) -> None:
    parameters = {"model_id": model["id"], "explain": True}

    for in_body in ({}, parameters):
        response = client.post("/predict", params=parameters, json={"texts": [FLOOD], **in_body})
        assert response.json()["model_id"] == model["id"]
        assert response.json()["predictions"][0]["terms"]


@pytest.mark.parametrize(
    ("in_query", "in_body"),
    [
        ({"explain": True}, {"explain": False}),
        ({"explain": False}, {"explain": True}),
        ({"model_id": "another"}, {}),
        ({"project_id": "another"}, {}),
    ],
)
def test_query_and_body_do_not_contradict_each_other(
    client: TestClient, model: dict[str, Any], in_query: dict[str, Any], in_body: dict[str, Any]
) -> None:
    body = {"model_id": model["id"], "texts": [FLOOD], **in_body}

    response = client.post("/predict", params=in_query, json=body)

    assert response.status_code == 422
    assert response.json()["code"] == "invalid_request"


@pytest.mark.parametrize(
    ("parameters", "encoding", "status"),
    [
        ({"model_id": "nobody"}, "identity", 404),
        ({"project_id": "nobody"}, "identity", 404),
        ({"project_id": "without a model"}, "identity", 409),
        ({"model_id": "nobody"}, "br", 415),
    ],
)
def test_stream_that_cannot_be_answered_is_refused_before_it_is_read(
    client: TestClient, project_id: str, parameters: dict[str, str], encoding: str, status: int
) -> None:
    if status == 409:
        parameters = {"project_id": project_id}
    answered: list[Any] = []

    async def receive() -> Any:
        raise AssertionError("The body was read.")

    async def send(message: Any) -> None:
        answered.append(message)

    asyncio.run(client.app(_scope(parameters, encoding), receive, send))  # type: ignore[arg-type]  # types of Starlette are narrower
    assert answered[0]["status"] == status


def _scope(parameters: dict[str, str], encoding: str) -> dict[str, Any]:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/predict",
        "raw_path": b"/predict",
        "query_string": urlencode(parameters).encode(),
        "headers": [
            (b"content-type", b"application/x-ndjson"),
            (b"content-encoding", encoding.encode()),
        ],
        "server": ("test", 80),
        "client": ("test", 1),
    }


@pytest.mark.parametrize(
    "path", ["/predict?model_id={model}", "/projects/{project}/unlabeled?atomic=true"]
)
def test_full_disk_is_told(
    client: TestClient, model: dict[str, Any], settings: Settings, path: str
) -> None:
    content = b"".join(b'"%d water"\n' % i for i in range(200_000))
    url = path.format(model=model["id"], project=model["project_id"])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Above what the database needs to read, below what is sent.
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, before[1]))
    try:
        response = client.post(url, content=content, headers=NDJSON)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert response.status_code == 507
    assert response.json()["code"] == "storage_full"
    assert settings.cache_directory.is_dir()


def test_stream_gives_a_line_for_each_line_in_order(
    client: TestClient, model: dict[str, Any]
) -> None:
    n_lines = 2500  # more than two blocks
    lines = [json.dumps({"id": f"d{i}", "text": FLOOD if i % 2 else OTHER}) for i in range(n_lines)]
    lines[1200] = "{not json"
    lines[1201] = json.dumps(FLOOD)
    lines[1202] = json.dumps({"txet": FLOOD})

    response = client.post(
        "/predict", params={"model_id": model["id"]}, content="\n".join(lines), headers=NDJSON
    )

    answers = [json.loads(line) for line in response.text.splitlines()]
    assert response.headers["content-type"] == "application/x-ndjson"
    assert len(answers) == n_lines
    assert answers[1200]["error"]["line"] == 1201
    assert answers[1200]["error"]["code"] == "invalid_json"
    assert answers[1201]["label"] == "positive"
    assert answers[1202]["error"]["code"] == "missing_text"
    for i in set(range(n_lines)) - {1200, 1201, 1202}:
        assert answers[i]["id"] == f"d{i}"
        assert answers[i]["label"] == ("positive" if i % 2 else "negative")


@pytest.mark.parametrize("headers", [JSON, NDJSON])
def test_bodies_may_be_compressed_and_explained(
    client: TestClient, model: dict[str, Any], headers: dict[str, str]
) -> None:
    body = {"texts": [FLOOD]} if headers is JSON else {"text": FLOOD}
    response = client.post(
        "/predict",
        params={"project_id": model["project_id"], "explain": True},
        content=gzip.compress(json.dumps(body).encode()),
        headers={**headers, "content-encoding": "gzip"},
    )

    found = json.loads(response.text)
    answer = found["predictions"][0] if headers is JSON else found
    assert {term["term"] for term in answer["terms"]} == {"water", "river"}


def test_lines_without_an_id_are_answered_without_one(
    client: TestClient, model: dict[str, Any]
) -> None:
    made = blake2b(FLOOD.encode(), digest_size=16).hexdigest()
    lines = [FLOOD, {"text": FLOOD}, {"id": None, "text": FLOOD}, {"id": made, "text": FLOOD}]

    response = client.post(
        "/predict",
        params={"model_id": model["id"]},
        content="\n".join(map(json.dumps, lines)),
        headers=NDJSON,
    )

    # The last came with an id that the service once made for it.
    ids = [json.loads(line)["id"] for line in response.text.splitlines()]
    assert ids == [None, None, None, made]


def test_empty_stream_has_an_empty_answer(client: TestClient, model: dict[str, Any]) -> None:
    response = client.post(
        "/predict", params={"model_id": model["id"]}, content=b"", headers=NDJSON
    )

    assert (response.status_code, response.content) == (200, b"")


def test_stream_that_breaks_late_says_so_in_its_last_line(
    client: TestClient, model: dict[str, Any]
) -> None:
    whole = gzip.compress(b"".join(b'"%d water"\n' % i for i in range(60_000)))

    response = client.post(
        "/predict",
        params={"model_id": model["id"]},
        content=whole[: len(whole) * 9 // 10],
        headers={**NDJSON, "content-encoding": "gzip"},
    )

    *answers, last = [json.loads(line) for line in response.text.splitlines()]
    assert len(answers) > 1000
    assert last["error"]["code"] == "unreadable_body"


def test_stream_tells_a_database_that_fails_in_its_last_line(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(client.app, FastAPI)
    monkeypatch.setattr("app.services.prediction.prediction_stream.BLOCK_ROWS", 1)
    asked: list[str] = []

    def fail_later(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(statement)
        if len([sql for sql in asked if "FROM documents" in sql]) > 1:
            raise OperationalError(statement, {}, Exception("locked"))

    event.listen(client.app.state.database.engine, "before_cursor_execute", fail_later)
    response = client.post(
        "/predict",
        params={"model_id": model["id"], "explain": True},
        content="\n".join([json.dumps(FLOOD)] * 3),
        headers=NDJSON,
    )

    answer, last = [json.loads(line) for line in response.text.splitlines()]
    assert answer["label"] == "positive"
    assert last["error"]["code"] == "database_unavailable"


@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        ({"content-type": "text/csv"}, b"text\na\n", 415),
        ({**NDJSON, "content-encoding": "br"}, b"x", 415),
        ({**JSON, "content-encoding": "br"}, b"{}", 415),
        ({**NDJSON, "content-encoding": "gzip"}, b"x", 400),
        (JSON, b"{", 400),
    ],
)
def test_unreadable_body_is_refused(
    client: TestClient, model: dict[str, Any], headers: dict[str, str], content: bytes, status: int
) -> None:
    is_json = headers["content-type"] == "application/json"

    response = client.post(
        "/predict",
        params={} if is_json else {"model_id": model["id"]},
        content=content,
        headers=headers,
    )

    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_media_types_that_are_taken_are_named(client: TestClient) -> None:
    for headers in ({}, {"content-type": "text/csv"}):
        detail = client.post("/predict", content=b"a", headers=headers).json()["detail"]
        assert detail == "Content-Type must be one of: application/json, application/x-ndjson."


def test_limits_hold_for_both_kinds_of_body(settings: Settings, model: dict[str, Any]) -> None:
    changed = {"max_body_bytes": 1000, "max_upload_bytes": 5000}
    text = json.dumps("water " * 100) + "\n"  # 603 bytes
    parameters = {"model_id": model["id"]}
    with TestClient(create_app(settings.model_copy(update=changed))) as client:

        def stream(n_lines: int) -> Any:
            return client.post(
                "/predict", params=parameters, content=text * n_lines, headers=NDJSON
            )

        long_body = {"model_id": model["id"], "texts": ["water " * 200]}
        packed = gzip.compress(json.dumps(long_body).encode())
        headers = {**JSON, "content-encoding": "gzip"}
        for answer in (
            client.post("/predict", json=long_body),
            client.post("/predict", content=packed, headers=headers),
        ):
            assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
            advice = "Send more as application/x-ndjson, or raise SEEDBED_MAX_BODY_BYTES."
            assert answer.json()["detail"].endswith(advice)
        assert stream(n_lines=8).status_code == 200
        refused = stream(n_lines=9)
        assert refused.status_code == 413
        advice = "Send it in parts, or raise SEEDBED_MAX_UPLOAD_BYTES."
        assert refused.json()["detail"].endswith(advice)


def test_columns_with_tabs_have_their_media_type(client: TestClient) -> None:
    headers = {"content-type": "text/tab-separated-values"}
    answer = client.post("/projects/p/unlabeled", content=b"id\ttext\n", headers=headers)
    assert answer.json()["detail"].endswith("as text/csv with delimiter=tab.")


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [("project_id", 409, "no_model"), ("model_id", 404, "model_not_found")],
)
@pytest.mark.parametrize(
    ("is_stream", "n_chosen"), [(False, 1), (True, 1), (True, 2)], ids=["texts", "body", "lines"]
)
def test_a_model_that_is_deleted_meanwhile_is_gone_and_no_lost_file(
    client: TestClient,
    model: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    asked: str,
    status: int,
    code: str,
    is_stream: bool,
    n_chosen: int,
) -> None:
    choose, calls = models.choose, count(1)

    def choose_and_delete(*args: Any, **options: Any) -> ModelFile:
        chosen = choose(*args, **options)
        # The model of a stream is chosen before its body comes in, and again after.
        if next(calls) == n_chosen:
            assert client.delete(f"/models/{chosen.id}").status_code == 204
        return chosen

    monkeypatch.setattr(models, "choose", choose_and_delete)
    parameters = {"project_id": model["project_id"], "model_id": model["id"]}
    chosen_by = {asked: parameters[asked]}
    if is_stream:
        answer = client.post("/predict", params=chosen_by, content=b'"water"\n', headers=NDJSON)
    else:
        answer = client.get("/predict", params={**chosen_by, "text": "water"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_file_that_is_lost_is_told(
    client: TestClient, model: dict[str, Any], settings: Settings
) -> None:
    (file,) = (Path(settings.artifacts_url) / "models").iterdir()
    file.unlink()
    answer = client.get("/predict", params={"project_id": model["project_id"], "text": "water"})
    assert (answer.status_code, answer.json()["code"]) == (503, "artifact_unavailable")
