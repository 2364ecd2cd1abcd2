"""Feature selections."""

from fastapi import APIRouter, BackgroundTasks, Response, status

from app.errors import (
    FeatureSelectionNotFound,
    IdempotencyKeyReused,
    InvalidParameter,
    MemoryLimit,
    NoPositives,
    NoUnlabeled,
    ProjectNotFound,
    TableNotFound,
    TooFewPositives,
)
from app.http.dependencies import (
    ArtifactsDep,
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
from app.repositories.feature_selections import FeatureSelectionRepository
from app.repositories.paging import place
from app.repositories.projects import ProjectRepository
from app.repositories.tables import TableRepository
from app.schemas.feature_selections import (
    ClusterAssumptionRequest,
    FeatureSelectionPage,
    FeatureSelectionRead,
    FeatureSelectionRequest,
    FeatureSelectionSummary,
)
from app.schemas.jobs import JobRead
from app.services.feature_selection import cluster_assumption, feature_selection

router = APIRouter(tags=["feature selection"])

QUEUE_ERRORS = error_responses(
    ProjectNotFound,
    TableNotFound,
    NoPositives,
    NoUnlabeled,
    TooFewPositives,
    MemoryLimit,
    InvalidParameter,
    IdempotencyKeyReused,
)


@router.post(
    "/feature-selection",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobRead,
    responses=QUEUE_ERRORS,
)
def select_features(
    body: FeatureSelectionRequest, once: OnceDep, settings: SettingsDep
) -> Response:
    """Queue the selection of the features that tell positives apart; follow the job."""
    memory_mb = settings.job_memory_mb
    return once.queue(feature_selection.request, **body.model_dump(), memory_mb=memory_mb)


@router.post(
    "/cluster-assumption",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobRead,
    responses=QUEUE_ERRORS,
)
def check_cluster_assumption(
    body: ClusterAssumptionRequest, once: OnceDep, settings: SettingsDep
) -> Response:
    """Queue the test of whether positives cluster, which some methods count on; follow the job.

    The result of the job has ``is_met``, ``p_value``, ``ratio`` (how much more the labels follow
    clusters than permuted labels do), ``selector`` (a method of POST /feature-selection that suits
    such positives, to be compared with others) and ``summary``, the same in words.
    """
    memory_mb = settings.job_memory_mb
    return once.queue(cluster_assumption.request, **body.model_dump(), memory_mb=memory_mb)


@router.get("/feature-selections", responses=error_responses(ProjectNotFound, TableNotFound))
def list_feature_selections(
    page: PageDep,
    session: ReadSession,
    project_id: ProjectFilter = None,
    table_id: TableFilter = None,
) -> FeatureSelectionPage:
    """Page through the feature selections, the newest first."""
    if project_id is not None:
        ProjectRepository(session).get(project_id)
    if table_id is not None:
        TableRepository(session).get(table_id)
    rows = FeatureSelectionRepository(session).page(
        project_id=project_id, table_id=table_id, after=page.after, limit=page.size + 1
    )
    shown, token = page.cut(rows, place)
    read = [FeatureSelectionSummary.model_validate(row) for row in shown]
    return FeatureSelectionPage(feature_selections=read, next_page_token=token)


@router.get(
    "/feature-selections/{feature_selection_id}",
    responses=error_responses(FeatureSelectionNotFound),
)
def read_feature_selection(feature_selection_id: Id, session: ReadSession) -> FeatureSelectionRead:
    """Return the features by rank, with their scores, and which of them were kept."""
    row = FeatureSelectionRepository(session).get(feature_selection_id)
    return FeatureSelectionRead.from_row(row)


@router.delete(
    "/feature-selections/{feature_selection_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    response_class=Response,
    responses=error_responses(FeatureSelectionNotFound),
)
def delete_feature_selection(
    feature_selection_id: Id,
    session: WriteSession,
    artifacts: ArtifactsDep,
    background: BackgroundTasks,
) -> None:
    """Delete a feature selection; models that were trained on it keep its terms.

    A training that still waits for it fails with `feature_selection_not_found`.
    """
    keys = feature_selection.delete(session, feature_selection_id)
    background.add_task(artifacts.delete, *keys)
