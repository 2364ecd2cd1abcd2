"""Uploads that take long are jobs, over real connections."""

import json
from functools import partial
from typing import Any

import httpx2
import pytest

from app.services import upload_job
from tests.app.processes import eventually
from tests.app.slow_upload import BODY, SlowUpload

JSON = {"Content-Type": "application/json"}


@pytest.fixture(autouse=True)
def told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_job, "TELL_SECONDS", 0.05)


def uploads(url: str) -> list[dict[str, Any]]:
    jobs: list[dict[str, Any]] = httpx2.get(f"{url}/jobs", params={"kind": "upload"}).json()["jobs"]
    return jobs


def half_done(url: str) -> dict[str, Any] | None:
    return next((job for job in uploads(url) if job["progress"] == 0.5), None)


def test_a_long_upload_tells_how_far_it_is(served_url: str, upload_path: str) -> None:
    upload = SlowUpload(served_url, upload_path)
    job = eventually(lambda: half_done(served_url), "half is read")
    assert (job["status"], job["stage"], job["spec"]) == (
        "running",
        "intake",
        {"label": "unlabeled"},
    )
    assert job["project_id"] == upload_path.split("/")[2]
    assert job["pace"]["stage_progress"] == 0.5
    assert job["pace"]["seconds_left"] == job["pace"]["stage_seconds_left"] > 0

    status, answer = upload.finish()
    assert status == 200
    report = json.loads(answer)
    ended = httpx2.get(f"{served_url}/jobs/{job['id']}").json()
    assert (ended["status"], ended["progress"], ended["pace"]) == ("succeeded", 1.0, None)
    assert ended["result"]["inserted"] == report["inserted"] == 2
    assert ended["created_at"] == ended["started_at"] < ended["finished_at"]
    live = httpx2.get(
        f"{served_url}/jobs/{job['id']}/events", headers={"accept": "text/event-stream"}
    )
    assert [line for line in live.text.splitlines() if line.startswith("event")] == [
        "event: log",
        "event: log",
        "event: progress",
        "event: end",
    ]


def test_a_cancelled_upload_ends_and_keeps_what_came(served_url: str, upload_path: str) -> None:
    upload = SlowUpload(served_url, upload_path)
    job = eventually(lambda: half_done(served_url), "half is read")
    assert httpx2.post(f"{served_url}/jobs/{job['id']}/cancel").json()["status"] == "running"

    def seconds_left() -> float:
        return float(httpx2.get(f"{served_url}/jobs/{job['id']}").json()["pace"]["seconds_left"])

    for _ in range(2):  # that which comes first may have looked before the cancel
        last = seconds_left()
        eventually(partial(lambda last: seconds_left() > last, last), "it has looked at its job")
    status, answer = upload.finish()
    problem = json.loads(answer)
    assert (status, problem["code"]) == (409, "upload_cancelled")
    assert "Rows kept from before that: 1" in problem["detail"]
    ended = httpx2.get(f"{served_url}/jobs/{job['id']}").json()
    assert ended["status"] == "cancelled"
    assert ended["result"]["inserted"] == problem["report"]["inserted"] == 1


def test_the_job_of_a_connection_that_died_fails(served_url: str, upload_path: str) -> None:
    upload = SlowUpload(served_url, upload_path)
    job = eventually(lambda: half_done(served_url), "half is read")
    upload.connection.close()

    ended = eventually(
        lambda: next((j for j in uploads(served_url) if j["status"] == "failed"), None),
        "it is over",
    )
    assert ended["id"] == job["id"]
    assert ended["error"]["code"] == "upload_broken"


def test_the_job_of_an_upload_that_is_refused_says_why(served_url: str, upload_path: str) -> None:
    upload = SlowUpload(served_url, upload_path, first=b'["a", ', last=b'"b" 1', headers=JSON)
    job = eventually(lambda: upload_of(served_url), "it is told of")
    status, answer = upload.finish()

    ended = httpx2.get(f"{served_url}/jobs/{job['id']}").json()
    problem = json.loads(answer)
    assert status == 400
    assert ended["status"] == "failed"
    assert ended["error"] == {"code": problem["code"], "message": problem["detail"]}


def upload_of(url: str) -> dict[str, Any] | None:
    return next(iter(uploads(url)), None)


def test_a_short_upload_is_no_job(
    served_url: str, upload_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_job, "TELL_SECONDS", 60.0)
    assert httpx2.post(
        served_url + upload_path, content=BODY, headers={"content-type": "text/plain"}
    ).is_success
    assert uploads(served_url) == []


def test_an_upload_outlives_its_project(served_url: str, upload_path: str) -> None:
    upload = SlowUpload(served_url, upload_path)
    eventually(lambda: half_done(served_url), "half is read")
    assert httpx2.delete(served_url + upload_path.removesuffix("/unlabeled")).status_code == 204

    status, answer = upload.finish()
    assert (status, json.loads(answer)["code"]) == (404, "project_not_found")
    assert uploads(served_url) == []
