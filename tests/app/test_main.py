"""What holds for every route: errors, limits, ids, transactions."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import structlog
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy.exc import IntegrityError, OperationalError
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from app.artifacts import Artifacts
from app.database import Database
from app.errors import StorageFull
from app.http.middleware import BodyLimitMiddleware
from app.http.page_tokens import encode_page_token, list_mark
from app.main import create_app
from app.settings import Settings

PROBLEM = "application/problem+json"


@pytest.fixture
def app(settings: Settings, database: Database) -> FastAPI:
    return create_app(settings)


@pytest.fixture
def fault_client(app: FastAPI) -> Iterator[TestClient]:
    """Return a client of an API with a bug, a database that does not answer and no room."""

    @app.get("/bug")
    def meet_bug() -> None:
        raise RuntimeError("secret")

    @app.get("/bug-in-a-query")
    def meet_bug_in_a_query() -> None:
        raise IntegrityError("INSERT secret", {}, Exception("constraint failed"))

    @app.get("/silence")
    def meet_silence() -> None:
        raise OperationalError("SELECT secret", {}, Exception("locked"))

    @app.get("/fullness")
    def meet_fullness() -> None:
        raise StorageFull("secret")

    with TestClient(app) as client:
        yield client


def test_problem_has_the_members_of_its_standard(client: TestClient) -> None:
    response = client.get("/projects/nobody")

    assert response.headers["content-type"] == PROBLEM
    assert response.json() == {
        "type": "urn:seedbed:problem:project_not_found",
        "title": "There is no such project",
        "status": 404,
        "detail": "No project has the id 'nobody'. GET /projects lists all.",
        "instance": "/projects/nobody",
        "code": "project_not_found",
    }


def test_unknown_route_is_a_problem(client: TestClient) -> None:
    response = client.get("/nowhere")

    assert response.status_code == 404
    assert response.headers["content-type"] == PROBLEM
    assert response.json()["code"] == "not_found"
    assert response.json()["detail"].endswith("All routes are listed at /docs.")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/projects/p", "DELETE, GET, HEAD, PATCH"),
        ("/docs", "GET, HEAD"),
        ("/page/api.js", "GET, HEAD"),
    ],
)
def test_wrong_method_is_told_the_right_ones(client: TestClient, path: str, allowed: str) -> None:
    response = client.put(path)

    assert response.status_code == 405
    assert response.headers["content-type"] == PROBLEM
    assert response.headers["allow"] == allowed
    assert response.json()["detail"].endswith(
        f"There is {allowed}. All routes are listed at /docs."
    )


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/projects", "/projects/nobody", "/docs"])
def test_head_gives_the_headers_of_get(client: TestClient, path: str) -> None:
    of_head, of_get = client.head(path), client.get(path)
    for response in (of_head, of_get):
        del response.headers["x-request-id"]

    assert (of_head.status_code, of_head.headers) == (of_get.status_code, of_get.headers)
    assert of_head.content == b""


def test_head_is_logged_with_its_route(client: TestClient) -> None:
    with capture_logs() as logs:
        client.head("/projects/nobody")
    assert [(line["method"], line["route"], line["status"]) for line in logs] == [
        ("HEAD", "/projects/{project_id}", 404)
    ]


def test_the_log_tells_the_job_that_was_made_and_the_model_that_predicts(
    client: TestClient, model: dict[str, Any]
) -> None:
    body = {"project_id": model["project_id"], "algorithm": "prototype"}
    with capture_logs() as logs:
        job = client.post("/train", json=body).json()
        client.get("/predict", params={"model_id": model["id"], "text": "water"})
    asked = [line for line in logs if line["event"] == "request"]
    assert (asked[0]["job_id"], asked[1]["model_id"]) == (job["id"], model["id"])


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code"),
    [
        (b"{", "application/json", 400, "unreadable_body"),
        (b"\xff", "application/json", 400, "unreadable_body"),
        (b'{"name": ' * 100_000, "application/json", 400, "unreadable_body"),
        (b"name: a", "text/yaml", 415, "unsupported_media_type"),
        (b"[]", "application/json", 422, "invalid_request"),
        (b"", "application/json", 422, "invalid_request"),
    ],
)
def test_body_that_is_not_a_json_object_is_refused(
    client: TestClient, content: bytes, content_type: str, status: int, code: str
) -> None:
    response = client.post("/projects", content=content, headers={"content-type": content_type})

    assert response.status_code == status
    assert response.headers["content-type"] == PROBLEM
    assert response.json()["code"] == code


def test_every_fault_is_pointed_at(client: TestClient) -> None:
    response = client.post(
        "/train",
        json={"project_id": "a b", "a/b~c": 1, "random_state": -1},
    )

    problem = response.json()
    pointers = {error["pointer"] for error in problem["errors"]}
    assert pointers == {"/project_id", "/a~1b~0c", "/random_state"}
    assert all(error["detail"] for error in problem["errors"])


def test_of_many_faults_the_first_are_told(client: TestClient) -> None:
    for n_fields, n_errors in ((100, 100), (101, 1)):
        body = {f"field {i}": 1 for i in range(n_fields)}
        assert len(client.post("/projects", json=body).json()["errors"]) == n_errors
    # Of a list, the faults of the first item that has any.
    errors = client.put("/projects/p/labels", json=[{}] * 1000).json()["errors"]
    assert [error["pointer"] for error in errors] == ["/0/id", "/0/label"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "a\\u0000"}',
        b'{"name": "\\ud800"}',
        b'{"name": "a", "vectorizer": {"max_df": NaN}}',
        b'{"name": "a", "vectorizer": {"token_pattern": "\\ud800"}}',
        b'{"name": "a", "\\ud800": 1}',
    ],
    ids=["nul", "half a pair", "not a number", "half a pair in a parameter", "and in a name"],
)
def test_values_that_cannot_be_stored_are_refused(client: TestClient, body: bytes) -> None:
    response = client.post("/projects", content=body, headers={"content-type": "application/json"})

    assert response.status_code == 422


def test_unknown_query_parameter_is_refused(client: TestClient) -> None:
    response = client.get("/jobs", params={"sttaus": "queued"})

    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "?sttaus"
    assert "Did you mean 'status'? Valid names: kind, page_size" in response.json()["detail"]
    for name in ("verbose", "none"):
        response = client.get("/version", params={name: 1})
        assert response.status_code == 422
        detail = f"?{name}: '{name}' is not a query parameter here: there are none."
        assert response.json()["detail"] == detail


@pytest.mark.parametrize(
    ("path", "query", "pointers"),
    [
        ("/projects/p/documents", "label=positive&label=negative", ["?label"]),
        ("/models/m/ranking", "start_rank=1&page_size=2&start_rank=1", ["?start_rank"]),
        (
            "/jobs",
            "page_token=a&page_size=1&page_size=2&page_token=a",
            ["?page_size", "?page_token"],
        ),
    ],
)
def test_a_query_parameter_that_comes_twice_is_refused(
    client: TestClient, path: str, query: str, pointers: list[str]
) -> None:
    response = client.get(f"{path}?{query}")

    assert response.status_code == 422
    assert [error["pointer"] for error in response.json()["errors"]] == pointers
    detail = f"{pointers[0]}: It takes one value, but came more than once."
    assert response.json()["detail"] == detail


def test_a_query_parameter_that_is_a_list_may_come_twice(client: TestClient) -> None:
    # These are of both forms: with and without a default.
    path = "/tables?label_column=kind&positive=a&positive=b&exclude=c&exclude=d"
    table = "kind,x,c,d\na,1,1,1\nb,2,2,2\nz,3,3,3\n"
    response = client.post(path, content=table, headers={"content-type": "text/csv"})

    assert response.status_code == 201


@pytest.mark.parametrize(
    ("method", "path", "body", "pointer", "hint"),
    [
        ("POST", "/train", {"project_id": "p", "parameters": {}}, "/parameters", "params"),
        ("POST", "/predict", {"text": "a"}, "/text", "texts"),
        ("POST", "/predict", {"documents": [{"id": "a", "txt": "b"}]}, "/documents/0/txt", "text"),
        ("PUT", "/projects/p/labels", [{"id": "a", "lable": "positive"}], "/0/lable", "label"),
        (
            "POST",
            "/feature-selection",
            {"project_id": "p", "method": "k_best", "stability": {"bootstraps": 2}},
            "/stability/bootstraps",
            "n_bootstraps",
        ),
    ],
)
def test_an_unknown_field_is_told_with_the_nearest_and_all_known_ones(
    client: TestClient, method: str, path: str, body: object, pointer: str, hint: str
) -> None:
    errors = client.request(method, path, json=body).json()["errors"]

    (detail,) = [error["detail"] for error in errors if error["pointer"] == pointer]
    assert f"Did you mean {hint!r}? Valid names: " in detail


@pytest.mark.parametrize("body", [{"id": "a", "label": "positive"}, {"labels": []}, "a"])
def test_who_sends_no_list_is_shown_one(client: TestClient, body: object) -> None:
    problem = client.put("/projects/p/labels", json=body).json()

    example = '[{"id": "ticket-17", "label": "positive"}]'
    assert problem["detail"] == f"The body: Expected a list: {example}"


@pytest.mark.parametrize("size", [0, 1001, "many"])
def test_page_size_has_bounds(client: TestClient, size: object) -> None:
    response = client.get("/projects", params={"page_size": str(size)})

    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "?page_size"


@pytest.mark.parametrize("token", ["!", "YQ==", "/w", "AA", "a" * 2000])
def test_invented_page_token_is_refused(client: TestClient, token: str) -> None:
    response = client.get("/projects", params={"page_token": token})

    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "?page_token"


@pytest.mark.parametrize("path", ["/projects", "/models", "/tables", "/jobs"])
@pytest.mark.parametrize("after", ["abc", "1@0", f"{10**16}@{'0' * 32}", f"-1@{'0' * 32}"])
def test_page_token_of_another_list_is_refused(client: TestClient, path: str, after: str) -> None:
    for token in (encode_page_token(f"{list_mark(path, [])} {after}"), encode_page_token(after)):
        response = client.get(path, params={"page_token": token})

        assert response.status_code == 422
        assert response.json()["errors"][0]["pointer"] == "?page_token"


def test_page_token_counts_in_its_own_list_alone(client: TestClient) -> None:
    projects = [client.post("/projects", json={"name": "a"}).json()["id"] for _ in range(2)]
    lists = ["/projects", *(f"/projects/{id_}/documents" for id_ in projects)]
    for path in lists[1:]:
        client.post(path.replace("documents", "unlabeled"), json=["one", "two"])
    page = {"page_size": 1}
    tokens = {path: client.get(path, params=page).json()["next_page_token"] for path in lists}

    for path in (*lists, "/jobs", "/models", "/tables"):
        for origin, token in tokens.items():
            answer = client.get(path, params={"page_token": token})
            assert answer.status_code == (200 if path == origin else 422), (path, origin)


def test_what_is_not_found_leads_to_the_list(client: TestClient, project_id: str) -> None:
    for path, advice in {
        "/projects/none": "GET /projects lists all.",
        "/jobs/none": "GET /jobs lists all.",
        "/models/none": "GET /models lists all.",
        "/tables/none": "GET /tables lists all.",
        "/feature-selections/none": "GET /feature-selections lists all.",
        f"/projects/{project_id}/documents/none": "GET /projects/ID/documents lists all.",
    }.items():
        answer = client.get(path)
        assert (answer.status_code, advice in answer.json()["detail"]) == (404, True)


@pytest.mark.parametrize(
    ("path", "content", "told"),
    [
        ("/projects", b"", "The body: It is missing: send JSON, with the header Content-Type:"),
        ("/projects/none/labels", b"", "The body: It is missing: send JSON, with the header"),
        ("/projects", b"[]", "The body: Expected an object"),
        ("/train", b"{}", "/project_id: Field required"),
        ("/projects/none/unlabeled?atomic=maybe", b"", "?atomic: It must be true or false"),
        ("/train", b'{"project_id": "p", "calibrate": null}', "/calibrate: It must be true or"),
    ],
)
def test_a_refusal_says_what_to_send(
    client: TestClient, path: str, content: bytes, told: str
) -> None:
    send = client.put if path.endswith("/labels") else client.post
    answer = send(path, content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(told)


@pytest.mark.parametrize("path", ["/projects", "/models/none/ranking"])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_body_above_the_limit_is_refused(settings: Settings, is_chunked: bool, path: str) -> None:
    content = b'{"name": "' + b"a" * 2000 + b'"}'
    chunks = (content[i : i + 100] for i in range(0, len(content), 100))
    app = create_app(settings.model_copy(update={"max_body_bytes": 1000}))

    with TestClient(app) as client:
        response = client.post(
            path,
            content=chunks if is_chunked else content,
            headers={"content-type": "application/json"},
        )

    assert response.status_code == 413
    assert response.headers["content-type"] == PROBLEM
    assert response.json()["code"] == "body_too_large"
    assert "or raise SEEDBED_MAX_BODY_BYTES." in response.json()["detail"]


@pytest.mark.parametrize(
    ("encoding", "status"), [("gzip", 415), ("br", 415), ("identity", 201), ("", 201)]
)
def test_encoding_of_a_body_that_is_not_decoded_is_refused(
    client: TestClient, encoding: str, status: int
) -> None:
    headers = {"content-type": "application/json", "content-encoding": encoding}
    response = client.post("/projects", content=b'{"name": "a"}', headers=headers)

    assert response.status_code == status
    assert status == 201 or "Content-Encoding" in response.json()["detail"]


@pytest.mark.parametrize("path", ["/projects", "/models/none/ranking", "/predict", "/tables"])
def test_a_body_that_stops_coming_in_is_given_up(
    settings: Settings, database: Database, artifacts: Artifacts, path: str
) -> None:
    app = create_app(settings.model_copy(update={"body_timeout_seconds": 0.05}))
    app.state.database = database
    app.state.predictor = None
    app.state.artifacts = artifacts
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    content_type = b"text/csv" if path == "/tables" else b"application/json"
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"label_column=y&positive=1" if path == "/tables" else b"",
        "headers": [(b"content-type", content_type)],
    }
    asyncio.run(app(scope, receive, send))

    assert sent[0]["status"] == 408
    assert dict(sent[0]["headers"])[b"connection"] == b"close"
    assert json.loads(sent[1]["body"])["code"] == "body_stalled"


def test_a_body_that_nobody_reads_is_not_looked_at() -> None:
    told: list[Message] = []

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        # As pages do, which read on to see whether the client goes away.
        await send({"type": "http.response.start", "status": 200, "headers": []})
        told.append(await receive())

    async def receive() -> Message:
        return {"type": "http.request", "body": b"[1]"}

    async def send(message: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "headers": [(b"content-encoding", b"gzip")]}
    asyncio.run(BodyLimitMiddleware(page, 1, 60)(scope, receive, send))

    assert len(told) == 1


def test_uploads_are_longer_than_other_bodies(settings: Settings, project_id: str) -> None:
    app = create_app(settings.model_copy(update={"max_body_bytes": 1000}))

    with TestClient(app) as client:
        response = client.post(
            f"/projects/{project_id}/unlabeled",
            content="a text\n" * 1000,
            headers={"content-type": "text/plain"},
        )

    assert response.json()["received"] == 1000


@pytest.mark.parametrize("path", ["/bug", "/bug-in-a-query"])
def test_fault_is_answered_without_a_trace_and_logged_with_its_id(
    fault_client: TestClient, path: str
) -> None:
    with capture_logs([structlog.contextvars.merge_contextvars]) as logs:
        response = fault_client.get(path, headers={"x-request-id": "r-1"})

    assert response.status_code == 500
    assert response.headers["content-type"] == PROBLEM
    assert response.json()["code"] == "internal_error"
    assert "secret" not in response.text
    assert response.headers["x-request-id"] == "r-1"
    (fault,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert (fault["request_id"], fault["route"]) == ("r-1", path)
    assert fault["exc_info"]


def test_silent_database_is_unavailable(fault_client: TestClient) -> None:
    response = fault_client.get("/silence")

    assert response.status_code == 503
    assert response.json()["code"] == "database_unavailable"
    assert "secret" not in response.text
    assert int(response.headers["retry-after"]) > 0


@pytest.mark.parametrize(("given", "is_kept"), [("abc.D-1_2", True), ("a b", False), ("", False)])
def test_request_id_is_kept_or_made(client: TestClient, given: str, is_kept: bool) -> None:
    returned = client.get("/livez", headers={"x-request-id": given}).headers["x-request-id"]

    assert (returned == given) == is_kept
    assert returned


def test_the_log_names_what_the_service_named_and_nothing_of_the_client(
    client: TestClient, project_id: str
) -> None:
    document = uuid4().hex
    with capture_logs() as logs:
        client.get(f"/projects/{project_id}/documents/{document}")
        client.get(f"/projects/ann@mail.example/documents/{document}")
        client.get("/persons/ann@mail.example")
    assert [(line["route"], line.get("project_id")) for line in logs] == [
        ("/projects/{project_id}/documents/{document_id:path}", project_id),
        ("/projects/{project_id}/documents/{document_id:path}", None),
        ("unknown", None),
    ]
    assert document not in str(logs)
    assert "ann@mail.example" not in str(logs)


def test_each_request_has_a_line_in_the_log(client: TestClient) -> None:
    with capture_logs([structlog.contextvars.merge_contextvars]) as logs:
        request_id = client.get("/projects/nobody").headers["x-request-id"]

    (line,) = logs
    assert line["route"] == "/projects/{project_id}"
    assert (line["method"], line["status"]) == ("GET", 404)
    assert line["milliseconds"] > 0
    assert line["request_id"] == request_id


@pytest.mark.parametrize(
    ("method", "path", "level", "code"),
    [
        ("GET", "/livez", "info", None),
        ("GET", "/nowhere", "info", "not_found"),
        ("GET", "/docs/files/nothing", "info", "not_found"),
        ("PUT", "/projects/p", "info", "method_not_allowed"),
        ("HEAD", "/projects/nobody", "info", "project_not_found"),
        ("POST", "/projects", "info", "invalid_request"),
        ("GET", "/projects?page_size=%ff", "info", "invalid_request"),
        ("GET", "/silence", "warning", "database_unavailable"),
        ("GET", "/fullness", "warning", "storage_full"),
        ("GET", "/bug", "warning", "internal_error"),
    ],
)
def test_line_of_a_problem_has_its_code_and_warns_where_the_service_is_at_fault(
    fault_client: TestClient, method: str, path: str, level: str, code: str | None
) -> None:
    with capture_logs() as logs:
        fault_client.request(method, path)

    (line,) = [line for line in logs if line["event"] == "request"]
    assert (line["log_level"], line.get("code")) == (level, code)


def test_a_refused_host_has_its_code_in_the_log(client: TestClient) -> None:
    with capture_logs() as logs:
        client.get("/projects", headers={"host": "foreign.example.com"})

    assert [line["code"] for line in logs] == ["host_not_allowed"]


def test_settings_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    for name, value in settings.to_environment().items():
        monkeypatch.setenv(name, value)

    assert create_app().state.settings == settings


def test_request_that_the_server_waits_no_longer_for_is_told_to_come_again(app: FastAPI) -> None:
    sent: list[Message] = []

    async def cancelled_while_it_reads() -> None:
        asked = asyncio.Event()

        async def receive() -> Message:
            asked.set()
            return await asyncio.Future()

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/projects", "query_string": b""}
        task = asyncio.create_task(
            app({**scope, "headers": [(b"content-type", b"application/json")]}, receive, send)
        )
        await asked.wait()
        task.cancel()
        await task

    with capture_logs() as logs:
        asyncio.run(cancelled_while_it_reads())

    assert sent[0]["status"] == 503
    assert (b"retry-after", b"5") in sent[0]["headers"]
    assert json.loads(sent[1]["body"])["code"] == "not_ready"
    assert [(line["log_level"], line["code"]) for line in logs] == [("warning", "not_ready")]


@pytest.mark.parametrize(
    ("name", "fault"),
    [("", "It is empty."), ("  ", "It is empty."), ("a\nb", "It contains a control character.")],
)
def test_odd_texts_are_refused_in_words(client: TestClient, name: str, fault: str) -> None:
    errors = client.post("/projects", json={"name": name}).json()["errors"]
    assert errors == [{"pointer": "/name", "detail": fault}]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b'{"name": "caf\xe9"}', "not UTF-8"),
        (b'{"name": ' + b"1" * 5000 + b"}", "has thousands of digits"),
        (b'{"name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nests too deep"),
    ],
)
def test_what_python_cannot_read_of_json_is_told(
    client: TestClient, body: bytes, fault: str
) -> None:
    answer = client.post("/projects", content=body, headers={"content-type": "application/json"})

    assert (answer.status_code, answer.json()["code"]) == (400, "unreadable_body")
    assert fault in answer.json()["detail"]


def test_an_idempotency_key_is_one_word_of_ascii(client: TestClient) -> None:
    for keys, fault in ((["a b"], "It contains a blank"), (["a", "b"], "more than once")):
        headers = [("idempotency-key", key) for key in keys]
        for path in ("/projects", "/projects/p/unlabeled"):
            answer = client.post(path, json={"name": "a"}, headers=headers)
            assert answer.status_code == 422
            (error,) = answer.json()["errors"]
            assert error["pointer"] == "Idempotency-Key"
            assert fault in error["detail"]
    twice = [("idempotency-key", "a")] * 2
    assert client.post("/projects", json={"name": "a"}, headers=twice).status_code == 201


def test_odd_ids_are_refused_in_words(client: TestClient) -> None:
    for model_id, fault in [("", "It is empty"), ("a b", "letters, digits, - and _")]:
        answer = client.get("/predict", params={"model_id": model_id, "text": "a"})
        assert answer.status_code == 422
        assert fault in answer.json()["detail"]


def test_the_place_of_a_fault_in_json_is_told(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    detail = client.post("/projects", content=b'{"name":\n"', headers=headers).json()["detail"]
    assert detail == (
        "The body is not JSON: Unterminated string starting at: line 2 column 1 (char 9)."
    )
