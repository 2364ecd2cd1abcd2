"""Jobs of uploads, which no worker runs."""

from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError

from app.errors import ProjectNotFound
from app.job_kinds import JobKind, JobStatus
from app.orm import Job, new_id
from app.repositories.jobs import JobRepository
from app.sql_functions import database_now


class UploadJobRepository(JobRepository):
    def start(
        self,
        project_id: str,
        spec: dict[str, Any],
        *,
        worker: str,
        lease_seconds: float,
        started_at: datetime,
    ) -> Job:
        """Add a job that runs already, in its one attempt.

        Raises
        ------
        ProjectNotFound
        """
        job = Job(
            project_id=project_id,
            kind=JobKind.UPLOAD,
            spec=spec,
            status=JobStatus.RUNNING,
            attempt=1,
            max_attempts=1,
            run_token=new_id(),
            lease_until=database_now() + lease_seconds,
            worker=worker,
            created_at=started_at,
            started_at=started_at,
        )
        self.session.add(job)
        try:
            self.session.flush()
        except IntegrityError as error:
            raise ProjectNotFound(f"No project has the id {project_id!r}.") from error
        self.add_event(job.id, "started", data={"attempt": 1, "worker": worker})
        return job
