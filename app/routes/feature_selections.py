"""Feature selections."""

from fastapi import APIRouter, Response, status

from app.dependencies import Id, OnceDep, ReadSession, SettingsDep
from app.error_responses import error_responses
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
from app.repositories.feature_selections import FeatureSelectionRepository
from app.schemas.feature_selections import (
    ClusterAssumptionRequest,
    FeatureSelectionRead,
    FeatureSelectionRequest,
)
from app.schemas.jobs import JobRead
from app.services import cluster_assumption, feature_selection

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
    """Queue the test of whether the positives cluster, to choose a method by; follow the job.

    The result of the job has ``is_met``, ``p_value``, ``ratio`` (how much more the labels follow
    clusters than permuted labels do), ``selector`` (the method of POST /feature-selection that
    fits) and ``summary``, all that in a sentence.
    """
    memory_mb = settings.job_memory_mb
    return once.queue(cluster_assumption.request, **body.model_dump(), memory_mb=memory_mb)


@router.get(
    "/feature-selections/{feature_selection_id}",
    responses=error_responses(FeatureSelectionNotFound),
)
def read_feature_selection(feature_selection_id: Id, session: ReadSession) -> FeatureSelectionRead:
    """Return the features by rank, with their scores, and which of them were kept."""
    row = FeatureSelectionRepository(session).get(feature_selection_id)
    return FeatureSelectionRead.from_row(row)
