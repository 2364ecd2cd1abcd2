"""Uploads under one Idempotency-Key, over real connections."""

import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from threading import Thread

import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select

from app import upload_stream
from app.database import Database
from app.main import create_app
from app.settings import Settings
from app.tables import IdempotencyKey
from tests.app.processes import eventually

HEADERS = {"Idempotency-Key": "key", "Content-Type": "text/plain"}
BODY = b"one\ntwo\n"


@pytest.fixture
def url(settings: Settings, any_database: Database) -> Iterator[str]:
    address = any_database.engine.url.render_as_string(hide_password=False)
    app = create_app(settings.model_copy(update={"database_url": address}))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def path(url: str) -> str:
    project_id = httpx2.post(f"{url}/projects", json={"name": "floods"}).json()["id"]
    return f"/projects/{project_id}/unlabeled"


def send(url: str, content: bytes) -> httpx2.Response:
    return httpx2.post(url, content=content, headers=HEADERS, timeout=60)


class SlowUpload:
    """An upload of ``BODY`` that has sent its first line."""

    def __init__(self, url: str, path: str) -> None:
        self.connection = HTTPConnection(url.removeprefix("http://"), timeout=60)
        self.connection.putrequest("POST", path)
        for name, value in {**HEADERS, "Content-Length": len(BODY)}.items():
            self.connection.putheader(name, str(value))
        self.connection.endheaders(BODY[:4])

    def finish(self) -> tuple[int, bytes]:
        self.connection.send(BODY[4:])
        with self.connection.getresponse() as response:
            answer = response.status, response.read()
        self.connection.close()
        return answer


def reserved(database: Database) -> IdempotencyKey | None:
    with database.reading() as session:
        return session.scalar(select(IdempotencyKey))


def n_documents(url: str, path: str) -> int:
    counts = httpx2.get(url + path.removesuffix("/unlabeled")).json()["counts"]
    return int(counts["total"])


def test_of_two_uploads_at_once_one_is_carried_out(
    any_database: Database, url: str, path: str
) -> None:
    first = SlowUpload(url, path)
    eventually(lambda: reserved(any_database), "the first is at work")

    for content in (BODY, b"three\n"):
        refused = send(url + path, content)
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_in_use")
        assert refused.headers["retry-after"] == "5"

    answer = first.finish()
    again = send(url + path, BODY)
    assert (again.status_code, again.content) == answer
    assert again.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    assert send(url + path, b"three\n").json()["code"] == "idempotency_key_reused"
    assert n_documents(url, path) == again.json()["inserted"] == 2


def test_key_of_an_upload_whose_connection_died_is_free(
    any_database: Database, url: str, path: str
) -> None:
    first = SlowUpload(url, path)
    eventually(lambda: reserved(any_database), "the first is at work")
    first.connection.close()
    eventually(lambda: reserved(any_database) is None, "the first is given up")

    assert send(url + path, BODY).json()["inserted"] == 2


def test_an_upload_at_work_renews_its_key(
    any_database: Database, url: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_stream, "RENEW_SECONDS", 0.05)
    first = SlowUpload(url, path)
    began = eventually(lambda: reserved(any_database), "the first is at work").created_at

    def is_renewed() -> bool:
        row = reserved(any_database)
        return row is not None and row.created_at > began

    eventually(is_renewed, "the key is renewed")
    assert first.finish()[0] == 200


def test_an_upload_that_finds_no_thread_is_refused(
    client: TestClient, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_stream, "WAIT_SECONDS", 0.01)
    app = client.app
    assert isinstance(app, FastAPI)
    n_threads, app.state.upload_limiter.total_tokens = app.state.upload_limiter.total_tokens, 0
    path = f"/projects/{project_id}/unlabeled"

    refused = client.post(path, content=BODY, headers=HEADERS)
    assert (refused.status_code, refused.json()["code"]) == (503, "too_many_uploads")
    assert refused.headers["retry-after"] == "30"

    app.state.upload_limiter.total_tokens = n_threads
    assert client.post(path, content=BODY, headers=HEADERS).json()["inserted"] == 2
