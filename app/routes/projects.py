"""Projects."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Query, Response, status
from pydantic import BaseModel

from app.errors import (
    IdempotencyKeyReused,
    InvalidParameter,
    ModelNotFound,
    ProjectNotFound,
)
from app.http.dependencies import (
    ArtifactsDep,
    Id,
    OnceDep,
    PageDep,
    PredictorDep,
    ReadSession,
    WriteSession,
)
from app.http.error_responses import error_responses
from app.repositories.models import ModelRepository
from app.repositories.paging import place
from app.repositories.projects import ProjectRepository
from app.schemas.models import ModelRead
from app.schemas.projects import (
    ChampionChange,
    ListedProject,
    ProjectChange,
    ProjectCreate,
    ProjectDetails,
    ProjectPage,
    ProjectRead,
)
from app.services import projects
from app.services.models import models

router = APIRouter(prefix="/projects", tags=["projects"])


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    response_model=ProjectRead,
    responses=error_responses(InvalidParameter, IdempotencyKeyReused),
)
def create_project(body: ProjectCreate, once: OnceDep) -> Response:
    """Create a project: one question with its documents, labels and models."""

    def create(session: WriteSession) -> tuple[BaseModel, str]:
        project = projects.create(session, **body.model_dump())
        return ProjectRead.model_validate(project), f"/projects/{project.id}"

    return once.answer(status.HTTP_201_CREATED, create)


@router.get("", responses=error_responses(), response_model_exclude_unset=True)
def list_projects(
    page: PageDep,
    session: ReadSession,
    counts: Annotated[
        bool,
        Query(description="Also tell how many documents each has, and its newest model."),
    ] = False,
    name: Annotated[
        str | None,
        Query(
            max_length=1000,
            pattern=r"^[^\x00]*$",
            description="Only projects whose name contains this, in any case.",
        ),
    ] = None,
) -> ProjectPage:
    """Return projects, the newest first."""
    rows = ProjectRepository(session).page(after=page.after, limit=page.size + 1, name=name)
    shown, token = page.cut(rows, place)
    told = projects.overview(session, shown) if counts else [{}] * len(shown)
    listed = [
        ListedProject(**ProjectRead.model_validate(row).model_dump(), **more)
        for row, more in zip(shown, told, strict=True)
    ]
    return ProjectPage(projects=listed, next_page_token=token)


@router.get("/{project_id}", responses=error_responses(ProjectNotFound))
def read_project(project_id: Id, session: ReadSession) -> ProjectDetails:
    """Return a project with the numbers of its documents by label."""
    project = ProjectRepository(session).get(project_id)
    return ProjectDetails.from_row(project, projects.contents(session, project))


@router.patch("/{project_id}", responses=error_responses(ProjectNotFound, InvalidParameter))
def change_project(project_id: Id, body: ProjectChange, session: WriteSession) -> ProjectDetails:
    """Change what is given and leave the rest as it is."""
    project = projects.change(session, project_id, **body.model_dump(exclude_unset=True))
    return ProjectDetails.from_row(project, projects.contents(session, project))


@router.delete(
    "/{project_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    response_class=Response,
    responses=error_responses(ProjectNotFound),
)
def delete_project(
    project_id: Id,
    session: WriteSession,
    artifacts: ArtifactsDep,
    predictor: PredictorDep,
    background: BackgroundTasks,
) -> None:
    """Delete a project with its documents, jobs and models."""
    keys = projects.delete(session, project_id)
    predictor.drop_deleted(keys)
    background.add_task(artifacts.delete, *keys)
    background.add_task(predictor.drop_deleted)


@router.put("/{project_id}/champion", responses=error_responses(ProjectNotFound, ModelNotFound))
def choose_champion(project_id: Id, body: ChampionChange, session: WriteSession) -> ModelRead:
    """Choose the champion, the model that answers for the project: by default the first trained."""
    ProjectRepository(session).lock(project_id)
    model = ModelRepository(session).set_champion(project_id, body.model_id)
    return ModelRead.from_row(model, models.states(session, [model])[model.id])
