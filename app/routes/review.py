"""The review of a project: what to judge next, and when to stop."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.errors import ArtifactUnavailable, ModelNotFound, NoModel, ProjectNotFound
from app.http.dependencies import ArtifactsDep, Id, NewestModel, ReadSession, Since
from app.http.error_responses import error_responses
from app.schemas.review import NextRead, ReviewRead
from app.services.review import next_documents, review
from core.review.choice import Strategy

router = APIRouter(prefix="/projects/{project_id}", tags=["review"])


@router.get(
    "/next",
    responses=error_responses(ProjectNotFound, ModelNotFound, NoModel, ArtifactUnavailable),
)
def read_next(
    project_id: Id,
    session: ReadSession,
    artifacts: ArtifactsDep,
    strategy: Annotated[
        Strategy,
        Query(
            description="relevance: the highest scores; uncertainty: those nearest to the cut; "
            "mixed: a tenth of the latter, else the former. After uncertainty, GET /review can "
            "hardly tell what is left."
        ),
    ] = "mixed",
    n: Annotated[
        int, Query(ge=1, le=1000, description="How many at most; fewer where texts are very large.")
    ] = 10,
    copies: Annotated[
        bool,
        Query(
            description="Whether to give, beside each document, those that say nearly the same: "
            "send one label for all of them, and a reader reads each text once."
        ),
    ] = False,
    since: Since = None,
    model_id: NewestModel = None,
) -> NextRead:
    """Return which documents to judge next, among those that nobody judged.

    Of several that say nearly the same only one is given, without `copies` unless too few others
    are found. Send the labels with PUT labels, train again, and ask again. `unsure` is a label,
    too.
    """
    found = next_documents.choose(
        session,
        artifacts,
        project_id=project_id,
        model_id=model_id,
        since=since,
        strategy=strategy,
        n=n,
        with_copies=copies,
    )
    return NextRead.model_validate(found)


@router.get("/review", responses=error_responses(ProjectNotFound, ArtifactUnavailable))
def read_review(
    project_id: Id,
    session: ReadSession,
    artifacts: ArtifactsDep,
    target: Annotated[float, Query(gt=0, lt=1, description="The recall wanted.")] = 0.95,
) -> ReviewRead:
    """Return how many positives were found, how many may be left, and whether to stop.

    An estimate that cannot be had is null, with a reason beside it.
    """
    return ReviewRead.model_validate(review.read(session, artifacts, project_id, target))
