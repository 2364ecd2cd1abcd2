"""Uploads that take long are jobs, over real connections."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.database import Database
from app.job_kinds import JobKind
from app.main import create_app
from app.orm import IdempotencyKey, Job, JobStatus
from app.repositories.jobs import JobRepository
from app.services.documents import documents, upload_job
from app.services.documents.upload_job import UploadJob
from app.settings import Settings
from app.sql_functions import database_now
from tests.app.conftest import new_upload_path, served
from tests.app.processes import PATIENCE, eventually
from tests.app.slow_upload import BODY, SlowUpload

JSON = {"Content-Type": "application/json"}


@pytest.fixture(autouse=True)
def told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_job, "TELL_SECONDS", 0.05)


def asked(method: str, url: str, **options: Any) -> httpx2.Response:
    return httpx2.request(method, url, timeout=PATIENCE, **options)


def uploads(url: str) -> list[dict[str, Any]]:
    answer = asked("GET", f"{url}/jobs", params={"kind": "upload"})
    jobs: list[dict[str, Any]] = answer.json()["jobs"]
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
    ended = asked("GET", f"{served_url}/jobs/{job['id']}").json()
    assert (ended["status"], ended["progress"], ended["pace"]) == ("succeeded", 1.0, None)
    assert ended["result"]["inserted"] == report["inserted"] == 2
    assert ended["created_at"] == ended["started_at"] < ended["finished_at"]
    live = asked(
        "GET", f"{served_url}/jobs/{job['id']}/events", headers={"accept": "text/event-stream"}
    )
    assert [line for line in live.text.splitlines() if line.startswith("event")] == [
        "event: log",
        "event: log",
        "event: progress",
        "event: end",
    ]


def test_the_pace_of_an_upload_is_not_known_before_its_first_rows(
    served_url: str, upload_path: str
) -> None:
    upload = SlowUpload(served_url, upload_path, first=BODY[:2], last=BODY[2:])
    (job,) = eventually(lambda: [j for j in uploads(served_url) if j["pace"]], "it is told of")
    assert job["pace"]["documents_per_second"] is None

    status, answer = upload.finish()
    assert (status, json.loads(answer)["inserted"]) == (200, 2)


def test_a_cancelled_upload_ends_while_it_waits_and_keeps_what_came(
    served_url: str, upload_path: str
) -> None:
    upload = SlowUpload(served_url, upload_path)
    job = eventually(lambda: half_done(served_url), "half is read")
    assert asked("POST", f"{served_url}/jobs/{job['id']}/cancel").json()["status"] == "running"

    status, answer = upload.answer()
    problem = json.loads(answer)
    assert (status, problem["code"]) == (409, "upload_cancelled")
    assert "Rows kept from before that: 1" in problem["detail"]
    ended = asked("GET", f"{served_url}/jobs/{job['id']}").json()
    assert ended["status"] == "cancelled"
    assert ended["result"]["inserted"] == problem["report"]["inserted"] == 1


def test_an_atomic_upload_that_is_cancelled_while_it_is_stored_keeps_nothing(
    served_url: str, upload_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancel(session: Session) -> None:
        # As if it came in the meantime: with SQLite nobody else could write now.
        (job,) = session.scalars(select(Job).where(Job.kind == JobKind.UPLOAD))
        JobRepository(session).request_cancel(job.id)

    do_when_stored(monkeypatch, cancel)
    upload = SlowUpload(served_url, f"{upload_path}?atomic=true")
    eventually(lambda: half_done(served_url), "half is read")

    status, answer = upload.finish()
    problem = json.loads(answer)
    assert (status, problem["code"]) == (409, "upload_cancelled")
    assert problem["report"]["inserted"] == 0
    project = asked("GET", served_url + upload_path.removesuffix("/unlabeled")).json()
    assert project["counts"]["total"] == 0


def test_an_atomic_upload_keeps_its_job_however_long_it_is_stored(
    served_url: str, upload_path: str, any_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end_lease(session: Session) -> None:
        # As if it took longer than a lease, and the teller waited for this transaction.
        session.execute(update(Job).values(lease_until=database_now() - 1))

    do_when_stored(monkeypatch, end_lease)
    monkeypatch.setattr(UploadJob, "__exit__", claimed_first(any_database))
    upload = SlowUpload(served_url, f"{upload_path}?atomic=true")
    job = eventually(lambda: half_done(served_url), "half is read")
    monkeypatch.setattr(upload_job, "TELL_SECONDS", 60.0)

    assert upload.finish()[0] == 200
    assert asked("GET", f"{served_url}/jobs/{job['id']}").json()["status"] == "succeeded"


def do_when_stored(monkeypatch: pytest.MonkeyPatch, do: Callable[[Session], None]) -> None:
    """Let something happen in the transaction that stores, behind the rows."""
    store = documents._store

    def store_and_do(session: Session, *arguments: Any) -> None:
        store(session, *arguments)
        do(session)

    monkeypatch.setattr(documents, "_store", store_and_do)


def claimed_first(database: Database) -> Callable[..., None]:
    """Return the end of an upload before which a worker looks for lost jobs."""
    end = UploadJob.__exit__

    def claim_and_end(self: UploadJob, *arguments: Any) -> None:
        with database.writing.begin() as session:
            JobRepository(session).claim("a worker", 30)
        end(self, *arguments)

    return claim_and_end


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

    ended = asked("GET", f"{served_url}/jobs/{job['id']}").json()
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
    assert asked(
        "POST", served_url + upload_path, content=BODY, headers={"content-type": "text/plain"}
    ).is_success
    assert uploads(served_url) == []


def test_an_upload_outlives_its_project(served_url: str, upload_path: str) -> None:
    upload = SlowUpload(served_url, upload_path)
    eventually(lambda: half_done(served_url), "half is read")
    assert asked("DELETE", served_url + upload_path.removesuffix("/unlabeled")).status_code == 204

    status, answer = upload.finish()
    assert (status, json.loads(answer)["code"]) == (404, "project_not_found")
    assert uploads(served_url) == []


def test_an_upload_ends_with_the_service_and_tells_what_it_kept(
    settings: Settings, any_database: Database
) -> None:
    address = any_database.engine.url.render_as_string(hide_password=False)
    app = create_app(settings.model_copy(update={"database_url": address}))
    with served(app, timeout_graceful_shutdown=1) as url:
        path = new_upload_path(url)
        headers = {"Content-Type": "text/plain", "Idempotency-Key": "key"}
        upload = SlowUpload(url, path, headers=headers)
        eventually(lambda: half_done(url), "half is read")

    status, answer = upload.answer()
    problem = json.loads(answer)
    assert (status, problem["code"]) == (503, "not_ready")
    assert "Rows kept from before that: 1." in problem["detail"]
    assert problem["report"]["inserted"] == 1
    with any_database.reading() as session:
        job = session.scalars(select(Job)).one()
        assert (job.status, (job.error or {})["code"]) == (JobStatus.FAILED, "not_ready")
        assert session.scalars(select(IdempotencyKey)).all() == []
