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
from app.schemas.cuts import CUT_PATTERN
from core.calibration.cuts import RULES


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
        str, Field(max_length=50, description="A name from GET /algorithms, or auto.")
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
        description="Share of positives among the unlabeled documents, if you know it. It is "
        "taken to leave at least one positive and one negative among them.",
    )
    cut: Annotated[str, BeforeValidator(_check_cut), Field(pattern=CUT_PATTERN)] | None = Field(
        default=None,
        description="Rule of the cut, the score from which documents are predicted positive: own "
        "(the algorithm's own rule), f1 (the largest F1 to expect), prior (the class prior, given "
        "or estimated), lee_liu, conductance, mixture, or budget:N (N documents, more where "
        "scores are equal). Default: f1; own without calibrate, or where params set the own cut "
        "(cut, quantile, threshold). Where f1 or lee_liu gives no cut, as in a review, prior is "
        "taken; where another rule gives none, own. "
        "GET /models/{model_id}/cuts shows what each would give.",
    )
    calibrate: StrictBool = Field(
        default=True,
        description="Whether to train five more times with positives hidden. This gives "
        "probabilities, the class prior and what to expect of a cut. auto always does: false needs "
        "an algorithm by name.",
    )
    time_budget: Annotated[float, Field(gt=0, le=86_400), Number] = Field(
        default=600.0,
        description="About how many seconds the race of auto may take. The size of the documents "
        "decides which algorithms enter, not the clock, so the same request has the same result; "
        "a warning of the model tells if it took longer. A short budget does without a graph of "
        "neighbors and, if shorter still, without seed_expansion. With an algorithm that needs no "
        "graph, calibration makes one only where that takes ten seconds at most.",
    )
    random_state: RandomState = 0


class Pace(Answer):
    """How fast the stage goes; null where nothing can be said yet."""

    stage_progress: float = Field(
        description="Share of the stage that is done; 0 for an upload whose length is not known."
    )
    documents_per_second: float | None = Field(
        description="So far, in a stage that counts or scores documents. Null in other stages, as "
        "fits go over all documents several times or in one quick pass; also in the first half "
        "second, while a cached count is read, and in an upload until its first rows were read."
    )
    stage_seconds_left: float | None = Field(
        description="At the rate of the stage so far; where it goes over its work several times, "
        "for the present time. Null in the first tenth of a race of auto, whose algorithms take "
        "times of their own; so is `seconds_left`."
    )
    seconds_left: float | None = Field(
        description="For the whole job: what is left of the stage, and the later stages at the "
        "rate of the job so far. Rough, as stages differ from task to task; null while a stage "
        "goes over its work again."
    )


class JobRead(Answer):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    id: str
    project_id: str | None
    table_id: str | None = Field(description="For a job on a table, which has no project.")
    kind: JobKind | str = Field(
        description="A kind that is not listed is of a later version of the service."
    )
    status: JobStatus
    stage: str = Field(description="What it does now, or did last; `done` where it succeeded.")
    progress: float = Field(description="Share of the work that is done.")
    pace: Pace | None = Field(
        description="Null unless the job runs and its stage tells how far it is."
    )
    attempt: int = Field(description="Attempts so far; a lost worker costs one.")
    max_attempts: int
    cancel_requested: bool
    spec: dict[str, Any] = Field(description="What was asked for, with what follows from it.")
    error: dict[str, Any] | None = Field(description="Why the job failed: code and message.")
    result: dict[str, Any] | None = Field(
        description="What the job made, if it succeeded or had something when it was cancelled: an "
        "id, or the answer itself. For a model also its warnings, and champion_id, the model that "
        "answers for the project; PUT /projects/{project_id}/champion changes that."
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
    level: str = Field(description="info, warning or error.")
    stage: str = Field(description="The stage that it is about; empty for the job itself.")
    message: str
    data: dict[str, Any] | None = Field(
        description="Figures beside the message, such as seconds and numbers of documents."
    )


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
