"""Evaluations of models, without negatives."""

from fastapi import APIRouter, Response, status

from app.errors import (
    EvaluationNotFound,
    IdempotencyKeyReused,
    ModelNotFound,
    ModelOutdated,
    NoUnlabeled,
    ProjectNotFound,
    TooFewPositives,
    UnsuitableDocuments,
)
from app.http.dependencies import Id, OnceDep, ReadSession
from app.http.error_responses import error_responses
from app.schemas.evaluation import EvaluationRequest, QualityRead
from app.schemas.jobs import JobRead
from app.services.evaluation import evaluation

router = APIRouter(prefix="/models/{model_id}/evaluation", tags=["models"])


@router.post(
    "",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobRead,
    responses=error_responses(
        ModelNotFound,
        ProjectNotFound,
        ModelOutdated,
        TooFewPositives,
        UnsuitableDocuments,
        NoUnlabeled,
        IdempotencyKeyReused,
    ),
)
def evaluate_model(model_id: Id, body: EvaluationRequest, once: OnceDep) -> Response:
    """Queue the evaluation of a model by positives hidden among the unlabeled; follow the job.

    Its algorithm is trained again `n_splits` times on the same documents, each time with some
    positives hidden. Where these rank tells how many of the positives in the pile are found.
    """
    return once.queue(evaluation.request, model_id=model_id, **body.model_dump())


@router.get("", responses=error_responses(ModelNotFound, ProjectNotFound, EvaluationNotFound))
def read_evaluation(model_id: Id, session: ReadSession) -> QualityRead:
    """Return the latest evaluation of a model and its latest test on labeled documents.

    A figure that cannot be had is null, with a reason. The model has both, too, in its fields
    `evaluation` and `test`.
    """
    return QualityRead.model_validate(evaluation.latest(session, model_id))
