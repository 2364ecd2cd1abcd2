from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import text, update

from app.database import Database
from app.errors import JobFinished, JobNotFound, ProjectNotFound
from app.job_kinds import JobKind, JobStatus
from app.orm import DataTable, Job, Project, utc_now
from app.repositories.job_statistics import JobStatistics
from app.repositories.jobs import UPLOAD_LOST, JobRepository
from app.repositories.paging import place
from app.repositories.projects import ProjectRepository
from app.repositories.tables import TableRepository
from app.repositories.upload_jobs import UploadJobRepository
from app.services import projects
from app.services.tables import tables
from tests.app.processes import eventually
from tests.app.repositories.plans import noted_plans

LEASE = 30.0


@pytest.fixture
def job_id(any_database: Database, project_id: str) -> str:
    return add_job(any_database, project_id)


def add_job(database: Database, project_id: str) -> str:
    with database.writing.begin() as session:
        return JobRepository(session).add(project_id, JobKind.TRAIN, {"a": [1]}).id


def claim(database: Database, *, lease_seconds: float = LEASE) -> Job | None:
    with database.writing.begin() as session:
        return JobRepository(session).claim("worker 1", lease_seconds)


def are_due(database: Database) -> bool:
    with database.reading() as session:
        return JobRepository(session).are_due()


def claimed(database: Database, *, lease_seconds: float = LEASE) -> tuple[str, str]:
    job = claim(database, lease_seconds=lease_seconds)
    assert job is not None
    assert job.run_token is not None
    return job.id, job.run_token


def read(database: Database, job_id: str) -> Job:
    with database.reading() as session:
        return JobRepository(session).get(job_id)


def messages(database: Database, job_id: str) -> list[str]:
    with database.reading() as session:
        return [event.message for event in JobRepository(session).events(job_id, limit=100)]


def test_new_job_is_queued_with_an_event(any_database: Database, job_id: str) -> None:
    job = read(any_database, job_id)
    assert (job.status, job.attempt, job.spec) == (JobStatus.QUEUED, 0, {"a": [1]})
    assert messages(any_database, job_id) == ["queued"]
    with any_database.reading() as session:
        assert JobStatistics(session).queue_length() == 1


def test_unknown_job_is_not_found(any_database: Database) -> None:
    with any_database.writing.begin() as session:
        with pytest.raises(JobNotFound):
            JobRepository(session).get("no such job")
        with pytest.raises(JobNotFound):
            JobRepository(session).request_cancel("no such job")


def test_claim_takes_the_oldest_job_and_then_none(any_database: Database, project_id: str) -> None:
    assert not are_due(any_database)
    first, second = add_job(any_database, project_id), add_job(any_database, project_id)
    assert are_due(any_database)
    assert [claimed(any_database)[0] for _ in range(2)] == [first, second]
    assert not are_due(any_database)
    assert claim(any_database) is None
    job = read(any_database, first)
    assert (job.status, job.attempt, job.worker) == (JobStatus.RUNNING, 1, "worker 1")
    assert job.started_at is not None
    assert job.started_at >= job.created_at


def test_fifty_jobs_claimed_side_by_side_are_claimed_once_each(
    any_database: Database, project_id: str
) -> None:
    jobs = {add_job(any_database, project_id) for _ in range(50)}
    start = Barrier(6)

    def claim_all() -> list[str]:
        start.wait()
        taken = []
        while (job := claim(any_database)) is not None:
            taken.append(job.id)
        return taken

    with ThreadPoolExecutor(6) as pool:
        workers = [pool.submit(claim_all) for _ in range(6)]
    taken = Counter(job_id for worker in workers for job_id in worker.result())
    assert taken == Counter(jobs)


def test_expired_lease_gives_the_job_a_new_token(any_database: Database, job_id: str) -> None:
    _, old = claimed(any_database, lease_seconds=-1)
    assert are_due(any_database)
    _, new = claimed(any_database)
    assert new != old
    assert read(any_database, job_id).attempt == 2
    assert messages(any_database, job_id) == ["queued", "started", "lost its worker", "started"]


@pytest.mark.parametrize("is_running", [False, True])
def test_job_of_a_kind_of_a_later_version_is_left_to_it(
    any_database: Database, job_id: str, *, is_running: bool
) -> None:
    if is_running:
        claimed(any_database, lease_seconds=-1)
    with any_database.writing.begin() as session:
        session.execute(text("UPDATE jobs SET kind = 'later'"))
    assert not are_due(any_database)
    assert claim(any_database) is None
    assert read(any_database, job_id).kind == "later"
    with any_database.reading() as session:
        assert [kind for kind, *_ in JobStatistics(session).by_kind()] == ["later"]


