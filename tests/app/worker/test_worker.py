"""Real workers and children: killed, frozen, cancelled, limited and stopped."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import OperationalError
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from app.database import FREE_BYTES, Database
from app.job_kinds import JobKind, JobStatus
from app.orm import Job, Project
from app.repositories.jobs import JobRepository
from app.repositories.projects import ProjectRepository
from app.repositories.worker_signs import WorkerSignRepository
from app.services.jobs.limit_words import less_memory
from app.settings import Settings
from app.worker import job_process
from app.worker.worker import Worker
from tests.app.databases import create_tables, on_sqlite, without_connections
from tests.app.processes import PATIENCE, ROOT, eventually, is_alive
from tests.app.run_worker import RUNNERS

SERVER = "multiprocessing.forkserver._forkserver"


class Queue:
    """Jobs of one project, as a test gives and watches them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.writing.begin() as session:
            self.project_id = ProjectRepository(session).add(Project(name="tests")).id

    def add(self, do: str, kind: JobKind = JobKind.TRAIN, **spec: Any) -> str:
        with self.database.writing.begin() as session:
            jobs = JobRepository(session)
            return jobs.add(self.project_id, kind, {"do": do, **spec}).id

    def get(self, job_id: str) -> Job:
        with self.database.reading() as session:
            return JobRepository(session).get(job_id)

    def cancel(self, job_id: str) -> None:
        with self.database.writing.begin() as session:
            JobRepository(session).request_cancel(job_id)

    def messages(self, job_id: str) -> list[str]:
        with self.database.reading() as session:
            return [event.message for event in JobRepository(session).events(job_id, limit=100)]

    def ended(self, job_id: str) -> Job:
        eventually(
            lambda: self.get(job_id).status.is_final, f"the job ends: {self.messages(job_id)}"
        )
        return self.get(job_id)

    def at_work(self, job_id: str) -> Job:
        eventually(lambda: self.get(job_id).stage, "the job tells its stage")
        return self.get(job_id)


def settings_for(url: str, folder: Path, **changes: Any) -> Settings:
    defaults: dict[str, Any] = {
        "artifacts_url": str(folder / "artifacts"),
        "cache_directory": folder / "cache",
        "job_poll_seconds": 0.05,
        "job_renew_seconds": 0.2,
        "job_lease_seconds": 1.5,
        "stop_grace_seconds": 0.2,
    }
    return Settings(database_url=url, **{**defaults, **changes})


