"""What is counted of jobs, for metrics."""

from datetime import datetime

from sqlalchemy import func, select

from app.job_kinds import JobKind, JobStatus
from app.orm import Job
from app.repositories.rows import Repository
from app.sql_functions import epoch_seconds


class JobStatistics(Repository):
    def queue_length(self) -> int:
        query = select(func.count()).where(Job.status == JobStatus.QUEUED)
        return self.session.scalars(query).one()

    def oldest_queued_at(self) -> datetime | None:
        """Return when the job that waits longest was queued."""
        return self.session.scalar(
            select(func.min(Job.created_at)).where(Job.status == JobStatus.QUEUED)
        )

    def by_kind(self) -> list[tuple[JobKind | str, JobStatus, int, float]]:
        """Return kind, status, number of jobs and the seconds that those ended took together."""
        seconds = epoch_seconds(Job.finished_at) - epoch_seconds(Job.started_at)
        query = select(Job.kind, Job.status, func.count(), func.sum(seconds))
        rows = self.session.execute(query.group_by(Job.kind, Job.status))
        return [(kind, status, n, float(total or 0)) for kind, status, n, total in rows]
