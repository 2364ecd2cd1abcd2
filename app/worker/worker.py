"""The worker: takes jobs from the database and runs each in a child process that it watches."""

import os
import threading
import time
from collections.abc import Callable

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.artifacts import Artifacts
from app.command_failed import CommandFailed
from app.database import Database
from app.logs import configure_logging
from app.orm import Job, new_id
from app.repositories.jobs import JobRepository, this_process
from app.repositories.worker_signs import SIGN_SECONDS, WorkerSignRepository
from app.settings import Settings
from app.stop_signals import on_stop
from app.worker import job_process
from app.worker.job_process import Failure
from app.worker.outage import Outage
from app.worker.store_check import StoreWatch
from app.worker.sweeper import SWEEP_SECONDS, try_to_sweep
from app.worker.watched_attempt import WatchedAttempt

#: How soon a worker tries again to give a sign of life.
SIGN_AGAIN_SECONDS = 2.0
#: How long a worker takes no jobs after one that it had to leave to others: one that did not find
#: the schema of this version, or for which no process could be started.
REST_SECONDS = 60

logger = structlog.get_logger(__name__)


class Worker:
    """Runs as many jobs at a time as it has slots, until it is told to stop.

    Parameters
    ----------
    settings : Settings
        Where the jobs are and what they may use.
    runners : str
        Name of a module that ``job_process.prepare`` has loaded; its RUNNERS do the work.
    """

    def __init__(self, settings: Settings, runners: str = job_process.RUNNERS) -> None:
        self.settings = settings
        self.runners = runners
        self.name = this_process()
        # Who waits for the database does not watch the children meanwhile.
        timeout = min(settings.database_timeout_seconds, settings.job_renew_seconds)
        self.database = Database(
            settings.database_url, timeout_seconds=timeout, name="seedbed worker"
        )
        self.artifacts = Artifacts(settings.artifacts_url, settings.cache_directory)
        self.store = StoreWatch(self.artifacts, self.database)
        self.rests_until = float("-inf")
        # While there is something to claim.
        self.writable_since = float("inf")
        self.stopping = threading.Event()
        self.is_cut_off = False
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
        tasks = [self._clean_up, self._give_signs, *[self._work] * self.settings.worker_slots]
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

    def _give_signs(self) -> None:
        # Containers may have the same name, and the same number of the process.
        name = f"{self.name}:{new_id()}"
        while not self.stopping.is_set():
            is_given = self._sign(WorkerSignRepository.give, name)
            self.stopping.wait(SIGN_SECONDS if is_given else SIGN_AGAIN_SECONDS)
        self._sign(WorkerSignRepository.withdraw, name)

    def _sign(self, change: Callable[[WorkerSignRepository, str], None], name: str) -> bool:
        try:
            with self.database.writing.begin() as session:
                change(WorkerSignRepository(session), name)
        except SQLAlchemyError:  # those who wait for jobs tell
            return False
        except Exception:
            logger.exception("no sign of life could be given")
            return False
        return True

    def _work(self) -> None:
        while not self.stopping.is_set():
            structlog.contextvars.clear_contextvars()
            try:
                may_work = time.monotonic() >= self.rests_until and self.store.look()
                if may_work and (job := self._claim()) is not None:
                    about = {"job_id": job.id, "project_id": job.project_id, "kind": job.kind}
                    structlog.contextvars.bind_contextvars(**about)
                    self._attempt(job)
                    continue
            except SQLAlchemyError as error:
                self.log_outage(error)
            except Exception:
                # The lease of its job runs out and it is tried again; the slot goes on.
                logger.exception("lost sight of the job")
            self.stopping.wait(self.outage.pause())

    def _attempt(self, job: Job) -> None:
        try:
            attempt = WatchedAttempt(self, job)
        except (OSError, EOFError):  # EOFError: the fork server could not fork
            logger.exception("no process could be started for the job")
            self._leave(job)
            if not job_process.can_start():  # nor will it be: jobs at work go on to their end
                self.is_cut_off = True
                self.stopping.set()
            return
        end = attempt.run()
        if attempt.failure is not None:
            self._heed(attempt.failure)  # before another slot can take the job
        attempt.settle(end)

    def _leave(self, job: Job) -> None:
        """Hand back a job that was not begun: each job would lose its attempts here in turn."""
        self._rest()
        assert job.run_token is not None
        with self.database.writing.begin() as session:
            JobRepository(session).hand_back(job.id, job.run_token)

    def _heed(self, failure: Failure) -> None:
        if failure.is_of_schema:
            self._rest()
        else:
            self.store.look_anew()  # the next would find no room either

    def _rest(self) -> None:
        self.rests_until = time.monotonic() + REST_SECONDS
        logger.warning("no jobs are taken for a while", seconds=REST_SECONDS)

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


def run(settings: Settings) -> None:
    """Run a worker until SIGTERM, SIGINT or SIGHUP.

    Raises
    ------
    CommandFailed
        If it can start no more jobs, as its temporary files were deleted.
    """
    configure_logging(settings)
    # It holds no job yet, and what the first start of an installation compiles may take a minute.
    on_stop(lambda *_: os._exit(0))
    job_process.prepare(job_process.MODULES)
    worker = Worker(settings)
    on_stop(lambda *_: worker.stop())
    worker.run()
    if worker.is_cut_off:
        raise CommandFailed(
            "The worker can start no more jobs, as its folder pymp-* for temporary files was "
            "deleted: start it again."
        )
