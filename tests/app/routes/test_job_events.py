import json
from collections.abc import Callable
from threading import Thread
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from app.database import Database
from app.main import create_app
from app.repositories.jobs import JobRepository
from app.settings import Settings
from tests.app.conftest import served
from tests.app.processes import PATIENCE

STREAM = {"accept": "text/event-stream"}
PACE: dict[str, float | None] = {
    "stage_progress": 0.5,
    "documents_per_second": 1000.0,
    "stage_seconds_left": 2.5,
    "seconds_left": None,
}


@pytest.fixture
def job_id(client: TestClient, filled_project_id: str) -> str:
    """Return the id of a queued training."""
    body = {"project_id": filled_project_id, "algorithm": "prototype"}
    return str(client.post("/train", json=body).json()["id"])


def events_of(stream: str) -> list[dict[str, Any]]:
    """Parse server-sent events; comments are left out."""
    events = []
    for block in stream.split("\n\n"):
        lines = [line.partition(": ") for line in block.splitlines() if not line.startswith(":")]
        if lines:
            event: dict[str, Any] = {name: value for name, _, value in lines}
            events.append({**event, "data": json.loads(event["data"])})
    return events


def test_log_is_paged(client: TestClient, job_id: str, run_job: Callable[[], str]) -> None:
    run_job()

    whole = client.get(f"/jobs/{job_id}/events").json()
    first = client.get(f"/jobs/{job_id}/events", params={"page_size": 2}).json()
    rest = client.get(
        f"/jobs/{job_id}/events", params={"page_token": first["next_page_token"]}
    ).json()

    assert whole["events"] == first["events"] + rest["events"]
    assert [whole["events"][i]["message"] for i in (0, 1, -1)] == ["queued", "started", "succeeded"]
    assert whole["next_page_token"] is rest["next_page_token"] is None


def test_stream_of_an_ended_job_has_its_log_and_its_end(
    client: TestClient, job_id: str, run_job: Callable[[], str]
) -> None:
    run_job()
    log = client.get(f"/jobs/{job_id}/events").json()["events"]

    response = client.get(f"/jobs/{job_id}/events", headers=STREAM)

    events = events_of(response.text)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert [e["data"] for e in events if e["event"] == "log"] == log
    assert [e["id"] for e in events if e["event"] == "log"] == [str(e["number"]) for e in log]
    assert events[-1]["event"] == "end"
    assert events[-1]["data"] == client.get(f"/jobs/{job_id}").json()


def test_stream_goes_on_behind_the_last_event_seen(
    client: TestClient, job_id: str, run_job: Callable[[], str]
) -> None:
    run_job()
    log = client.get(f"/jobs/{job_id}/events").json()["events"]
    headers = {**STREAM, "last-event-id": str(log[1]["number"])}

    events = events_of(client.get(f"/jobs/{job_id}/events", headers=headers).text)

    assert [e["data"] for e in events if e["event"] == "log"] == log[2:]


def test_a_stream_that_was_read_to_its_end_has_no_more(
    client: TestClient, job_id: str, run_job: Callable[[], str]
) -> None:
    run_job()
    path = f"/jobs/{job_id}/events"
    *_, log, _, end = events_of(client.get(path, headers=STREAM).text)
    assert (log["event"], end["event"]) == ("log", "end")

    before_end = client.get(path, headers={**STREAM, "last-event-id": log["id"]})
    again = client.get(path, headers={**STREAM, "last-event-id": end["id"]})

    # Its connection may have broken in front of the end.
    assert events_of(before_end.text)[-1] == end
    assert (again.status_code, again.content) == (204, b"")
    assert "content-type" not in again.headers


def test_the_stream_of_a_job_that_goes_on_does_not_stop_behind_its_last_event(
    client: TestClient, job_id: str
) -> None:
    headers = {**STREAM, "last-event-id": "1000"}

    assert client.head(f"/jobs/{job_id}/events", headers=headers).status_code == 200


def test_stream_tells_progress_of_a_running_job_until_it_ends(
    job_id: str, database: Database, settings: Settings
) -> None:
    with database.writing.begin() as session:
        job = JobRepository(session).claim("test", 60)
    assert job is not None
    token = str(job.run_token)
    with (
        served(create_app(settings)) as url,
        httpx2.Client(base_url=url, timeout=PATIENCE) as client,
        client.stream("GET", f"/jobs/{job_id}/events", headers=STREAM) as stream,
    ):
        parts = stream.iter_text()
        told = next(parts)
        with database.writing.begin() as session:
            JobRepository(session).report(job_id, token, "fit", 0.4, PACE)
        while '"fit"' not in told:
            told += next(parts)
        with database.writing.begin() as session:
            JobRepository(session).fail(job_id, token, "broken", "It broke.")
        told += "".join(parts)

    events = events_of(told)
    progress = [e["data"] for e in events if e["event"] == "progress"]
    assert {"status": "running", "stage": "fit", "progress": 0.4, "pace": PACE} in progress
    assert events[-1]["event"] == "end"
    assert events[-1]["data"]["error"] == {"code": "broken", "message": "It broke."}
    assert events[-1]["data"]["pace"] is None


def test_stream_of_a_deleted_job_ends(
    client: TestClient, job_id: str, filled_project_id: str
) -> None:
    follower = Thread(
        target=client.get, args=(f"/jobs/{job_id}/events",), kwargs={"headers": STREAM}
    )
    follower.start()

    client.delete(f"/projects/{filled_project_id}")

    follower.join(timeout=PATIENCE)
    assert not follower.is_alive()


def test_stream_ends_where_the_database_fails_and_the_log_has_a_line_of_it(
    client: TestClient, job_id: str
) -> None:
    assert isinstance(client.app, FastAPI)
    asked: list[str] = []

    def fail_later(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(statement)
        if len([sql for sql in asked if "FROM jobs" in sql]) > 2:
            raise OperationalError(statement, {}, Exception("gone"))

    event.listen(client.app.state.database.engine, "before_cursor_execute", fail_later)
    with capture_logs() as logs:
        response = client.get(f"/jobs/{job_id}/events", headers=STREAM)

    assert [e["event"] for e in events_of(response.text)] == ["log", "progress"]
    assert [(line["event"], line.get("exc_info")) for line in logs] == [
        ("database unavailable", None),
        ("request", None),
    ]


def test_unknown_job_has_no_events(client: TestClient) -> None:
    for headers in ({}, STREAM):
        assert client.get("/jobs/x/events", headers=headers).status_code == 404


def test_head_does_not_wait_for_the_end_of_a_stream(client: TestClient, job_id: str) -> None:
    response = client.head(f"/jobs/{job_id}/events", headers=STREAM)

    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize(
    "wanted", ["image/png", "application/json;q=0", "*/*;q=0", "text/event-stream;q=0, text/*;q=0"]
)
def test_other_media_types_are_not_acceptable(client: TestClient, job_id: str, wanted: str) -> None:
    response = client.get(f"/jobs/{job_id}/events", headers={"accept": wanted})

    assert response.status_code == 406
    assert response.json()["code"] == "not_acceptable"


def test_page_token_of_another_list_is_refused(client: TestClient, job_id: str) -> None:
    response = client.get(f"/jobs/{job_id}/events", params={"page_token": "YWJj"})  # "abc"

    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "?page_token"
