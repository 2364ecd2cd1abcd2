"""The worker: takes jobs from the database and runs each in a child process that it watches."""

import os
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from multiprocessing.connection import wait
from typing import Literal

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.artifacts import Artifacts
from app.database import Database
from app.logs import configure_logging
from app.repositories.jobs import JobRepository, this_process
from app.services.jobs import limit_words
from app.settings import Settings
from app.stop_signals import on_stop
from app.tables import Job
from app.worker import job_process
from app.worker.job_process import Attempt, Failure, Progress, Stoppable
from app.worker.outage import Outage
from app.worker.store_check import StoreWatch
from app.worker.sweeper import SWEEP_SECONDS, try_to_sweep

#: How often progress is written, at most.
TELL_SECONDS = 0.5
#: How often a child's memory and end are looked at.
WATCH_SECONDS = 0.1
#: How long a worker takes no jobs after one that did not find the schema of this version.
SCHEMA_SECONDS = 60
#: How long a cancelled job may take to publish what it has, where it can.
CANCEL_SECONDS = 10.0

#: What ended an attempt.
End = Literal["exited", "cancelled", "gone", "stopped", "failed"]

logger = structlog.get_logger(__name__)


class Worker:
    """Runs as many jobs at a time as it has slots, until it is told to stop.

    Parameters
    ----------
    settings : Settings
        Where the jobs are and what they may use.
    modules : sequence of str
        Names of what ``job_process.prepare`` has loaded; the RUNNERS of the first do the work.
    """

    def __init__(self, settings: Settings, modules: Sequence[str] = job_process.MODULES) -> None:
        self.settings = settings
        self.modules = modules
        self.name = this_process()
        # Who waits for the database does not watch the children meanwhile.
        timeout = min(settings.database_timeout_seconds, settings.job_renew_seconds)
        self.database = Database(settings.database_url, timeout_seconds=timeout)
        self.artifacts = Artifacts(settings.artifacts_url, settings.cache_directory)
        self.store = StoreWatch(self.artifacts)
        self.rests_until = float("-inf")
        # While there is something to claim.
        self.writable_since = float("inf")
        self.stopping = threading.Event()
        self.stop_before = float("inf")
        self.outage = Outage(settings.job_poll_seconds, self.stopping)

    def stop(self) -> None:
        """Take no more jobs; those that run may go on for the grace of the settings."""
        self.stop_before = time.monotonic() + self.settings.stop_grace_seconds
        self.stopping.set()

    def run(self) -> None:
        """Work until ``stop`` is called, then until every job is done or handed back."""
        # This thread only joins: a signal that arrived while it waits for ``stopping`` itself
        # could find the lock of the event taken.
        tasks = [self._clean_up, *[self._work] * self.settings.worker_slots]
        threads = [threading.Thread(target=task) for task in tasks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.database.close()

    def _clean_up(self) -> None:
        while not self.stopping.is_set():
            try_to_sweep(self.database, self.artifacts)
            self.stopping.wait(SWEEP_SECONDS)

    def _work(self) -> None:
        while not self.stopping.is_set():
            structlog.contextvars.clear_contextvars()
            try:
                may_work = time.monotonic() >= self.rests_until and self.store.look()
                if may_work and (job := self._claim()) is not None:
                    structlog.contextvars.bind_contextvars(job_id=job.id)
                    _WatchedAttempt(self, job).run()
                    continue
            except SQLAlchemyError as error:
                self.log_outage(error)
            except Exception:
                # The lease of its job runs out and it is tried again; the slot goes on.
                logger.exception("lost sight of the job")
            self.stopping.wait(self.outage.pause())

    def _claim(self) -> Job | None:
        with self.database.reading() as session:
            if not JobRepository(session).are_due():
                self.writable_since = float("inf")
                self.outage.end()
                return None
        with self.database.writing.begin() as session:
            session.connection()  # waits for the lock of SQLite
            job = JobRepository(session).claim(
                self.name, self.settings.job_lease_seconds, may_take_over=self._may_take_over()
            )
        self.outage.end()
        return job

    def _may_take_over(self) -> bool:
        """Tell whether the database could be written to long enough for all to renew a lease."""
        now = time.monotonic()
        self.writable_since = min(self.writable_since, now)
        # Whether to renew is asked at each poll.
        needed = self.settings.job_renew_seconds + 2 * self.settings.job_poll_seconds
        return now - self.writable_since >= needed

    def log_outage(self, error: SQLAlchemyError) -> None:
        self.writable_since = float("inf")
        self.outage.note(error)


class _WatchedAttempt:
    """One job in one child process, from its start to what is written of its end."""

    def __init__(self, worker: Worker, job: Job) -> None:
        assert job.run_token is not None
        self.worker, self.settings = worker, worker.settings
        self.job_id, self.kind, self.run_token = job.id, job.kind, job.run_token
        self.started_at = self.renewed_at = self.asked_at = time.monotonic()
        self.failure: Failure | None = None
        self.untold: Progress | None = None
        self.cancel_seconds, self.cancelled_at = 0.0, float("inf")
        logger.info("job started")
        self.child, self.connection = job_process.start(
            Attempt(self.settings, self.job_id, self.run_token, worker.modules[0])
        )

    def run(self) -> None:
        with closing(self.connection):
            try:
                end = self._watch()
            finally:
                job_process.kill(self.child)
            self._receive()
        while not self._settle(end):
            time.sleep(self.worker.outage.pause())
        logger.info("job ended", end=end, exit_code=self.child.exitcode)

    def _watch(self) -> End:
        """Return how the attempt ended."""
        while self.child.exitcode is None:
            wait([self.connection, self.child.sentinel], timeout=WATCH_SECONDS)
            self._receive()
            self.failure = self.failure or self._exceeded()
            if self.failure is not None:
                return "failed"
            if time.monotonic() > self.worker.stop_before:
                return "stopped"
            if end := self._tell():
                return end
        return "exited"

    def _receive(self) -> None:
        try:
            while self.connection.poll():
                message = self.connection.recv()
                if isinstance(message, Failure):
                    self.failure = message
                elif isinstance(message, Stoppable):
                    self.cancel_seconds = CANCEL_SECONDS
                else:
                    self.untold = message
        except (EOFError, OSError):
            # The child has closed its end; do not spin on it while it exits.
            self.child.join(WATCH_SECONDS)

    def _exceeded(self) -> Failure | None:
        limit = self.settings.job_memory_mb
        if limit is not None and (used := job_process.memory_mb(self.child)) > limit:
            return Failure(
                "memory_limit",
                f"The job needed more than {limit} MiB of memory ({used:.0f}); about 200 "
                f"is taken before it reads a document. {limit_words.less_memory(self.kind)}",
            )
        limit = self.settings.job_seconds
        if time.monotonic() - self.started_at > limit:
            return Failure(
                "time_limit",
                f"The job took longer than {limit} seconds. {limit_words.less_time(self.kind)}",
            )
        return None

    def _tell(self) -> End | None:
        """Renew the lease, write progress, ask for a cancel; return why to end, if so."""
        now = time.monotonic()
        if now - self.asked_at < self.settings.job_poll_seconds:
            return None
        self.asked_at = now
        interval = self.settings.job_renew_seconds
        if self.untold is not None:
            interval = min(interval, TELL_SECONDS)
        try:
            if now - self.renewed_at >= interval:
                self._write_progress()
                self.renewed_at = now
        except SQLAlchemyError as error:
            # SQLite may be locked for long: who can read sees who holds the job.
            self.worker.log_outage(error)
        try:
            with self.worker.database.reading() as session:
                job = JobRepository(session).held(self.job_id, self.run_token)
        except SQLAlchemyError as error:
            self.worker.log_outage(error)
            self.asked_at += self.worker.outage.pause()
            return "gone" if self._is_lease_over() else None
        if job is None:
            # It may have ended well a moment ago: then the child is about to exit.
            self.child.join(1)
            return "gone" if self.child.exitcode is None else "exited"
        if job.cancel_requested and self.cancelled_at == float("inf"):
            self._ask_to_stop()
        return "cancelled" if self._is_overdue() else None

    def _ask_to_stop(self) -> None:
        self.cancelled_at = time.monotonic()
        with suppress(OSError):
            self.connection.send("stop")

    def _is_overdue(self) -> bool:
        """Tell whether to end the child now, because it cannot stop or did not."""
        return time.monotonic() - self.cancelled_at >= self.cancel_seconds

    def _write_progress(self) -> None:
        with self.worker.database.writing.begin() as session:
            jobs = JobRepository(session)
            jobs.renew(self.job_id, self.run_token, self.settings.job_lease_seconds)
            if self.untold is not None:
                jobs.report(self.job_id, self.run_token, *self.untold)
        self.untold = None
        self.worker.outage.end()

    def _is_lease_over(self) -> bool:
        return time.monotonic() - self.renewed_at > self.settings.job_lease_seconds

    def _settle(self, end: End) -> bool:
        """Write what became of the attempt; False: try again, the lease lasts still."""
        try:
            with self.worker.database.writing.begin() as session:
                self._write_end(JobRepository(session), end)
        except SQLAlchemyError as error:
            self.worker.log_outage(error)
            return self._is_lease_over()
        return True

    def _write_end(self, jobs: JobRepository, end: End) -> None:
        job = (self.job_id, self.run_token)
        if jobs.cancel_if_requested(*job):
            return
        if self.failure is not None and self.failure.is_of_schema:
            # It is for a worker of another version, and each job would fail here in turn.
            jobs.hand_back(*job)
            self.worker.rests_until = time.monotonic() + SCHEMA_SECONDS
            logger.warning("no jobs are taken for a while", seconds=SCHEMA_SECONDS)
        elif self.failure is not None and self.failure.is_final:
            jobs.fail(*job, self.failure.code, self.failure.message)
            self.worker.store.look_anew()  # the next would find no room either
        elif self.failure is not None:
            jobs.try_again(*job, self.failure.code, self.failure.message)
            self.worker.store.look_anew()
        elif end == "stopped" or self.worker.stopping.is_set():
            # What stops a worker may stop all processes on the machine, its children first.
            jobs.hand_back(*job)
        else:
            # No row is changed where the child has published.
            jobs.lose(*job)


def run(settings: Settings) -> None:
    """Run a worker until SIGTERM, SIGINT or SIGHUP."""
    configure_logging(settings)
    # It holds no job yet, and what the first start of an installation compiles may take a minute.
    on_stop(lambda *_: os._exit(0))
    job_process.prepare(job_process.MODULES)
    worker = Worker(settings)
    on_stop(lambda *_: worker.stop())
    worker.run()
