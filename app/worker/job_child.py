"""What the child process of an attempt does: the job itself, and what it tells the worker."""

import os
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from multiprocessing.connection import Connection
from traceback import walk_tb
from typing import Any

import structlog
from joblib import cpu_count, parallel_config
from obstore.exceptions import BaseError
from sklearn.exceptions import ConvergenceWarning
from sqlalchemy.exc import SQLAlchemyError

from app.artifact_errors import FULL, not_opened
from app.artifacts import Artifacts
from app.database import DATABASE_ERRORS, Database, is_full
from app.database_errors import NOT_MIGRATED, lacks_schema
from app.errors import (
    AppError,
    DatabaseUnavailable,
    InternalError,
    MemoryLimit,
    NotReady,
    StorageFull,
    StoreUnavailable,
)
from app.kernel_cache import VARIABLE
from app.logs import configure_logging
from app.orm import Job
from app.repositories.jobs import JobRepository
from app.services.jobs import memory_limit
from app.services.jobs.run import Pace, Run
from app.worker.job_process import Attempt, Failure, Progress, Stoppable
from app.worker.outage import DATABASE_SECONDS

#: Progress is told no more often than this.
PROGRESS_SECONDS = 0.1

#: A store that is started anew must not cost a job its hours of work.
STORE_RETRY_SECONDS = 60

logger = structlog.get_logger(__name__)


def main(attempt: Attempt, connection: Connection) -> None:
    """Make the attempt; send how it went, and where it failed why, over the connection."""
    # Ctrl-C reaches every process of a terminal; what becomes of the job is for the worker to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    configure_logging(attempt.settings)
    with structlog.contextvars.bound_contextvars(job_id=attempt.job_id):
        failure = _attempt(attempt, connection)
        if failure is not None:
            _tell(connection, failure)
    connection.close()


def _attempt(attempt: Attempt, connection: Connection) -> Failure | None:
    settings = attempt.settings
    try:
        timeout = settings.database_timeout_seconds
        with closing(
            Database(
                settings.database_url,
                timeout_seconds=timeout,
                retry_seconds=DATABASE_SECONDS,
                name="seedbed job",
            )
        ) as database:
            with database.reading() as session:
                job = JobRepository(session).held(attempt.job_id, attempt.run_token)
            if job is not None:
                _run(attempt, database, job, connection)
    except Exception as error:  # whatever it is, the worker hears of it
        return _failure(error)
    return None


def _run(attempt: Attempt, database: Database, job: Job, connection: Connection) -> None:
    settings, job_id, run_token, runners = attempt
    run = Run(
        job_id=job_id,
        run_token=run_token,
        project_id=job.project_id or "",
        spec=job.spec,
        database=database,
        artifacts=_artifacts(attempt),
        report=_reporter(connection, database, job_id, run_token),
        stop_requested=_stop_watch(connection),
        memory_mb=settings.job_memory_mb,
        held_bytes=memory_limit.held_bytes(),
    )
    n_threads = settings.job_threads or max(1, cpu_count() // settings.worker_slots)
    # What did not converge is told by the flags of its report.
    with (
        parallel_config("threading", n_jobs=n_threads),
        warnings.catch_warnings(action="ignore", category=ConvergenceWarning),
    ):
        import_module(runners).RUNNERS[job.kind](run)


def _artifacts(attempt: Attempt) -> Artifacts:
    """Open the artifact store; StoreUnavailable where its folder is away."""
    settings = attempt.settings
    try:
        return Artifacts(
            settings.artifacts_url,
            settings.cache_directory,
            retry_seconds=STORE_RETRY_SECONDS,
            is_start=False,
        )
    except (OSError, BaseError) as error:
        raise not_opened(error) from error


def _failure(error: Exception) -> Failure:
    """Return how a job ends whose work raised."""
    match error:
        case StoreUnavailable():
            logger.error("lost the artifact store", reason=error.detail)
            return Failure(error.code(), error.detail, is_final=False)
        case AppError():
            return Failure(error.code(), error.detail)
        case SQLAlchemyError() if lacks_schema(error):
            logger.exception("the database does not have the schema of this version")
            return Failure(NotReady.code(), NOT_MIGRATED, is_final=False, is_of_schema=True)
        case SQLAlchemyError() if is_full(error):
            logger.exception("database full")
            return Failure(
                StorageFull.code(),
                "The database has no room left. Make room, then start the job again.",
            )
        case _ if isinstance(error, DATABASE_ERRORS):
            logger.exception("lost the database")
            return Failure(
                DatabaseUnavailable.code(),
                "The job could not use its database. The log of the worker has the reason.",
                is_final=False,
            )
        case OSError() if error.errno in FULL:
            logger.exception("no room for a file")
            return Failure(
                StorageFull.code(),
                f"There was no room for {_what_is_lost(error)}. The log of the worker has more. "
                "Make room, then start the job again.",
            )
        case MemoryError():
            logger.exception("out of memory")
            return Failure(MemoryLimit.code(), "The machine has no memory left for this job.")
    logger.exception("job failed")
    return Failure(
        InternalError.code(),
        f"A fault in the service ended the job ({type(error).__name__}); its log has more.",
    )


def _what_is_lost(error: OSError) -> str:
    """Return what could not be written, and which variable names its folder."""
    modules = (frame.f_globals.get("__name__") for frame, _ in walk_tb(error.__traceback__))
    is_code = "numba.core.caching" in modules
    return f"compiled code ({VARIABLE})" if is_code else "a temporary file (TMPDIR)"


def _tell(connection: Connection, message: Progress | Stoppable | Failure) -> None:
    """Send a message to the worker; end at once if that is gone, as it was killed.

    It holds its end of the connection for as long as this process lives.
    """
    try:
        connection.send(message)
    except (BrokenPipeError, ConnectionResetError):
        logger.warning("the worker is gone, and its job ends: another worker takes it")
        os._exit(1)


def _stop_watch(connection: Connection) -> Callable[[], bool]:
    is_told = False

    def stop_requested() -> bool:
        nonlocal is_told
        if not is_told:
            is_told = True
            _tell(connection, Stoppable())
        return connection.poll()

    return stop_requested


def _reporter(
    connection: Connection, database: Database, job_id: str, run_token: str
) -> Callable[..., None]:
    told, told_stage = 0.0, ""

    def report(
        stage: str,
        fraction: float,
        message: str | None = None,
        data: dict[str, Any] | None = None,
        pace: Pace | None = None,
    ) -> None:
        nonlocal told, told_stage
        now = time.monotonic()
        # A stage that begins may be long silent.
        if stage != told_stage or now - told >= PROGRESS_SECONDS:
            told, told_stage = now, stage
            _tell(connection, Progress(stage, fraction, pace and pace._asdict()))
        if message is not None:
            # Written here, not by the worker, so that it comes before the end of the job.
            try:
                with database.writing.begin() as session:
                    JobRepository(session).tell(job_id, run_token, message, stage, data)
            except DATABASE_ERRORS as error:
                if is_full(error):
                    raise
                # No reason to give up the work: its end is written later, when there is an answer.
                reason = str(error).partition("\n")[0]
                logger.warning("an event of the job is lost", message=message, reason=reason)

    return report
