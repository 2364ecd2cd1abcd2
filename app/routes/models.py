"""Models: their cards, the rankings they give, the words they go by."""

from typing import Annotated, Literal

from fastapi import APIRouter, BackgroundTasks, Query, Request, Response, status
from fastapi.responses import StreamingResponse

from app.errors import (
    ArtifactUnavailable,
    DocumentNotFound,
    ModelNotFound,
    NotAcceptable,
    ProjectNotFound,
    RankingReplaced,
)
from app.http.dependencies import (
    ArtifactsDep,
    DatabaseDep,
    DocumentIdPath,
    ExportDelimiter,
    Id,
    LabelFilter,
    PageDep,
    PredictorDep,
    ProjectFilter,
    ReadSession,
    Since,
    WriteSession,
)
from app.http.error_responses import error_responses
from app.http.negotiation import NOT_MODIFIED, IfNoneMatch, accept, cacheable, is_known
from app.http.pieces_response import PiecesResponse
from app.http.ranking_export import EXPORTS, exported, refuse_idle
from app.media_types import BINARY, CSV, JSON, NDJSON, RIS
from app.repositories.models import ModelRepository
from app.repositories.paging import place
from app.repositories.projects import ProjectRepository
from app.schemas.cuts import CutsRead
from app.schemas.explanations import ExplanationRead
from app.schemas.models import (
    CSV_EXAMPLE,
    NDJSON_EXAMPLE,
    RIS_EXAMPLE,
    ModelPage,
    ModelRead,
    RankedDocumentRead,
    RankingPage,
    TermsRead,
)
from app.services.models import cuts, explanation, models
from app.services.ranking import exports, ranking
from app.services.stored_files import open_file

router = APIRouter(prefix="/models", tags=["models"])

#: More documents than there can be.
MAX_RANK = 10**15
_FILE = {"type": "string", "format": "binary"}


@router.get("", responses=error_responses(ProjectNotFound))
def list_models(page: PageDep, session: ReadSession, project_id: ProjectFilter = None) -> ModelPage:
    """Return models, the newest first."""
    if project_id is not None:
        ProjectRepository(session).get(project_id)
    rows = ModelRepository(session).page(
        project_id=project_id, after=page.after, limit=page.size + 1
    )
    shown, token = page.cut(rows, place)
    states = models.states(session, shown)
    read = [ModelRead.from_row(row, states[row.id]) for row in shown]
    return ModelPage(models=read, next_page_token=token)


@router.get(
    "/{model_id}",
    response_model=ModelRead,
    responses={**NOT_MODIFIED, **error_responses(ModelNotFound, ProjectNotFound)},
)
def read_model(model_id: Id, session: ReadSession, if_none_match: IfNoneMatch = None) -> Response:
    """Return what a model was trained with and on, and what came of it."""
    model = ModelRepository(session).get(model_id)
    state = models.states(session, [model])[model_id]
    return cacheable(ModelRead.from_row(model, state), if_none_match)


@router.delete(
    "/{model_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    response_class=Response,
    responses=error_responses(ModelNotFound, ProjectNotFound),
)
def delete_model(
    model_id: Id,
    session: WriteSession,
    artifacts: ArtifactsDep,
    predictor: PredictorDep,
    background: BackgroundTasks,
) -> None:
    """Delete a model; if it was the champion, none answers for the project until one is chosen.

    If none is chosen, the next model that is trained becomes the champion.
    """
    keys = models.delete(session, model_id)
    predictor.drop_deleted(keys)
    background.add_task(artifacts.delete, *keys)
    background.add_task(predictor.drop_deleted)


