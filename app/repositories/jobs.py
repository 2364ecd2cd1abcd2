"""Queries on jobs and their events: the table is the queue.

A claim gives the job a new ``run_token``. Whoever works on the job changes it only
``WHERE run_token = mine``: a worker that was taken for dead finds no row and changes nothing.
"""

from datetime import datetime
from os import getpid
from socket import gethostname
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, insert, literal, or_, select, update

from app.errors import JobFinished, JobNotFound
from app.job_kinds import JobKind, JobStatus
from app.orm import Job, JobEvent, new_id, utc_now
from app.repositories.paging import newest_first
from app.repositories.rows import Repository
from app.sql_functions import database_now

_LOST = (
    "The process that ran the job ended each time without a word, perhaps for lack of memory (set "
    "SEEDBED_JOB_MEMORY_MB) or of its database. The worker's log tells how it ended."
)
_CUT_OFF = "The upload lost its process or the database. Send it all again: rows kept stay."
WORKER_LOST = {"code": "worker_lost", "message": _LOST}
UPLOAD_LOST = {"code": "worker_lost", "message": _CUT_OFF}
_RELEASED = {"run_token": None, "lease_until": None, "pace": None}


class JobRepository(Repository):
    def add(
        self,
        project_id: str | None,
        kind: JobKind,
        spec: dict[str, Any],
        *,
        table_id: str | None = None,
    ) -> Job:
        """Queue a job on a project or a table; it is accepted when the transaction commits."""
        job = Job(project_id=project_id, table_id=table_id, kind=kind, spec=spec)
        self.session.add(job)
        self.session.flush()
        self.add_event(job.id, "queued")
        return job

    def get(self, job_id: str) -> Job:
        job = self.session.get(Job, job_id)
        if job is None:
            raise JobNotFound(f"No job has the id {job_id!r}. GET /jobs lists all.")
        return job

    def page(
        self,
        *,
        project_id: str | None = None,
        table_id: str | None = None,
        status: JobStatus | None = None,
        kind: JobKind | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[Job]:
        """Return jobs, the newest first, from the first one behind the place ``after``."""
        query = newest_first(Job, after=after, limit=limit)
        of_what = (Job.project_id, project_id), (Job.table_id, table_id)
        for column, value in (*of_what, (Job.status, status), (Job.kind, kind)):
            if value is not None:
                query = query.where(column == value)
        return list(self.session.scalars(query))

    def request_cancel(self, job_id: str) -> Job:
        """Cancel a queued job at once; tell the worker of a running one to stop it, once."""
        is_queued = Job.status == JobStatus.QUEUED
        is_untold = and_(Job.status == JobStatus.RUNNING, ~Job.cancel_requested)
        job = self._change(
            and_(Job.id == job_id, or_(is_queued, is_untold)),
            cancel_requested=True,
            status=case((is_queued, _status(JobStatus.CANCELLED)), else_=Job.status),
            finished_at=case((is_queued, _now())),
        )
        if not job:
            known = self.get(job_id)
            if known.status == JobStatus.RUNNING:
                return known
            raise JobFinished(f"The job has ended already: it is {known.status}.")
        is_over = job[0].status == JobStatus.CANCELLED
        self.add_event(job_id, "cancelled" if is_over else "cancel requested", level="warning")
        return job[0]

    def lock_all(self, *, project_id: str | None = None, table_id: str | None = None) -> None:
        """Wait for transactions that change jobs of a project or table, before it is deleted.

        One that changes a job twice locks the project or table as well. A deletion that held this
        lock already and then waited for the job would wait for ever.
        """
        of_one = Job.project_id == project_id if table_id is None else Job.table_id == table_id
        self.session.execute(select(Job.id).where(of_one).with_for_update())

    def are_due(self) -> bool:
        """Return whether there is something to claim: asked often, so without a lock."""
        is_due = or_(_is_queued(), _is_lost())
        return self.session.scalar(select(Job.id).where(is_due).limit(1)) is not None

    def claim(self, worker: str, lease_seconds: float, *, may_take_over: bool = True) -> Job | None:
        """Take the oldest queued job for ``worker``; None when there is none.

        Jobs whose lease ran out return to the queue first, if they may. SKIP LOCKED lets workers
        claim side by side; SQLite does without, because there a writing session is alone.
        """
        if may_take_over:
            self._requeue(_is_lost(), "lost its worker")
        oldest = (
            select(Job.id)
            .where(_is_queued())
            .order_by(Job.created_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        claimed = self._change(
            Job.id == oldest.scalar_subquery(),
            status=JobStatus.RUNNING,
            attempt=Job.attempt + 1,
            run_token=new_id(),
            lease_until=database_now() + lease_seconds,
            worker=worker,
            started_at=func.coalesce(Job.started_at, _now()),
        )
        if not claimed:
            return None
        job = claimed[0]
        self.add_event(job.id, "started", data={"attempt": job.attempt, "worker": worker})
        return job

    def held(self, job_id: str, run_token: str) -> Job | None:
        """Return the job while it runs under the token."""
        return self.session.scalar(select(Job).where(_held(job_id, run_token)))

    def renew(self, job_id: str, run_token: str, lease_seconds: float) -> bool:
        """Extend the lease; False means that the job is no longer the caller's."""
        lease_until = database_now() + lease_seconds
        return bool(self._change(_held(job_id, run_token), lease_until=lease_until))

    def report(
        self,
        job_id: str,
        run_token: str,
        stage: str,
        progress: float,
        pace: dict[str, float | None] | None = None,
    ) -> bool:
        held = _held(job_id, run_token)
        return bool(self._change(held, stage=stage, progress=progress, pace=pace))

    def succeed(self, job_id: str, run_token: str, result: dict[str, Any]) -> bool:
        """End the job well; False means to discard everything that the attempt made."""
        # A cancel that was accepted must not end as a success.
        may_publish = and_(_held(job_id, run_token), ~Job.cancel_requested)
        return self._finish(
            may_publish, JobStatus.SUCCEEDED, result=result, progress=1.0, stage="done"
        )

    def fail(self, job_id: str, run_token: str, code: str, message: str) -> bool:
        error = {"code": code, "message": message}
        return self._finish(_held(job_id, run_token), JobStatus.FAILED, error=error)

    def cancel_if_requested(self, job_id: str, run_token: str, result: Any = None) -> bool:
        """End a cancelled job, with what it has found until then, if anything."""
        requested = and_(_held(job_id, run_token), Job.cancel_requested)
        return self._finish(requested, JobStatus.CANCELLED, result=result)

    def requeue_lost(self, job_id: str, run_token: str) -> bool:
        """Queue the job again after its process died, or fail it when that was the last try."""
        return self._requeue(_held(job_id, run_token), "lost its process")

    def try_again(self, job_id: str, run_token: str, code: str, message: str) -> bool:
        """Queue the job again after what may pass, or fail it when that was the last try."""
        error = {"code": code, "message": message}
        return self._requeue(_held(job_id, run_token), message, error)

    def hand_back(self, job_id: str, run_token: str) -> bool:
        """Queue the job again as if this attempt had not been."""
        if self.cancel_if_requested(job_id, run_token):
            return True
        jobs = self._change(
            _held(job_id, run_token),
            status=JobStatus.QUEUED,
            attempt=Job.attempt - 1,
            stage="",
            progress=0.0,
            **_RELEASED,
        )
        for job in jobs:
            self.add_event(job.id, "handed back", level="warning")
        return bool(jobs)

    def tell(
        self, job_id: str, run_token: str, message: str, stage: str, data: dict[str, Any] | None
    ) -> None:
        """Add an event while the job runs under the token."""
        # Locked, or an event with a higher number could be seen first, and this one never.
        is_held = select(Job.id).where(_held(job_id, run_token)).with_for_update()
        if self.session.scalar(is_held) is not None:
            self.add_event(job_id, message, stage=stage, data=data)

    def add_event(
        self,
        job_id: str,
        message: str,
        *,
        level: str = "info",
        stage: str = "",
        data: dict[str, Any] | None = None,
    ) -> None:
        self.session.execute(
            insert(JobEvent).values(
                job_id=job_id, message=message, level=level, stage=stage, data=data
            )
        )

    def events(self, job_id: str, *, after: int = 0, limit: int) -> list[JobEvent]:
        """Return the events numbered above ``after``, the oldest first."""
        query = select(JobEvent).where(JobEvent.job_id == job_id, JobEvent.number > after)
        return list(self.session.scalars(query.order_by(JobEvent.number).limit(limit)))

    def _requeue(
        self, where: ColumnElement[bool], message: str, error: dict[str, str] = WORKER_LOST
    ) -> bool:
        is_last = and_(Job.attempt >= Job.max_attempts, ~Job.cancel_requested)
        is_over = or_(is_last, Job.cancel_requested)
        jobs = self._change(
            and_(Job.status == JobStatus.RUNNING, where),
            status=case(
                (Job.cancel_requested, _status(JobStatus.CANCELLED)),
                (is_last, _status(JobStatus.FAILED)),
                else_=_status(JobStatus.QUEUED),
            ),
            error=case(
                (and_(is_last, Job.kind == JobKind.UPLOAD), literal(UPLOAD_LOST, Job.error.type)),
                (is_last, literal(error, Job.error.type)),
            ),
            finished_at=case((is_over, _now())),
            stage=case((is_over, Job.stage), else_=""),
            progress=case((is_over, Job.progress), else_=0.0),
            **_RELEASED,
        )
        for job in jobs:
            self.add_event(job.id, message, level="warning", data={"worker": job.worker})
            if job.status.is_final:
                self.add_event(job.id, job.status.value, level="error", data=job.error)
        return bool(jobs)

    def _finish(self, where: ColumnElement[bool], status: JobStatus, **values: Any) -> bool:
        ended = {"lease_until": None, "pace": None, "finished_at": utc_now()}
        jobs = self._change(where, status=status, **ended, **values)
        for job in jobs:
            level = "error" if status == JobStatus.FAILED else "info"
            self.add_event(job.id, status.value, level=level, data=job.error)
        return bool(jobs)

    def _change(self, where: ColumnElement[bool], **values: Any) -> list[Job]:
        statement = update(Job).where(where).values(**values).returning(Job)
        options = {"synchronize_session": False, "populate_existing": True}
        return list(self.session.scalars(statement, execution_options=options))


def this_process() -> str:
    """Name the process as the worker of a job."""
    return f"{gethostname()}:{getpid()}"


def _is_queued() -> ColumnElement[bool]:
    return and_(Job.status == JobStatus.QUEUED, _is_known())


def _is_lost() -> ColumnElement[bool]:
    return and_(Job.status == JobStatus.RUNNING, Job.lease_until < database_now(), _is_known())


def _is_known() -> ColumnElement[bool]:
    # Jobs of a later version are for its workers.
    return Job.kind.in_(list(JobKind))


def _held(job_id: str, run_token: str) -> ColumnElement[bool]:
    return and_(Job.id == job_id, Job.run_token == run_token, Job.status == JobStatus.RUNNING)


# Inside SQL expressions values do not take the type of the column by themselves.
def _status(status: JobStatus) -> ColumnElement[JobStatus]:
    return literal(status, Job.status.type)


def _now() -> ColumnElement[datetime]:
    return literal(utc_now(), Job.created_at.type)