def test_holder_of_an_old_token_changes_nothing(any_database: Database, job_id: str) -> None:
    _, old = claimed(any_database, lease_seconds=-1)
    claimed(any_database)
    before = messages(any_database, job_id)
    with any_database.writing.begin() as session:
        jobs = JobRepository(session)
        assert jobs.held(job_id, old) is None
        jobs.tell(job_id, old, "message", "fit", None)
        assert not jobs.renew(job_id, old, LEASE)
        assert not jobs.report(job_id, old, "fit", 0.5)
        assert not jobs.succeed(job_id, old, {})
        assert not jobs.fail(job_id, old, "code", "message")
        assert not jobs.requeue_lost(job_id, old)
        assert not jobs.hand_back(job_id, old)
        assert not jobs.cancel_if_requested(job_id, old)
    job = read(any_database, job_id)
    assert (job.status, job.progress) == (JobStatus.RUNNING, 0.0)
    assert messages(any_database, job_id) == before


def test_renewed_lease_keeps_the_job(any_database: Database, job_id: str) -> None:
    _, token = claimed(any_database, lease_seconds=-1)
    with any_database.writing.begin() as session:
        assert JobRepository(session).renew(job_id, token, LEASE)
    assert claim(any_database) is None


def test_job_whose_attempts_are_used_up_fails_as_lost(any_database: Database, job_id: str) -> None:
    for _ in range(read(any_database, job_id).max_attempts):
        claimed(any_database, lease_seconds=-1)
    assert claim(any_database) is None
    job = read(any_database, job_id)
    assert job.status == JobStatus.FAILED
    assert job.error is not None
    assert job.error["code"] == "worker_lost"
    assert job.finished_at is not None


@pytest.mark.parametrize("let_go", [JobRepository.requeue_lost, JobRepository.hand_back])
def test_job_that_waits_again_has_done_nothing(
    any_database: Database, job_id: str, let_go: Callable[..., bool]
) -> None:
    _, token = claimed(any_database)
    with any_database.writing.begin() as session:
        jobs = JobRepository(session)
        assert jobs.report(job_id, token, "fit", 0.4, {"seconds_left": 3.0})
        assert let_go(jobs, job_id, token)
    job = read(any_database, job_id)
    assert (job.status, job.stage, job.progress, job.pace) == (JobStatus.QUEUED, "", 0.0, None)
    assert (job.run_token, job.lease_until) == (None, None)


def test_lost_process_queues_the_job_again(any_database: Database, job_id: str) -> None:
    _, token = claimed(any_database)
    with any_database.writing.begin() as session:
        assert JobRepository(session).requeue_lost(job_id, token)
    job = read(any_database, job_id)
    assert (job.status, job.attempt, job.finished_at) == (JobStatus.QUEUED, 1, None)


def test_job_that_failed_tells_how_far_it_came(any_database: Database, job_id: str) -> None:
    for _ in range(read(any_database, job_id).max_attempts):
        _, token = claimed(any_database)
        with any_database.writing.begin() as session:
            assert JobRepository(session).report(job_id, token, "fit", 0.4)
            assert JobRepository(session).requeue_lost(job_id, token)
    job = read(any_database, job_id)
    assert (job.status, job.stage, job.progress) == (JobStatus.FAILED, "fit", 0.4)


def test_job_tried_again_started_when_it_was_first_tried(
    any_database: Database, job_id: str
) -> None:
    _, token = claimed(any_database)
    started_at = read(any_database, job_id).started_at
    with any_database.writing.begin() as session:
        JobRepository(session).requeue_lost(job_id, token)
    assert read(any_database, claimed(any_database)[0]).started_at == started_at


def test_job_handed_back_has_lost_no_attempt(any_database: Database, job_id: str) -> None:
    _, token = claimed(any_database)
    with any_database.writing.begin() as session:
        assert JobRepository(session).hand_back(job_id, token)
    job = read(any_database, job_id)
    assert (job.status, job.attempt) == (JobStatus.QUEUED, 0)


def test_success_is_recorded_once(any_database: Database, job_id: str) -> None:
    _, token = claimed(any_database)
    with any_database.writing.begin() as session:
        jobs = JobRepository(session)
        assert jobs.succeed(job_id, token, {"model_id": "m"})
        assert not jobs.succeed(job_id, token, {"model_id": "n"})
        assert not jobs.fail(job_id, token, "code", "message")
    job = read(any_database, job_id)
    assert (job.status, job.result, job.progress) == (JobStatus.SUCCEEDED, {"model_id": "m"}, 1.0)


