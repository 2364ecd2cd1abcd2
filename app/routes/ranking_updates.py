"""Rankings are brought up to date."""

from fastapi import APIRouter, Response, status

from app.errors import (
    BodyStalled,
    BodyTooLarge,
    IdempotencyKeyReused,
    MemoryLimit,
    ModelNotFound,
    ProjectNotFound,
    UnsupportedMediaType,
)
from app.http.dependencies import NO_BODY, Id, OnceDep, SettingsDep
from app.http.error_responses import error_responses
from app.schemas.jobs import JobRead
from app.services.models import ranking_update

router = APIRouter(prefix="/models/{model_id}/ranking", tags=["models"])


@router.post(
    "",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=JobRead,
    dependencies=[NO_BODY],
    responses=error_responses(
        *(ModelNotFound, ProjectNotFound, MemoryLimit, IdempotencyKeyReused),
        *(BodyStalled, BodyTooLarge, UnsupportedMediaType),
    ),
)
def update_ranking(model_id: Id, once: OnceDep, settings: SettingsDep) -> Response:
    """Queue an update of the ranking: documents that came in since are scored and put into it.

    Follow the job. The model stays as it is: it does not see words that it did not meet in
    training. If a text was replaced or removed since, or the file of the ranking is lost, all
    documents are scored anew.

    The result of the job has `n_scored`, `n_documents` and `approximate`. `approximate` is true
    where the algorithm only knows the documents of its training: those scored are then compared
    with them, as in `POST /predict`. If all are scored, that goes for those of the training, too.

    Of two such jobs at once the later one ends with `ranking_replaced`: start it again. An export
    that is being read when its ranking is replaced goes on with the old one to the end.
    """
    memory_mb = settings.job_memory_mb
    return once.queue(ranking_update.request, model_id=model_id, memory_mb=memory_mb)