@pytest.fixture
def start_thread(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Return a function that starts a worker in a thread: all threads share one fork server."""
    started: list[tuple[Worker, threading.Thread]] = []

    def start(url: str, **changes: Any) -> Worker:
        job_process.prepare([RUNNERS])
        worker = Worker(settings_for(url, tmp_path, **changes), RUNNERS)
        thread = threading.Thread(target=worker.run)
        thread.start()
        started.append((worker, thread))
        return worker

    yield start
    for worker, thread in started:
        worker.stop()
        thread.join()


@pytest.fixture
def work(
    database: Database, start_thread: Callable[..., Worker], sqlite_url: str
) -> Callable[..., Queue]:
    """Return a function that starts a worker in a thread and gives the queue it works on."""

    def start(**changes: Any) -> Queue:
        start_thread(sqlite_url, **changes)
        return Queue(database)

    return start


class WorkerProcess:
    def __init__(self, settings: Settings) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.app.run_worker"],
            cwd=ROOT,
            env={**os.environ, **settings.to_environment()},
        )

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def start_worker(
    tmp_path: Path, any_database: Database, any_database_url: str
) -> Iterator[Callable[..., WorkerProcess]]:
    """Return a function that starts a worker process, on each database in turn."""
    processes: list[WorkerProcess] = []

    def start(**changes: Any) -> WorkerProcess:
        processes.append(WorkerProcess(settings_for(any_database_url, tmp_path, **changes)))
        return processes[-1]

    yield start
    for process in processes:
        process.end()


@pytest.fixture
def queue(any_database: Database) -> Queue:
    return Queue(any_database)


def test_job_runs_and_tells_its_progress(work: Callable[..., Queue]) -> None:
    queue = work()
    job = queue.ended(queue.add("succeed"))

    assert (job.status, job.progress, job.attempt) == (JobStatus.SUCCEEDED, 1.0, 1)
    eventually(lambda: "half done" in queue.messages(job.id), "the last event is written")
    assert sorted(queue.messages(job.id)) == ["half done", "queued", "started", "succeeded"]
    assert job.result is not None
    assert job.result["pid"] != os.getpid()


@pytest.mark.parametrize("error", [OSError("No process is left."), EOFError()])
def test_worker_hands_back_a_job_that_it_could_not_start(
    start_thread: Callable[..., Worker],
    database: Database,
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    start, errors = job_process.start, [error]

    def start_later(*arguments: Any) -> Any:
        if errors:
            raise errors.pop()
        return start(*arguments)

    monkeypatch.setattr(job_process, "start", start_later)
    queue = Queue(database)
    began = time.monotonic()
    worker = start_thread(sqlite_url)
    job_id = queue.add("succeed")
    eventually(lambda: "handed back" in queue.messages(job_id), "the job is handed back")
    rests_until, worker.rests_until = worker.rests_until, float("-inf")
    job = queue.ended(job_id)

    assert rests_until > began
    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 1)


def test_worker_that_is_cut_off_from_its_fork_server_ends(
    start_thread: Callable[..., Worker],
    database: Database,
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    queue = Queue(database)
    worker = start_thread(sqlite_url, worker_slots=2)
    first = queue.add("wait_then_publish", seconds=600)
    queue.at_work(first)

    monkeypatch.setattr(f"{SERVER}._forkserver_address", str(tmp_path / "gone"))
    second = queue.add("succeed")
    eventually(worker.stopping.is_set, "the worker takes no more jobs")

    assert worker.is_cut_off
    assert "handed back" in queue.messages(second)
    assert queue.get(first).status == JobStatus.RUNNING


def test_worker_goes_on_after_a_job_that_it_could_not_watch(
    work: Callable[..., Queue], monkeypatch: pytest.MonkeyPatch
) -> None:
    start, memory_mb = job_process.start, job_process.memory_mb
    errors, connections = [psutil.AccessDenied()], []

    def start_and_note(*arguments: Any) -> Any:
        child, connection = start(*arguments)
        connections.append(connection)
        return child, connection

    def look_later(child: Any) -> float:
        if errors:
            raise errors.pop()
        return memory_mb(child)

    monkeypatch.setattr(job_process, "start", start_and_note)
    monkeypatch.setattr(job_process, "memory_mb", look_later)
    queue = work(job_memory_mb=2000)
    job = queue.ended(queue.add("stay_in_c_once"))

    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 2)
    assert connections[0].closed


def test_worker_goes_on_after_a_job_that_it_could_not_claim(work: Callable[..., Queue]) -> None:
    queue = work()
    with capture_logs() as logs:
        with queue.database.writing.begin() as session:
            job_id = JobRepository(session).add(queue.project_id, JobKind.TRAIN, {}).id
            session.execute(text("UPDATE jobs SET spec = 'no JSON'"))
        eventually(lambda: logs, "the claim has failed")
    with queue.database.writing.begin() as session:
        session.execute(text("""UPDATE jobs SET spec = '{"do": "succeed"}'"""))

    assert queue.ended(job_id).status == JobStatus.SUCCEEDED


def test_worker_waits_for_the_schema_and_says_so(
    start_thread: Callable[..., Worker], empty_database_url: str
) -> None:
    with capture_logs() as logs:
        start_thread(empty_database_url)
        eventually(lambda: [one for one in logs if "answer" in one["event"]], "it has looked")
        database = Database(empty_database_url)
        create_tables(database)
        queue = Queue(database)
        job = queue.ended(queue.add("succeed"))
        database.close()

    assert job.status == JobStatus.SUCCEEDED
    missing, *_, found = (one for one in logs if "answer" in one["event"])
    assert "run `seedbed migrate`" in missing["reason"]
    assert found["event"] == "the database answers again"
    assert not any("exc_info" in one for one in logs)


@pytest.mark.parametrize("is_late", [False, True])
def test_errors_of_the_work_are_final_and_keep_their_code(
    work: Callable[..., Queue], monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    start = job_process.start

    def start_and_sleep(*arguments: Any) -> Any:
        """Watch the child only when it has ended, as where the database takes long to answer."""
        child, connection = start(*arguments)
        child.join(PATIENCE)
        return child, connection

    if is_late:
        monkeypatch.setattr(job_process, "start", start_and_sleep)
    queue = work()
    job = queue.ended(queue.add("refuse"))

    assert (job.status, job.attempt) == (JobStatus.FAILED, 1)
    assert job.error == {
        "code": "unsuitable_documents",
        "message": "These documents cannot be used.",
    }


def test_an_end_that_could_not_be_written_is_written_later(
    work: Callable[..., Queue], monkeypatch: pytest.MonkeyPatch
) -> None:
    fail, errors = JobRepository.fail, [OperationalError("", {}, Exception("it is down"))]

    def fail_later(*arguments: Any) -> bool:
        if errors:
            raise errors.pop()
        return fail(*arguments)

    monkeypatch.setattr(JobRepository, "fail", fail_later)
    queue = work()
    job = queue.ended(queue.add("refuse"))

    assert (job.status, job.attempt) == (JobStatus.FAILED, 1)


def test_faults_are_not_told_to_clients(work: Callable[..., Queue]) -> None:
    queue = work()
    job = queue.ended(queue.add("fault"))

    assert job.status == JobStatus.FAILED
    assert job.error is not None
    assert job.error["code"] == "internal_error"
    assert "secret" not in job.error["message"]


def test_a_worker_without_a_job_is_counted_until_it_stops(
    database: Database, start_thread: Callable[..., Worker], sqlite_url: str
) -> None:
    def n_alive() -> int:
        with database.reading() as session:
            return WorkerSignRepository(session).n_alive()

    worker = start_thread(sqlite_url)
    eventually(lambda: n_alive() == 1, "it is counted")
    worker.stop()
    eventually(lambda: n_alive() == 0, "it is counted no longer")


def test_the_log_tells_what_became_of_a_job(work: Callable[..., Queue]) -> None:
    with capture_logs([merge_contextvars]) as logs:
        queue = work()
        queue.ended(queue.add("succeed"))
        queue.ended(queue.add("fault"))
        ended = eventually(
            lambda: [one for one in logs if one["event"] == "job ended"][1:], "both are logged"
        )
    started = [one for one in logs if one["event"] == "job started"]
    assert {(one["project_id"], one["kind"], one["attempt"]) for one in started} == {
        (queue.project_id, "train", 1)
    }
    assert (ended[0]["log_level"], ended[0]["code"]) == ("warning", "internal_error")
    assert ended[0]["kind"] == "train"


def test_job_whose_child_dies_is_tried_again(work: Callable[..., Queue]) -> None:
    queue = work()
    job = queue.ended(queue.add("die_once", n_deaths=2))

    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 3)


def test_job_whose_child_dies_each_time_fails(work: Callable[..., Queue]) -> None:
    queue = work()
    job = queue.ended(queue.add("die_once", n_deaths=3))

    assert (job.status, job.attempt) == (JobStatus.FAILED, 3)
    assert job.error is not None
    assert job.error["code"] == "worker_lost"


@pytest.mark.parametrize("n_losses", [2, 3])
def test_job_that_loses_the_store_is_tried_again(work: Callable[..., Queue], n_losses: int) -> None:
    queue = work()
    job = queue.ended(queue.add("lose_the_store", n_losses=n_losses))

    assert job.attempt == 3
    is_lost = {"code": "store_unavailable", "message": "The store is away."}
    assert (job.status, job.error) == (
        (JobStatus.SUCCEEDED, None) if n_losses == 2 else (JobStatus.FAILED, is_lost)
    )


@pytest.mark.parametrize(
    ("instead", "told"),
    [(Path.touch, "Not a directory"), (lambda _: None, "No such file or directory")],
)
def test_job_that_cannot_open_the_store_is_tried_again(
    work: Callable[..., Queue], tmp_path: Path, instead: Callable[[Path], object], told: str
) -> None:
    queue = work()
    assert queue.ended(queue.add("succeed")).status == JobStatus.SUCCEEDED
    # The worker has looked, and takes it that the folder is as it was.
    folder = tmp_path / "artifacts"
    folder.rename(tmp_path / "elsewhere")
    instead(folder)
    job_id = queue.add("succeed")
    told = f"The artifact store could not be opened: {told}."
    eventually(lambda: any(told in one for one in queue.messages(job_id)), "it is told")
    assert (queue.get(job_id).status, queue.get(job_id).attempt) == (JobStatus.QUEUED, 1)

    folder.unlink(missing_ok=True)
    (tmp_path / "elsewhere").rename(folder)

    job = queue.ended(job_id)
    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 2)


def test_job_that_lacks_the_schema_is_left_to_a_worker_of_another_version(
    any_database: Database,
    any_database_url: str,
    start_thread: Callable[..., Worker],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = Queue(any_database)
    worker = start_thread(any_database_url)
    job_id = queue.add("miss_a_column")
    eventually(lambda: "handed back" in queue.messages(job_id), "it is handed back")
    other = queue.add("succeed")
    time.sleep(3 * worker.settings.job_poll_seconds)

    for one in (job_id, other):
        job = queue.get(one)
        assert (job.status, job.attempt, job.error) == (JobStatus.QUEUED, 0, None)

    queue.cancel(job_id)
    worker.rests_until = float("-inf")
    assert queue.ended(other).status == JobStatus.SUCCEEDED


def test_worker_that_cannot_store_takes_no_job(
    database: Database, start_thread: Callable[..., Worker], sqlite_url: str, tmp_path: Path
) -> None:
    queue = Queue(database)
    job_id = queue.add("succeed")
    # In place of the folder for temporary files.
    obstacle = tmp_path / "artifacts" / "incoming"
    obstacle.parent.mkdir()
    obstacle.touch()
    with capture_logs() as logs:
        worker = start_thread(sqlite_url)
        eventually(lambda: not worker.store.can_store, "the worker has looked")
        assert queue.get(job_id).attempt == 0

        obstacle.unlink()

        assert queue.ended(job_id).status == JobStatus.SUCCEEDED
    assert [line["event"] for line in logs if "jobs are taken" in line["event"]] == [
        "no jobs are taken: files cannot be stored",
        "jobs are taken again: files can be stored",
    ]


def test_worker_takes_no_job_into_the_room_that_is_kept(
    database: Database,
    start_thread: Callable[..., Worker],
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = Queue(database)
    job_id = queue.add("succeed")
    with monkeypatch.context() as patched:
        usage = shutil.disk_usage("/")._replace(free=FREE_BYTES - 1)
        patched.setattr("shutil.disk_usage", lambda _: usage)
        worker = start_thread(sqlite_url)
        eventually(lambda: not worker.store.can_store, "the worker has looked")
        assert queue.get(job_id).attempt == 0

    assert queue.ended(job_id).status == JobStatus.SUCCEEDED


def test_worker_looks_at_its_store_after_a_job_that_failed(
    database: Database, start_thread: Callable[..., Worker], sqlite_url: str, tmp_path: Path
) -> None:
    queue = Queue(database)
    worker = start_thread(sqlite_url)
    assert queue.ended(queue.add("succeed")).status == JobStatus.SUCCEEDED
    scratch = tmp_path / "artifacts" / "incoming"
    scratch.rmdir()
    scratch.touch()

    assert queue.ended(queue.add("refuse")).status == JobStatus.FAILED

    eventually(lambda: not worker.store.can_store, "the worker has looked")


def test_cancel_ends_a_job_that_computes_in_c(work: Callable[..., Queue]) -> None:
    queue = work()
    # Its one call lasts far longer than the test.
    job = queue.at_work(queue.add("stay_in_c"))
    queue.cancel(job.id)

    assert queue.ended(job.id).status == JobStatus.CANCELLED


def test_cancel_of_a_job_whose_process_has_just_ended_is_no_fault(
    work: Callable[..., Queue], monkeypatch: pytest.MonkeyPatch
) -> None:
    def send_to_nobody(*_: Any) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(Connection, "send", send_to_nobody)
    with capture_logs() as logs:
        queue = work()
        job = queue.at_work(queue.add("stay_in_c"))
        queue.cancel(job.id)
        eventually(lambda: any(log["event"] == "job ended" for log in logs), "the end is logged")

    assert queue.get(job.id).status == JobStatus.CANCELLED


def test_cancelled_search_publishes_what_it_has(work: Callable[..., Queue]) -> None:
    queue = work()
    job = queue.at_work(queue.add("stop_when_told"))
    queue.cancel(job.id)

    ended = queue.ended(job.id)
    assert (ended.status, ended.result) == (JobStatus.CANCELLED, {"found": 1})


def test_cancelled_job_that_fails_is_cancelled(work: Callable[..., Queue]) -> None:
    queue = work()
    job = queue.at_work(queue.add("refuse_when_told"))
    queue.cancel(job.id)

    ended = queue.ended(job.id)
    assert (ended.status, ended.error) == (JobStatus.CANCELLED, None)


def test_search_that_does_not_stop_is_ended(
    work: Callable[..., Queue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.worker.watched_attempt.CANCEL_SECONDS", 0.2)
    queue = work()
    job = queue.at_work(queue.add("ask_but_not_stop"))
    queue.cancel(job.id)

    ended = queue.ended(job.id)
    assert (ended.status, ended.result) == (JobStatus.CANCELLED, None)


def test_memory_limit_ends_the_job_and_not_the_worker(work: Callable[..., Queue]) -> None:
    queue = work(job_memory_mb=700)
    job = queue.ended(queue.add("take_memory"))

    assert job.status == JobStatus.FAILED
    assert job.error is not None
    assert job.error["code"] == "memory_limit"
    assert job.error["message"].endswith(" a document. " + less_memory(JobKind.TRAIN))
    assert queue.ended(queue.add("succeed")).status == JobStatus.SUCCEEDED


def test_time_limit_ends_the_job(work: Callable[..., Queue]) -> None:
    queue = work(job_seconds=1)
    job = queue.ended(queue.add("wait_then_publish", JobKind.RANKING, seconds=600))

    assert job.error is not None
    assert job.error["code"] == "time_limit"
    assert job.error["message"].endswith(" 1 seconds. Raise SEEDBED_JOB_SECONDS.")


def hold_lock(database: Database, seconds: float) -> None:
    with database.writing.begin() as session:
        session.connection()  # takes the lock
        time.sleep(seconds)


def test_job_outlives_an_outage_of_the_database(work: Callable[..., Queue]) -> None:
    queue = work(
        job_renew_seconds=0.1, job_lease_seconds=PATIENCE, database_timeout_seconds=PATIENCE
    )
    job = queue.at_work(queue.add("wait_then_publish", seconds=1))
    hold_lock(queue.database, seconds=0.5)

    ended = queue.ended(job.id)
    assert (ended.status, ended.attempt) == (JobStatus.SUCCEEDED, 1)


@pytest.mark.parametrize("n_slots", [1, 2])
def test_job_goes_on_while_another_locks_the_database_for_longer_than_a_lease(
    work: Callable[..., Queue], n_slots: int, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    queue = work(
        worker_slots=n_slots,
        job_lease_seconds=2,
        job_renew_seconds=1.2,
        database_timeout_seconds=0.1,
    )
    job = queue.at_work(queue.add("talk_until_let", file=str(go)))
    hold_lock(queue.database, seconds=2.6)
    # Not before, nor while the worker writes: who cannot write the end of a job has it tried again.
    lease = queue.get(job.id).lease_until
    eventually(lambda: queue.get(job.id).lease_until != lease, "the lease is renewed")
    go.touch()

    ended = queue.ended(job.id)
    assert (ended.status, ended.attempt) == (JobStatus.SUCCEEDED, 1)


def test_whose_lease_ran_out_may_renew_it_before_the_job_is_taken_over(
    database: Database, start_thread: Callable[..., Worker], sqlite_url: str
) -> None:
    queue = Queue(database)
    job_id = queue.add("succeed")
    with database.writing.begin() as session:
        job = JobRepository(session).claim("another worker", lease_seconds=-1)
    start_thread(sqlite_url, job_renew_seconds=PATIENCE, job_lease_seconds=2 * PATIENCE)
    queue.ended(queue.add("succeed"))

    assert job is not None
    assert job.run_token is not None
    with database.writing.begin() as session:
        assert JobRepository(session).renew(job_id, job.run_token, PATIENCE)


def test_job_that_loses_the_database_is_tried_again(work: Callable[..., Queue]) -> None:
    queue = work(database_timeout_seconds=0.1, job_lease_seconds=PATIENCE)
    job = queue.ended(queue.add("lock_itself_out_once"))

    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 2)
    assert "lost its process" not in queue.messages(job.id)


def test_job_waits_for_a_database_that_is_away(
    start_thread: Callable[..., Worker],
    postgresql_server: str,
    empty_postgresql_url: str,
    tmp_path: Path,
) -> None:
    database = Database(empty_postgresql_url)
    create_tables(database)
    queue = Queue(database)
    start_thread(empty_postgresql_url, job_lease_seconds=0.5)
    job = queue.at_work(queue.add("publish_when_let", folder=str(tmp_path)))

    with without_connections(postgresql_server, make_url(empty_postgresql_url).database):
        (tmp_path / "1").touch()
        time.sleep(1)

    ended = queue.ended(job.id)
    database.close()
    assert (ended.status, ended.attempt) == (JobStatus.SUCCEEDED, 1)


@pytest.mark.parametrize("any_database_url", ["postgresql"], indirect=True)
def test_job_that_meets_a_standby_is_tried_again(
    start_thread: Callable[..., Worker], any_database_url: str, queue: Queue
) -> None:
    start_thread(any_database_url)
    job = queue.ended(queue.add("meet_a_standby_once"))

    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 2)


def test_job_without_room_in_the_database_is_not_tried_again(work: Callable[..., Queue]) -> None:
    queue = work()

    job = queue.ended(queue.add("fill_the_database"))

    assert (job.status, job.attempt) == (JobStatus.FAILED, 1)
    assert job.error is not None
    assert job.error["code"] == "storage_full"


def test_slots_run_jobs_side_by_side(work: Callable[..., Queue]) -> None:
    queue = work(worker_slots=2)
    first, second = (queue.add("wait_then_publish", seconds=600) for _ in range(2))

    queue.at_work(first)
    queue.at_work(second)
    queue.cancel(first)
    queue.cancel(second)
    assert queue.ended(second).status == JobStatus.CANCELLED


def runs_a_job(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        parent = process.parent()
        return parent is not None and "forkserver" in " ".join(parent.cmdline())
    return False


def test_child_ends_when_the_project_is_deleted(work: Callable[..., Queue]) -> None:
    queue = work()
    job = queue.at_work(queue.add("stay_in_c"))
    children = [child for child in psutil.Process().children(recursive=True) if runs_a_job(child)]
    assert children
    with queue.database.writing.begin() as session:
        ProjectRepository(session).delete(queue.project_id)

    eventually(lambda: not any(map(is_alive, children)), "the child ends")
    assert job.status == JobStatus.RUNNING


@on_sqlite
def test_stopped_worker_hands_back_what_does_not_end_in_time(
    start_worker: Callable[..., WorkerProcess], queue: Queue
) -> None:
    worker = start_worker()
    job = queue.at_work(queue.add("wait_then_publish", seconds=600))
    worker.send(signal.SIGTERM)

    assert worker.process.wait(PATIENCE) == 0
    handed_back = queue.get(job.id)
    assert (handed_back.status, handed_back.attempt) == (JobStatus.QUEUED, 0)
    assert "handed back" in queue.messages(job.id)


@on_sqlite
def test_job_is_handed_back_when_all_processes_are_told_to_end(
    start_worker: Callable[..., WorkerProcess], queue: Queue
) -> None:
    worker = start_worker(stop_grace_seconds=PATIENCE)
    job = queue.at_work(queue.add("wait_then_publish", seconds=600))
    family = worker.family()
    worker.send(signal.SIGTERM)
    for process in family:
        with suppress(psutil.NoSuchProcess):  # the end of another may have been its own
            process.terminate()

    assert worker.process.wait(PATIENCE) == 0
    handed_back = queue.get(job.id)
    assert (handed_back.status, handed_back.attempt) == (JobStatus.QUEUED, 0)


@on_sqlite
def test_stopped_worker_lets_a_job_end_within_its_grace(
    start_worker: Callable[..., WorkerProcess], queue: Queue
) -> None:
    worker = start_worker(stop_grace_seconds=PATIENCE)
    job = queue.at_work(queue.add("wait_then_publish", seconds=1))
    worker.send(signal.SIGTERM)

    assert worker.process.wait(PATIENCE) == 0
    assert queue.get(job.id).status == JobStatus.SUCCEEDED


def test_job_of_a_killed_worker_is_taken_over_and_its_child_is_gone(
    start_worker: Callable[..., WorkerProcess],
    start_thread: Callable[..., Worker],
    any_database_url: str,
    queue: Queue,
) -> None:
    lost = start_worker()
    job = queue.at_work(queue.add("stay_in_c_once"))
    orphans = lost.family()
    assert len(orphans) >= 2
    lost.send(signal.SIGKILL)
    eventually(lambda: not any(map(is_alive, orphans)), "what it started ends")
    start_thread(any_database_url)

    ended = queue.ended(job.id)
    assert (ended.status, ended.attempt) == (JobStatus.SUCCEEDED, 2)


def test_frozen_worker_that_wakes_up_publishes_nothing(
    start_worker: Callable[..., WorkerProcess],
    start_thread: Callable[..., Worker],
    any_database_url: str,
    queue: Queue,
    tmp_path: Path,
) -> None:
    frozen = start_worker()
    job = queue.at_work(queue.add("publish_when_let", folder=str(tmp_path)))
    family = frozen.family()
    children = [process for process in family if process.parent() in family]
    assert children
    # Frozen within a transaction it would keep its locks, and nobody could take the job over.
    with queue.database.writing.begin() as session:
        session.get_one(Job, job.id, with_for_update=True)
        for process in [psutil.Process(frozen.process.pid), *family]:
            process.suspend()
    # Nobody must take it over a second time, however slow the machine is.
    start_thread(any_database_url, job_lease_seconds=PATIENCE)
    eventually(lambda: queue.get(job.id).attempt == 2, "the job is taken over")
    # What is frozen is let first, and the other not before that has ended.
    (tmp_path / "1").touch()
    for process in [*family, psutil.Process(frozen.process.pid)]:
        process.resume()
    eventually(lambda: not any(map(is_alive, children)), "what was frozen ends")
    (tmp_path / "2").touch()

    ended = queue.ended(job.id)
    assert (ended.status, ended.attempt) == (JobStatus.SUCCEEDED, 2)
    assert ended.result is not None
    assert ended.result["pid"] not in {process.pid for process in family}
    assert queue.messages(job.id).count("succeeded") == 1


def test_two_workers_never_run_one_job_twice(
    start_worker: Callable[..., WorkerProcess],
    start_thread: Callable[..., Worker],
    any_database_url: str,
    queue: Queue,
) -> None:
    start_worker(worker_slots=2, job_lease_seconds=PATIENCE)
    # The other starts in no time, and would do all before this one is there.
    queue.ended(queue.add("succeed"))
    jobs = [queue.add("succeed") for _ in range(20)]
    start_thread(any_database_url, worker_slots=2, job_lease_seconds=PATIENCE)

    for job_id in jobs:
        job = queue.ended(job_id)
        assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 1)
        assert queue.messages(job_id).count("started") == 1


def test_no_job_is_taken_over_before_its_holder_has_looked_whether_to_renew_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that jumps forward ends all leases at once, also of jobs at work."""
    worker = Worker(settings)
    last_renewal = 0.0  # just before the jump, by a holder that looks once in a poll
    looks = last_renewal + settings.job_poll_seconds * np.arange(1, 1000) * 1.1
    renewed = looks[looks >= settings.job_renew_seconds][0]
    monkeypatch.setattr(time, "monotonic", lambda: last_renewal)
    assert not worker._may_take_over()

    monkeypatch.setattr(time, "monotonic", lambda: renewed)
    assert not worker._may_take_over()
    worker.database.close()


def test_the_wait_for_the_lock_leaves_nobody_time_to_renew_a_lease(
    settings: Settings, database: Database, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Queue(database).add("succeed")
    worker = Worker(settings)

    def look_at_the_lock() -> bool:
        path = make_url(sqlite_url).database or ""
        with (
            closing(sqlite3.connect(path, timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")
        return False

    monkeypatch.setattr(worker, "_may_take_over", look_at_the_lock)
    assert worker._claim() is not None
    worker.database.close()