def test_failure_keeps_code_and_message(any_database: Database, job_id: str) -> None:
    _, token = claimed(any_database)
    with any_database.writing.begin() as session:
        assert JobRepository(session).fail(job_id, token, "invalid_input", "No positives.")
    job = read(any_database, job_id)
    assert job.status == JobStatus.FAILED
    assert job.error == {"code": "invalid_input", "message": "No positives."}


def test_queued_job_is_cancelled_at_once(any_database: Database, job_id: str) -> None:
    with any_database.writing.begin() as session:
        job = JobRepository(session).request_cancel(job_id)
    assert job.status == JobStatus.CANCELLED
    assert job.finished_at is not None
    assert claim(any_database) is None
    assert messages(any_database, job_id) == ["queued", "cancelled"]


def test_running_job_with_an_accepted_cancel_cannot_succeed(
    any_database: Database, job_id: str
) -> None:
    _, token = claimed(any_database)
    with any_database.writing.begin() as session:
        jobs = JobRepository(session)
        assert not jobs.cancel_if_requested(job_id, token)
        assert jobs.request_cancel(job_id).status == JobStatus.RUNNING
        assert not jobs.succeed(job_id, token, {})
        assert jobs.cancel_if_requested(job_id, token, {"found": 1})
        assert not jobs.succeed(job_id, token, {})
    job = read(any_database, job_id)
    assert (job.status, job.result) == (JobStatus.CANCELLED, {"found": 1})


def test_cancel_of_a_finished_job_conflicts(any_database: Database, job_id: str) -> None:
    _, token = claimed(any_database)
    with any_database.writing.begin() as session:
        JobRepository(session).succeed(job_id, token, {})
        with pytest.raises(JobFinished, match="succeeded"):
            JobRepository(session).request_cancel(job_id)


@pytest.mark.parametrize("end", ["expired", "lost", "handed back"])
def test_cancelled_job_does_not_return_to_the_queue(
    any_database: Database, job_id: str, end: str
) -> None:
    _, token = claimed(any_database, lease_seconds=-1)
    with any_database.writing.begin() as session:
        jobs = JobRepository(session)
        jobs.request_cancel(job_id)
        if end == "lost":
            jobs.requeue_lost(job_id, token)
        elif end == "handed back":
            jobs.hand_back(job_id, token)
    assert claim(any_database) is None
    job = read(any_database, job_id)
    assert (job.status, job.error) == (JobStatus.CANCELLED, None)
    assert job.finished_at is not None


def test_events_continue_behind_a_number(any_database: Database, job_id: str) -> None:
    with any_database.writing.begin() as session:
        jobs = JobRepository(session)
        jobs.add_event(job_id, "one", stage="fit", data={"n": 1})
        jobs.add_event(job_id, "two", level="warning")
        queued, one = jobs.events(job_id, limit=2)
        (two,) = jobs.events(job_id, after=one.number, limit=2)
    assert [queued.message, one.message, two.message] == ["queued", "one", "two"]
    assert (one.stage, one.data, two.level, two.data) == ("fit", {"n": 1}, "warning", None)


def test_pages_hold_the_newest_jobs_first(any_database: Database, project_id: str) -> None:
    added = [add_job(any_database, project_id) for _ in range(5)]
    claimed(any_database)
    with any_database.reading() as session:
        jobs = JobRepository(session)
        first = jobs.page(limit=3)
        second = jobs.page(after=place(first[-1]), limit=3)
        running = [job.id for job in jobs.page(status=JobStatus.RUNNING, limit=3)]
        others = jobs.page(project_id="another", limit=3)
        others += jobs.page(kind=JobKind.CLASS_PRIOR, limit=3)
    assert [job.id for job in first + second] == added[::-1]
    assert running == added[:1]
    assert others == []


def test_statistics_count_jobs_and_their_seconds(any_database: Database, project_id: str) -> None:
    add_job(any_database, project_id)
    add_job(any_database, project_id)
    job_id, token = claimed(any_database)
    with any_database.writing.begin() as session:
        jobs = JobRepository(session)
        jobs.succeed(job_id, token, {})
        job = jobs.get(job_id)
        assert job.finished_at is not None
        started = job.finished_at
        finished = started + timedelta(seconds=0.25)
        session.execute(
            update(Job).where(Job.id == job_id).values(started_at=started, finished_at=finished)
        )
        (waiting,) = jobs.page(status=JobStatus.QUEUED, limit=2)
        assert JobStatistics(session).oldest_queued_at() == waiting.created_at
        assert sorted(JobStatistics(session).by_kind()) == [
            (JobKind.TRAIN, JobStatus.QUEUED, 1, 0.0),
            (JobKind.TRAIN, JobStatus.SUCCEEDED, 1, pytest.approx(0.25, abs=0.002)),
        ]


