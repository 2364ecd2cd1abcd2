"""Jobs: asked for, looked at, cancelled."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from app.errors import (
    FeatureSelectionNotFound,
    IdempotencyKeyReused,
    InvalidParameter,
    JobFinished,
    JobNotFound,
    MemoryLimit,
    NoPositives,
    NoUnlabeled,
    ProjectNotFound,
    TableNotFound,
    TooFewPositives,
)
from app.http.dependencies import (
    NO_BODY,
    Id,
    OnceDep,
    PageDep,
    ProjectFilter,
    ReadSession,
    SettingsDep,
    TableFilter,
    WriteSession,
)
from app.http.error_responses import error_responses
from app.http.response_headers import RETRY_AFTER
from app.job_kinds import JobKind, JobStatus
from app.repositories.jobs import JobRepository
from app.repositories.paging import place
from app.repositories.projects import ProjectRepository
from app.repositories.tables import TableRepository
from app.schemas.jobs import (
    JobPage,
    JobRead,
    TrainingRequest,
)
from app.services.training import training

router = APIRouter(tags=["jobs"])

JOB_RETRY_SECONDS = 1


@router.post(
    "/train",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobRead,
    responses=error_responses(
        ProjectNotFound,
        FeatureSelectionNotFound,
        NoPositives,
        NoUnlabeled,
        TooFewPositives,
        MemoryLimit,
        InvalidParameter,
        IdempotencyKeyReused,
    ),
)
def train_model(body: TrainingRequest, once: OnceDep, settings: SettingsDep) -> Response:
    """Queue the training of a model on the documents of a project; follow the job.

    An algorithm that does not fit into the memory of a job is refused at once if the number of
    documents tells. Otherwise the job counts the documents and then fails with `memory_limit`,
    before the algorithm is trained.
    """
    memory_mb = settings.job_memory_mb
    return once.queue(training.request, **body.model_dump(), memory_mb=memory_mb)


@router.get("/jobs", responses=error_responses(ProjectNotFound, TableNotFound))
def list_jobs(
    page: PageDep,
    session: ReadSession,
    project_id: ProjectFilter = None,
    table_id: TableFilter = None,
    status: Annotated[JobStatus | None, Query(description="Only jobs of this status.")] = None,
    kind: Annotated[JobKind | None, Query(description="Only jobs of this kind.")] = None,
) -> JobPage:
    """Return jobs, the newest first; an upload of more than a second is one, too."""
    if project_id is not None:
        ProjectRepository(session).get(project_id)
    if table_id is not None:
        TableRepository(session).get(table_id)
    rows = JobRepository(session).page(
        project_id=project_id,
        table_id=table_id,
        status=status,
        kind=kind,
        after=page.after,
        limit=page.size + 1,
    )
    shown, token = page.cut(rows, place)
    return JobPage(jobs=[JobRead.model_validate(row) for row in shown], next_page_token=token)


@router.get(
    "/jobs/{job_id}",
    responses={
        200: {"headers": {"Retry-After": RETRY_AFTER}},
        **error_responses(JobNotFound),
    },
)
def read_job(job_id: Id, session: ReadSession, response: Response) -> JobRead:
    """Return a job; until it is over, the header Retry-After says when to ask again."""
    job = JobRepository(session).get(job_id)
    if not job.status.is_final:
        response.headers["retry-after"] = str(JOB_RETRY_SECONDS)
    return JobRead.model_validate(job)


@router.post(
    "/jobs/{job_id}/cancel",
    dependencies=[NO_BODY],
    responses=error_responses(JobNotFound, JobFinished),
)
def cancel_job(job_id: Id, session: WriteSession) -> JobRead:
    """Cancel a job: at once while it waits, within two seconds while it runs.

    To cancel it again while it runs changes nothing.

    A search that can end early gets ten seconds to publish the best it has, marked ``cancelled``
    in the flags of its report. The cancelled job then has a ``result``.
    """
    return JobRead.model_validate(JobRepository(session).request_cancel(job_id))
