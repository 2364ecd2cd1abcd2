"""Bodies about jobs."""

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, StrictBool

from app.job_kinds import JobKind, JobStatus
from app.schemas.bodies import (
    Answer,
    IdText,
    Number,
    PageAnswer,
    Parameters,
    RandomState,
    RequestBody,
)
from app.schemas.cuts import CUT_PATTERN, RULES


def _check_cut(cut: Any) -> Any:
    if isinstance(cut, str) and not re.fullmatch(CUT_PATTERN, cut):
        raise ValueError(
            f"must be {', '.join(RULES)} or budget:N, with N a number of documents from 1 to "
            "999,999,999"
        )
    return cut


EXAMPLE: dict[str, Any] = {
    "id": "3d5b7f9e1c2a4860b1d3f5e7a9c0b2d4",
    "project_id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4",
    "table_id": None,
    "kind": "train",
    "status": "running",
    "stage": "fit",
    "progress": 0.4,
    "pace": {
        "stage_progress": 0.5,
        "documents_per_second": 51000.0,
        "stage_seconds_left": 9.8,
        "seconds_left": 41.0,
    },
    "attempt": 1,
    "max_attempts": 3,
    "cancel_requested": False,
    "spec": {"algorithm": "lgn", "params": {}, "random_state": 0},
    "error": None,
    "result": None,
    "created_at": "2026-11-20T09:31:00Z",
    "started_at": "2026-11-20T09:31:01Z",
    "finished_at": None,
}


class TrainingRequest(RequestBody):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"project_id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4", "algorithm": "lgn"}]
        }
    )

    project_id: IdText
    algorithm: Annotated[
        str, Field(max_length=50, description="A name of GET /algorithms, or auto.")
    ] = "auto"
    params: Annotated[Parameters, Field(description="Parameters of the algorithm.")] = Field(
        default_factory=dict
    )
    vectorizer: Annotated[
        Parameters, Field(description="Parameters of the vectorizer; defaults: the project's.")
    ] = Field(default_factory=dict)
    feature_selection_id: Annotated[
        IdText | None, Field(description="Train on the terms that this selection kept.")
    ] = None
    class_prior: Annotated[float, Field(ge=0, le=1), Number] | None = Field(
        default=None,
        description="Share of positives among the unlabeled documents, when known; taken to "
        "leave at least one positive and one negative among them.",
    )
    cut: Annotated[str, BeforeValidator(_check_cut), Field(pattern=CUT_PATTERN)] | None = Field(
        default=None,
        description="What sets the score from which documents are positive: own (the method's own "
        "rule), f1 (the largest F1 to expect), prior (the class prior, given or estimated), "
        "lee_liu, conductance, mixture, or budget:N (N documents, more where scores are equal). "
        "Default: f1 for auto, else own; where f1 gives nothing, as in a review, prior, and own "
        "where a rule gives nothing. The card of the model says what each would give.",
    )
    calibrate: StrictBool = Field(
        default=True,
        description="Whether to train five times more with positives hidden, for probabilities, "
        "the class prior and what a cut is worth. auto does in any case.",
    )
    time_budget: Annotated[float, Field(gt=0, le=86_400), Number] = Field(
        default=600.0,
        description="Seconds that the race of auto may take, about. By the size of the documents, "
        "not by the clock, it is decided which algorithms enter, so that the same request has the "
        "same result; a warning of the model tells where it took longer. A short one makes do "
        "without a graph of neighbors, and then without seed_expansion; beside an algorithm that "
        "needs none, calibration makes a graph only where that takes ten seconds at most.",
    )
    random_state: RandomState = 0


class Pace(Answer):
    """How fast the stage goes; null where nothing can be said yet."""

    stage_progress: float = Field(
        description="Share of the stage that is done; 0 of an upload that does not tell its length."
    )
    documents_per_second: float | None = Field(
        description="Of a stage that counts or scores documents, so far. null of other stages, of "
        "which fits go over all documents several times or in one quick pass, in the first half "
        "second, while a cached count is read, and of an upload until its first rows were read."
    )
    stage_seconds_left: float | None = Field(
        description="At the rate of the stage so far; where it goes over its work several times, "
        "of the present time."
    )
    seconds_left: float | None = Field(
        description="Of the whole job: what is left of the stage, and the stages behind it at the "
        "rate of the job so far. Rough, as stages differ from task to task; null while a stage "
        "goes over its work again."
    )


class JobRead(Answer):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    id: str
    project_id: str | None
    table_id: str | None = Field(description="Of a job on a table, which has no project.")
    kind: JobKind | str = Field(description="Another one is of a later version of the service.")
    status: JobStatus
    stage: str
    progress: float = Field(description="Share of the work that is done.")
    pace: Pace | None = Field(description="While it runs and its stage tells how far it is.")
    attempt: int
    max_attempts: int
    cancel_requested: bool
    spec: dict[str, Any] = Field(description="What was asked for, with what follows from it.")
    error: dict[str, Any] | None = Field(description="Why it failed: code and message.")
    result: dict[str, Any] | None = Field(
        description="What it made, when it succeeded or had something when it was cancelled: the "
        "id, or the answer itself; for a model its warnings, too, and champion_id, the model that "
        "answers for the project: to change that, PUT /projects/{project_id}/champion."
    )
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class JobPage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"jobs": [EXAMPLE], "next_page_token": None}]}
    )

    jobs: list[JobRead]


class JobEventRead(Answer):
    number: int = Field(description="Grows from event to event.")
    time: datetime
    level: str
    stage: str
    message: str
    data: dict[str, Any] | None


class JobEventPage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "events": [
                        {
                            "number": 17,
                            "time": "2026-11-20T09:31:01Z",
                            "level": "info",
                            "stage": "",
                            "message": "started",
                            "data": {"attempt": 1},
                        }
                    ],
                    "next_page_token": None,
                }
            ]
        }
    )

    events: list[JobEventRead]


class JobProgress(Answer):
    """What the live stream tells between two events of the log."""

    status: JobStatus
    stage: str
    progress: float
    pace: Pace | None