@pytest.mark.parametrize("has_project", [True, False])
def test_a_running_job_does_not_stop_the_deletion_of_what_it_is_on(
    postgresql_database: Database, *, has_project: bool
) -> None:
    database = postgresql_database
    with database.writing.begin() as session:
        if has_project:
            owner_id = ProjectRepository(session).add(Project(name="a project")).id
            JobRepository(session).add(owner_id, JobKind.TRAIN, {})
        else:
            table = DataTable(
                n_rows=1, n_features=1, n_positive=1, digest="", card={}, file={"key": "k"}
            )
            owner_id = TableRepository(session).add(table).id
            JobRepository(session).add(None, JobKind.FEATURE_SELECTION, {}, table_id=owner_id)
    job_id, token = claimed(database)

    def delete() -> None:
        with database.writing.begin() as session:
            (projects if has_project else tables).delete(session, owner_id)

    with ThreadPoolExecutor(1) as pool:
        with database.writing.begin() as session:
            assert JobRepository(session).renew(job_id, token, LEASE)
            deletion = pool.submit(delete)
            eventually(lambda: is_waiting(database), "the deletion waits for the job")
            assert JobRepository(session).report(job_id, token, "fit", 0.5)
        deletion.result()
    with database.reading() as session, pytest.raises(JobNotFound):
        JobRepository(session).get(job_id)


def test_an_event_is_seen_before_those_told_later(postgresql_database: Database) -> None:
    database = postgresql_database
    with database.writing.begin() as session:
        project_id = ProjectRepository(session).add(Project(name="a project")).id
    add_job(database, project_id)
    job_id, token = claimed(database)

    def cancel() -> None:
        with database.writing.begin() as session:
            JobRepository(session).request_cancel(job_id)

    with ThreadPoolExecutor(1) as pool:
        with database.writing.begin() as session:
            JobRepository(session).tell(job_id, token, "fit done", "fit", None)
            cancelled = pool.submit(cancel)
            eventually(lambda: cancelled.done() or is_waiting(database), "the cancel waits")
            assert messages(database, job_id) == ["queued", "started"]
        cancelled.result()
    assert messages(database, job_id) == ["queued", "started", "fit done", "cancel requested"]


def is_waiting(database: Database) -> bool:
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    with database.reading() as session:
        return bool(session.scalar(waiting))


def test_the_job_of_an_upload_is_tried_once(any_database: Database, project_id: str) -> None:
    with any_database.writing.begin() as session:
        jobs = UploadJobRepository(session)
        job = jobs.start(project_id, {}, worker="w", lease_seconds=-1, started_at=utc_now())
        job_id = job.id
    assert claim(any_database) is None
    job = read(any_database, job_id)
    assert (job.status, job.error) == (JobStatus.FAILED, UPLOAD_LOST)


def test_the_job_of_an_upload_needs_its_project(any_database: Database) -> None:
    with pytest.raises(ProjectNotFound), any_database.writing.begin() as session:
        UploadJobRepository(session).start(
            "p", {}, worker="w", lease_seconds=1, started_at=utc_now()
        )


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        ({}, "ix_jobs_newest"),
        ({"kind": JobKind.TRAIN}, "ix_jobs_newest"),
        ({"project_id": "p"}, "ix_jobs_newest_of_project"),
        ({"project_id": "p", "kind": JobKind.TRAIN}, "ix_jobs_newest_of_project"),
    ],
)
@pytest.mark.parametrize("after", [None, f"1@{32 * '0'}"])
def test_a_page_of_jobs_is_read_in_order(
    database: Database, asked: dict[str, Any], index: str, after: str | None
) -> None:
    plans = noted_plans(database)
    with database.reading() as session:
        JobRepository(session).page(**asked, after=after, limit=1)
    (plan,) = plans
    assert f"{index} " in f"{plan} "
    assert "TEMP B-TREE" not in plan


def test_jobs_are_counted_without_their_results(database: Database) -> None:
    plans = noted_plans(database)
    with database.reading() as session:
        JobStatistics(session).by_kind()
    assert "COVERING INDEX ix_jobs_figures" in plans[0]
