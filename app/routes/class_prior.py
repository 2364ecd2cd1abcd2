"""Class priors of projects: how many positives are hidden."""

from fastapi import APIRouter, Response, status

from app.errors import (
    ClassPriorNotFound,
    IdempotencyKeyReused,
    InvalidParameter,
    MemoryLimit,
    NoPositives,
    NoUnlabeled,
    ProjectNotFound,
)
from app.http.dependencies import Id, OnceDep, ReadSession, SettingsDep
from app.http.error_responses import error_responses
from app.schemas.class_prior import ClassPriorRead, ClassPriorRequest
from app.schemas.jobs import JobRead
from app.services.class_prior import class_prior

router = APIRouter(prefix="/projects/{project_id}/class-prior", tags=["projects"])


@router.post(
    "",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobRead,
    responses=error_responses(
        ProjectNotFound,
        NoPositives,
        NoUnlabeled,
        MemoryLimit,
        InvalidParameter,
        IdempotencyKeyReused,
    ),
)
def estimate_class_prior(
    project_id: Id, body: ClassPriorRequest, once: OnceDep, settings: SettingsDep
) -> Response:
    """Queue the estimate of how many positives are hidden among the unlabeled documents.

    Follow the job; then GET answers with its result.
    """
    values = body.model_dump() | {"memory_mb": settings.job_memory_mb}
    return once.queue(class_prior.request, project_id=project_id, **values)


@router.get("", responses=error_responses(ProjectNotFound, ClassPriorNotFound))
def read_class_prior(project_id: Id, session: ReadSession) -> ClassPriorRead:
    """Return the latest estimate of how many positives are hidden among the unlabeled documents.

    No negative label is used. An estimate that cannot be had is null, with a reason beside it.
    Models have estimates of their own (`class_prior_estimate`), which may differ: that of the
    newest stands among the warnings.
    """
    job, is_current = class_prior.latest(session, project_id)
    by_model = class_prior.by_newest_model(session, project_id)
    return ClassPriorRead.from_row(job, is_current=is_current, by_model=by_model)