@router.get(
    "/{model_id}/ranking",
    response_model=RankingPage,
    responses={
        200: {
            "content": {
                NDJSON: {"schema": {"type": "string"}, "example": NDJSON_EXAMPLE},
                CSV: {"schema": {"type": "string"}, "example": CSV_EXAMPLE},
                RIS: {"schema": {"type": "string"}, "example": RIS_EXAMPLE},
            }
        },
        **NOT_MODIFIED,
        **error_responses(ModelNotFound, NotAcceptable, RankingReplaced, ArtifactUnavailable),
    },
)
def read_ranking(
    request: Request,
    model_id: Id,
    page: PageDep,
    session: ReadSession,
    database: DatabaseDep,
    artifacts: ArtifactsDep,
    media_type: Annotated[str, accept(JSON, NDJSON, CSV, RIS)],
    label: LabelFilter = None,
    since: Since = None,
    min_score: Annotated[
        float | None,
        Query(allow_inf_nan=False, description="Only documents with this score or a higher one."),
    ] = None,
    predicted: Annotated[
        bool | None,
        Query(description="Only documents that count as positive, or `false`: only the others."),
    ] = None,
    order: Annotated[
        Literal["first", "last"],
        Query(description="`first`: from the first rank down; `last`: from the last rank up."),
    ] = "first",
    start_rank: Annotated[
        int | None,
        Query(ge=1, le=MAX_RANK, description="Rank to begin at; not used with a page_token."),
    ] = None,
    delimiter: ExportDelimiter = "comma",
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Return the documents of the project by score, the most positive first.

    `order=last` begins with the documents least like the positives: those that do not belong.
    `start_rank` leads into the middle; the last rank is `ranking.n_documents` of the model.

    JSON comes a page at a time. `Accept: application/x-ndjson`, `text/csv` or
    `application/x-research-info-systems` gets all of it, without an ETag; `page_size` and
    `page_token` are refused then. CSV has no byte order mark. It has an apostrophe before an id or
    text that a spreadsheet would take for a formula, or that begins with an apostrophe. RIS is for
    reference managers: what came as references has its fields again. NDJSON has everything as it
    is.

    If documents came in since (`is_current` is false), `POST` puts them in. A `page_token` of the
    ranking before is refused then.
    """
    model = ModelRepository(session).get(model_id)
    start = None if start_rank is None else start_rank - 1
    part = ranking.Part(label, min_score, start, order == "last", since, predicted)
    refuse_idle(request, media_type, delimiter)
    if media_type in EXPORTS:
        rows = ranking.rows(database, artifacts, model, part)
        return exported(rows, media_type, model_id, delimiter)
    start, mark = (start, None) if page.after is None else page.place
    part = part._replace(start=start)
    found, next_start = ranking.page(session, artifacts, model, part, mark=mark, limit=page.size)
    body = RankingPage(
        documents=[RankedDocumentRead.model_validate(row) for row in found],
        is_current=model_id in models.with_current_ranking(session, [model]),
        next_page_token=page.token_at(next_start, ranking.mark_of(model)),
    )
    return cacheable(body, if_none_match)


@router.get(
    "/{model_id}/file",
    response_class=StreamingResponse,
    responses={
        200: {"content": {BINARY: {"schema": _FILE, "example": "the file"}}},
        **NOT_MODIFIED,
        **error_responses(ModelNotFound, ArtifactUnavailable),
    },
)
def read_file(
    model_id: Id, session: ReadSession, artifacts: ArtifactsDep, if_none_match: IfNoneMatch = None
) -> Response:
    """Return the model as a file for Python: `core.persistence.load` makes a pipeline of it.

    The pipeline takes texts and gives labels, scores and probabilities, as `/predict` does. The
    file holds no texts, but the words that are counted. Where the algorithm compares with
    documents, it also holds counts or weights of the positives or, for graph methods, of all.
    """
    model = ModelRepository(session).get(model_id)
    headers = {"etag": f'"{model.file["sha256"]}"', "cache-control": "private, no-cache"}
    if is_known(headers["etag"], if_none_match):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    headers["content-length"] = str(model.file["size"])
    headers["content-disposition"] = f'attachment; filename="{model_id}.model"'
    with models.unless_deleted(session, model_id):
        stream = open_file(artifacts, model.file)
    return PiecesResponse(exports.blocks(stream), BINARY, headers)


@router.get("/{model_id}/terms", responses=error_responses(ModelNotFound, ArtifactUnavailable))
def read_terms(
    model_id: Id,
    session: ReadSession,
    predictor: PredictorDep,
    n_terms: Annotated[
        int, Query(ge=1, le=1000, description="How many words for, and how many against.")
    ] = 20,
) -> TermsRead:
    """Return the words that speak most for and most against, with their weights."""
    model = ModelRepository(session).get(model_id)
    with models.unless_deleted(session, model_id):
        return TermsRead.model_validate(predictor.terms(model, n_terms))


@router.get(
    "/{model_id}/cuts",
    responses=error_responses(ModelNotFound, ProjectNotFound, ArtifactUnavailable),
)
def read_cuts(
    model_id: Id,
    session: ReadSession,
    artifacts: ArtifactsDep,
    score: Annotated[
        float | None,
        Query(allow_inf_nan=False, description="Also tell what a cut at this score would give."),
    ] = None,
    budget: Annotated[
        int | None,
        Query(
            ge=1,
            description="Also tell what a cut after so many unlabeled documents would give.",
        ),
    ] = None,
) -> CutsRead:
    """Return where the ranking can be cut without negatives, and what each cut would give."""
    found = cuts.of_model(session, artifacts, model_id, score=score, budget=budget)
    return CutsRead.model_validate(found)


@router.get(
    "/{model_id}/documents/{document_id:path}/explanation",
    responses=error_responses(ModelNotFound, DocumentNotFound, ArtifactUnavailable),
)
def read_explanation(
    model_id: Id,
    document_id: DocumentIdPath,
    session: ReadSession,
    artifacts: ArtifactsDep,
    predictor: PredictorDep,
) -> ExplanationRead:
    """Return why a document has its score: words, near documents, near positives."""
    found = explanation.of_document(session, artifacts, predictor, model_id, document_id)
    return ExplanationRead.model_validate(found)
