"""The worker: takes jobs from the database and runs each in a child process that it watches."""

import os
import signal
import socket
import threading
import time
from multiprocessing.connection import wait

import psutil
import structlog
from sqlalchemy.exc import OperationalError

from app import job_process
from app.artifacts import Artifacts
from app.database import Database
from app.job_process import Failure, Progress
from app.logs import configure_logging
from app.repositories.jobs import JobRepository
from app.settings import Settings
from app.sweeper import SWEEP_SECONDS, sweep
from app.tables import Job

#: How often a child's memory and end are looked at.
WATCH_SECONDS = 0.1

logger = structlog.get_logger(__name__)


class Worker:
    """Runs as many jobs at a time as it has slots, until it is told to stop.

    Parameters
    ----------
    settings : Settings
        Where the jobs are and what they may use.
    runners : str
        Name of the module whose RUNNERS do the work.
    """

    def __init__(self, settings: Settings, runners: str = "app.job_process") -> None:
        self.settings = settings
        self.runners = runners
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self.database = Database(
            settings.database_url, timeout_seconds=settings.database_timeout_seconds
        )
        self.stopping = threading.Event()
        self.stop_before = float("inf")

    def stop(self) -> None:
        """Take no more jobs; those that run may go on for the grace of the settings."""
        self.stop_before = time.monotonic() + self.settings.stop_grace_seconds
        self.stopping.set()

    def run(self) -> None:
        """Work until ``stop`` is called, then until every job is done or handed back."""
        job_process.prepare()
        slots = [threading.Thread(target=self._work) for _ in range(self.settings.worker_slots)]
        for slot in slots:
            slot.start()
        artifacts = Artifacts(self.settings.artifacts_url, self.settings.cache_directory)
        while not self.stopping.is_set():
            try:
                sweep(self.database, artifacts)
            except Exception:
                logger.exception("clean-up failed")
            self.stopping.wait(SWEEP_SECONDS)
        for slot in slots:
            slot.join()
        self.database.close()

    def _work(self) -> None:
        while not self.stopping.is_set():
            try:
                with self.database.writing.begin() as session:
                    job = JobRepository(session).claim(self.name, self.settings.job_lease_seconds)
            except OperationalError:
                logger.exception("could not look for jobs")
                job = None
            if job is None:
                self.stopping.wait(self.settings.job_poll_seconds)
                continue
            with structlog.contextvars.bound_contextvars(job_id=job.id):
                try:
                    _Attempt(self, job).run()
                except Exception:
                    # The lease runs out and the job is tried again; the worker goes on.
                    logger.exception("lost sight of the job")


class _Attempt:
    """One job in one child process, from its start to what is written of its end."""

    def __init__(self, worker: Worker, job: Job) -> None:
        assert job.run_token is not None
        self.worker = worker
        self.settings = worker.settings
        self.job_id = job.id
        self.run_token = job.run_token
        self.started = self.renewed = self.asked = time.monotonic()
        self.failure: Failure | None = None
        self.untold: list[Progress] = []

    def run(self) -> None:
        logger.info("job started")
        self.child, self.connection = job_process.start(
            self.settings, self.job_id, self.run_token, self.worker.runners
        )
        try:
            end = self._watch()
        finally:
            self.child.kill()
            self.child.join()
        self._receive()
        self.connection.close()
        self._settle(end)
        logger.info("job ended", end=end, exit_code=self.child.exitcode)

    def _watch(self) -> str:
        """Return how the attempt ended: exited, cancelled, gone, stopped or failed."""
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
                else:
                    self.untold.append(message)
        except (EOFError, OSError):
            # The child has closed its end; do not spin on it while it exits.
            self.child.join(WATCH_SECONDS)

    def _exceeded(self) -> Failure | None:
        limit = self.settings.job_memory_mb
        if limit is not None and (used := _memory_mb(self.child.pid)) > limit:
            return Failure(
                "memory_limit",
                f"The job needed more than {limit} MiB of memory ({used:.0f}). Take a method or "
                "vectoriser settings that need less (min_df, max_features), or raise "
                "SEEDBED_JOB_MEMORY_MB.",
            )
        limit = self.settings.job_seconds
        if time.monotonic() - self.started > limit:
            return Failure(
                "time_limit",
                f"The job took longer than {limit} seconds. Take a faster method, or raise "
                "SEEDBED_JOB_SECONDS.",
            )
        return None

    def _tell(self) -> str | None:
        """Renew the lease, write progress, ask for a cancel; return why to end, if so."""
        now = time.monotonic()
        if now - self.asked < self.settings.job_poll_seconds:
            return None
        self.asked = now
        is_due = now - self.renewed >= self.settings.job_renew_seconds
        try:
            if is_due or self.untold:
                self._write_progress()
                self.renewed = now
            with self.worker.database.reading() as session:
                job = JobRepository(session).held(self.job_id, self.run_token)
        except OperationalError:
            logger.exception("could not reach the database")
            is_over = now - self.renewed > self.settings.job_lease_seconds
            return "gone" if is_over else None
        if job is None:
            # It may have ended well a moment ago: then the child is about to exit.
            self.child.join(1)
            return "gone" if self.child.exitcode is None else "exited"
        return "cancelled" if job.cancel_requested else None

    def _write_progress(self) -> None:
        with self.worker.database.writing.begin() as session:
            jobs = JobRepository(session)
            jobs.renew(self.job_id, self.run_token, self.settings.job_lease_seconds)
            if self.untold:
                last = self.untold[-1]
                jobs.report(self.job_id, self.run_token, last.stage, last.fraction)
            if jobs.owns_events(self.job_id, self.run_token):
                for progress in self.untold:
                    if progress.message is not None:
                        jobs.add_event(
                            self.job_id, progress.message, stage=progress.stage, data=progress.data
                        )
        self.untold.clear()

    def _settle(self, end: str) -> None:
        """Write what became of the attempt; each statement is fenced by the run token."""
        if self.untold:
            self._write_progress()
        with self.worker.database.writing.begin() as session:
            jobs = JobRepository(session)
            if jobs.cancel_if_requested(self.job_id, self.run_token):
                return
            if self.failure is not None:
                jobs.fail(self.job_id, self.run_token, self.failure.code, self.failure.message)
            elif end == "stopped":
                jobs.hand_back(self.job_id, self.run_token)
            else:
                # No row is changed where the child has published.
                jobs.lose(self.job_id, self.run_token)


def _memory_mb(pid: int | None) -> float:
    """Return the resident memory of a process and its children."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
        return float(sum(member.memory_info().rss for member in family)) / 2**20
    except psutil.NoSuchProcess:
        return 0.0


def run(settings: Settings) -> None:
    """Run a worker until SIGTERM or SIGINT."""
    configure_logging(settings)
    worker = Worker(settings)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.stop())
    worker.run()


if __name__ == "__main__":
    run(Settings.from_environment())
