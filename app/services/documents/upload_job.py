"""A long upload as a job: it tells how far it is, and can be cancelled.

The job is the upload's record alone: it runs in the threads of its request, in its one attempt. If
they die, its lease ends, and it fails as that of a worker would.
"""

import threading
import time
from contextlib import suppress
from datetime import timedelta
from typing import Protocol, Self

from sqlalchemy.orm import Session

from app.database import DATABASE_ERRORS, Database
from app.errors import AppError, ProjectNotFound, UploadCancelled
from app.orm import Label, utc_now
from app.repositories.jobs import JobRepository, this_process
from app.repositories.upload_jobs import UploadJobRepository
from app.services.intake.intake_report import Report
from app.services.jobs.run import Pace
from app.services.renewing import renewing

#: How often an upload tells how far it is; one that is over sooner leaves no job.
TELL_SECONDS = 1.0
LEASE_SECONDS = 60.0
STAGE = "intake"


class Body(Protocol):
    """The body of an upload, as another thread sees it."""

    def share_read(self) -> float | None:
        """Return the share that was read, None where its length is not known."""

    def stop(self, reason: AppError) -> None:
        """Let the reader end with this error."""


class UploadJob:
    """The job of an upload, from its second second to the end of the ``with`` block.

    Parameters
    ----------
    database : Database
    project_id : str
    label : Label
        What the documents come as.
    report : Report
        What became of the rows so far.
    body : Body
    """

    #: All uploads tell in turn: one connection is enough, however many wait for a lock.
    _turn = threading.Lock()

    def __init__(
        self, database: Database, project_id: str, label: Label, report: Report, body: Body
    ) -> None:
        self._database = database
        self._project_id = project_id
        self._label = label
        self._report = report
        self._body = body
        #: Id and run token, once there is one.
        self._held: tuple[str, str] | None = None
        self._telling = renewing(TELL_SECONDS, self._tell)

    def __enter__(self) -> Self:
        self._telling.__enter__()
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        self._telling.__exit__(None, None, None)
        # If the database is gone, the lease ends by itself.
        if self._held is not None:
            with suppress(*DATABASE_ERRORS), self._database.writing.begin() as session:
                self._end(JobRepository(session), *self._held, error)

    def go_on(self, session: Session) -> None:
        """Renew the lease in a transaction for which the thread that renews it may have to wait.

        Raises
        ------
        UploadCancelled
        """
        if self._held is not None and self._renew(JobRepository(session), *self._held):
            raise _cancelled()

    def _tell(self) -> None:
        # Without its project there is nothing to tell of.
        with suppress(ProjectNotFound), self._turn:
            with self._database.writing.begin() as session:
                held = self._held or self._start(session)
                is_cancelled = self._renew(JobRepository(session), *held)
            self._held = held
            if is_cancelled:
                self._body.stop(_cancelled())

    def _start(self, session: Session) -> tuple[str, str]:
        job = UploadJobRepository(session).start(
            self._project_id,
            {"label": self._label},
            worker=this_process(),
            lease_seconds=LEASE_SECONDS,
            started_at=utc_now() - timedelta(seconds=self._seconds()),
        )
        assert job.run_token is not None
        return job.id, job.run_token

    def _renew(self, jobs: JobRepository, job_id: str, run_token: str) -> bool:
        """Tell how far it is; return whether somebody cancelled it."""
        share = self._body.share_read()
        seconds = self._seconds()
        left = seconds * (1 / share - 1) if share else None
        per_second = self._report.received / seconds if self._report.received else None
        pace = Pace(share or 0.0, per_second, left, left)
        jobs.renew(job_id, run_token, LEASE_SECONDS)
        jobs.report(job_id, run_token, STAGE, share or 0.0, pace._asdict())
        job = jobs.held(job_id, run_token)
        return job is not None and job.cancel_requested

    def _end(
        self, jobs: JobRepository, job_id: str, run_token: str, error: BaseException | None
    ) -> None:
        result = self._report.to_dict()
        if jobs.cancel_if_requested(job_id, run_token, result):
            return
        if error is None:
            jobs.succeed(job_id, run_token, result)
        elif isinstance(error, AppError):
            jobs.fail(job_id, run_token, error.code(), error.detail)
        else:
            message = f"The upload broke off.{self._report.told_kept()}"
            jobs.fail(job_id, run_token, "upload_broken", message)

    def _seconds(self) -> float:
        return time.perf_counter() - self._report.began


def _cancelled() -> UploadCancelled:
    return UploadCancelled("The job of this upload was cancelled.")
