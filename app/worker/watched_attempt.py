"""One attempt at a job: the worker watches the child process that does the work."""

import threading
import time
from contextlib import closing, suppress
from multiprocessing.connection import wait
from typing import Literal, Protocol

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database
from app.orm import Job
from app.repositories.jobs import JobRepository
from app.services.jobs import limit_words
from app.settings import Settings
from app.worker import job_process
from app.worker.job_process import Attempt, Failure, Progress, Stoppable
from app.worker.outage import DATABASE_SECONDS, Outage

#: How often progress is written, at most.
TELL_SECONDS = 0.5
#: How often a child's memory and end are looked at.
WATCH_SECONDS = 0.1
#: How long a cancelled job may take to publish what it has, where it can.
CANCEL_SECONDS = 10.0

#: What ended an attempt.
End = Literal["exited", "cancelled", "gone", "stopped", "failed"]

logger = structlog.get_logger(__name__)


class Watcher(Protocol):
    """The worker, as far as an attempt knows it."""

    settings: Settings
    runners: str
    database: Database
    outage: Outage
    stopping: threading.Event
    stop_before: float

    def log_outage(self, error: SQLAlchemyError) -> None:
        """Tell that the database did not answer."""


class WatchedAttempt:
    """One job in one child process, from its start to what is written of its end."""

    def __init__(self, worker: Watcher, job: Job) -> None:
        assert job.run_token is not None
        self.worker, self.settings = worker, worker.settings
        self.job_id, self.kind, self.run_token = job.id, job.kind, job.run_token
        self.started_at = self.renewed_at = self.asked_at = time.monotonic()
        self.failure: Failure | None = None
        self.untold: Progress | None = None
        self.cancel_seconds, self.cancelled_at = 0.0, float("inf")
        logger.info("job started", attempt=job.attempt)
        self.child, self.connection = job_process.start(
            Attempt(self.settings, self.job_id, self.run_token, worker.runners)
        )

    def run(self) -> End:
        """Return how it ended; ``failure`` says why, if it failed."""
        with closing(self.connection):
            try:
                end = self._watch()
            finally:
                job_process.kill(self.child)
            self._receive()
        return end

    def settle(self, end: End) -> None:
        """Write what became of it: then others may take the job."""
        while not self._is_settled(end):
            time.sleep(self.worker.outage.pause())
        self._log(end)

    def _log(self, end: End) -> None:
        exit_code = self.child.exitcode
        seconds = round(time.monotonic() - self.started_at, 1)
        code = {} if self.failure is None else {"code": self.failure.code}
        log = logger.warning if code or (end == "exited" and exit_code) else logger.info
        log("job ended", end=end, exit_code=exit_code, seconds=seconds, **code)

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
        most_mb, most_seconds = self.settings.job_memory_mb, self.settings.job_seconds
        if most_mb is not None and (used := job_process.memory_mb(self.child)) > most_mb:
            return Failure(
                "memory_limit",
                f"The job needed more than {most_mb} MiB of memory ({used:.0f}); about 200 "
                f"is taken before it reads a document. {limit_words.less_memory(self.kind)}",
            )
        if time.monotonic() - self.started_at > most_seconds:
            return Failure(
                "time_limit",
                f"The job took longer than {most_seconds} seconds. "
                f"{limit_words.less_time(self.kind)}",
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
            # Another worker cannot take the job over without the database either.
            is_over = self._is_lease_over() and now - self.renewed_at > DATABASE_SECONDS
            return "gone" if is_over else None
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

    def _is_settled(self, end: End) -> bool:
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
        elif self.failure is not None:
            give_up = jobs.fail if self.failure.is_final else jobs.try_again
            give_up(*job, self.failure.code, self.failure.message)
        elif end == "stopped" or self.worker.stopping.is_set():
            # What stops a worker may stop all processes on the machine, its children first.
            jobs.hand_back(*job)
        else:
            # No row is changed where the child has published.
            jobs.requeue_lost(*job)
