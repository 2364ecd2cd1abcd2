"""Uploads under one Idempotency-Key, over real connections."""

from functools import partial
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from app.database import Database
from app.errors import BodyTooLarge
from app.http import upload_places, upload_stream
from app.orm import IdempotencyKey
from app.repositories.idempotency import IdempotencyRepository
from tests.app.processes import PATIENCE, eventually
from tests.app.slow_upload import BODY, SlowUpload

NDJSON = {"Content-Type": "application/x-ndjson"}
HEADERS = {"Idempotency-Key": "key", "Content-Type": "text/plain"}


def send(url: str, content: bytes) -> httpx2.Response:
    return httpx2.post(url, content=content, headers=HEADERS, timeout=60)


def reserved(database: Database) -> IdempotencyKey | None:
    with database.reading() as session:
        return session.scalar(select(IdempotencyKey))


def n_documents(url: str, path: str) -> int:
    counts = httpx2.get(url + path.removesuffix("/unlabeled"), timeout=PATIENCE).json()["counts"]
    return int(counts["total"])


def test_of_two_uploads_at_once_one_is_carried_out(
    any_database: Database, served_url: str, upload_path: str
) -> None:
    first = SlowUpload(served_url, upload_path, headers=HEADERS)
    eventually(lambda: reserved(any_database), "the first is at work")

    for content in (BODY, b"three\n"):
        refused = send(served_url + upload_path, content)
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_in_use")
        assert refused.headers["retry-after"] == "5"

    answer = first.finish()
    again = send(served_url + upload_path, BODY)
    assert (again.status_code, again.content) == answer
    assert again.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    assert send(served_url + upload_path, b"three\n").json()["code"] == "idempotency_key_reused"
    assert n_documents(served_url, upload_path) == again.json()["inserted"] == 2


def test_key_of_an_upload_whose_connection_died_is_free(
    any_database: Database, served_url: str, upload_path: str
) -> None:
    first = SlowUpload(served_url, upload_path, headers=HEADERS)
    eventually(lambda: reserved(any_database), "the first is at work")
    first.connection.close()
    eventually(lambda: reserved(any_database) is None, "the first is given up")

    # Lines that were read before that are there.
    report = send(served_url + upload_path, BODY).json()
    assert report["inserted"] + report["unchanged"] == report["received"] == 2
    assert n_documents(served_url, upload_path) == 2


def test_an_upload_at_work_renews_its_key(
    any_database: Database, served_url: str, upload_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_stream, "RENEW_SECONDS", 0.05)
    first = SlowUpload(served_url, upload_path, headers=HEADERS)
    began = eventually(lambda: reserved(any_database), "the first is at work").created_at

    def is_renewed() -> bool:
        row = reserved(any_database)
        return row is not None and row.created_at > began

    eventually(is_renewed, "the key is renewed")
    assert first.finish()[0] == 200


def test_an_upload_that_fails_while_the_database_is_away_says_of_what(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall_silent(*_: Any) -> None:
        raise OperationalError("", {}, Exception("it is down"))

    monkeypatch.setattr(IdempotencyRepository, "release", fall_silent)
    with pytest.raises(BodyTooLarge), upload_stream.held(database, "key", "holder"):
        raise BodyTooLarge("It is too large.")


def test_a_stream_of_predictions_takes_a_place_of_uploads(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_places, "WAIT_SECONDS", 0.01)
    app = client.app
    assert isinstance(app, FastAPI)
    ask = partial(client.post, f"/predict?model_id={model['id']}", content='"water"')

    assert ask(headers=NDJSON).is_success
    app.state.upload_limiter.total_tokens = 0
    assert ask(headers=NDJSON).json()["code"] == "too_many_uploads"


def test_an_upload_that_finds_no_thread_is_refused(
    client: TestClient, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_places, "WAIT_SECONDS", 0.01)
    app = client.app
    assert isinstance(app, FastAPI)
    n_threads, app.state.upload_limiter.total_tokens = app.state.upload_limiter.total_tokens, 0
    path = f"/projects/{project_id}/unlabeled"

    refused = client.post(path, content=BODY, headers=HEADERS)
    assert (refused.status_code, refused.json()["code"]) == (503, "too_many_uploads")
    assert refused.headers["retry-after"] == "30"

    app.state.upload_limiter.total_tokens = n_threads
    assert client.post(path, content=BODY, headers=HEADERS).json()["inserted"] == 2
