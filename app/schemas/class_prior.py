"""Bodies about class priors."""

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field

from app.orm import Job
from app.schemas.bodies import Answer, Parameters, RandomState, RequestBody

_KM2: dict[str, Any] = {
    "name": "km2",
    "value": 0.053,
    "low": 0.041,
    "high": 0.063,
    "largest_admissible": 0.096,
    "reason": None,
    "flags": [],
}
EXAMPLE: dict[str, Any] = {
    "job_id": "3d5b7f9e1c2a4860b1d3f5e7a9c0b2d4",
    "project_id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4",
    "finished_at": "2026-11-20T09:31:20Z",
    "value": 0.044,
    "low": 0.012,
    "high": 0.084,
    "largest_admissible": 0.096,
    "reason": None,
    "flags": ["wide_interval"],
    "n_hidden": {"value": 220, "low": 60, "high": 420},
    "n_positive": 10,
    "n_negative": 0,
    "n_unlabeled": 5000,
    "estimators": [_KM2],
    "summary": "About 220 of the 5,000 unlabeled documents are positive (4.4 %), probably between "
    "60 and 420; more than 480 would hardly fit the positives, whatever the negatives look like. "
    "This holds if the 10 positives were labeled at random.",
    "assumption": "This assumes that chance decided which positives were labeled. …",
    "warnings": ["The ends of the interval are more than a factor of two apart. …"],
    "n_terms": 20480,
    "texts_digest": "a5d1…",
    "labels_digest": "07c4…",
    "data_state": "4:e3b0…",
    "is_current": True,
    "random_state": 0,
    "seconds": {"vectorise": 0.4, "rank": 2.1, "estimate": 3.0},
}


class ClassPriorRequest(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"random_state": 0}]})

    vectorizer: Annotated[
        Parameters, Field(description="Parameters of the vectorizer; defaults: the project's.")
    ] = Field(default_factory=dict)
    random_state: RandomState = 0


class PriorFigures(Answer):
    value: float | None = Field(
        description="Estimated share of positives among the unlabeled documents; null if there is "
        "no estimate."
    )
    low: float | None = Field(description="Lower end of the interval.")
    high: float | None = Field(description="Upper end of the interval.")
    largest_admissible: float | None = Field(
        description="The largest share that the positives allow, whatever the negatives look like: "
        "by where they rank by likeness to each other. In `doctor` of a model it is another, by "
        "where the model ranks those that were hidden from it. Each holds by itself."
    )
    reason: str | None = Field(
        description="Why there is no value: too_few_positives (fewer than two that differ; ted "
        "needs more), too_few_unlabeled (fewer than three; ted needs more), no_features (no "
        "document has a term), nothing_shared (no unlabeled document has a word of a positive), "
        "or in a review more_found_than_estimated or found_by_reading."
    )
    flags: list[str] = Field(
        description="at_bound (leaves no positive or no negative), above_admissible (more than "
        "largest_admissible), wide_interval (the interval spans more than a factor of two)."
    )


class EstimatorRead(PriorFigures):
    """What one estimator says.

    The interval covers chance in the labels. For elkan_noto_*, ted and tice it covers only how the
    samples were dealt out, and is too narrow to be trusted.
    """

    name: str


class HiddenRead(Answer):
    value: int
    low: int
    high: int


class ClassPriorRead(PriorFigures):
    """How many positives are hidden among the unlabeled documents: the consensus."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    job_id: str
    project_id: str
    finished_at: datetime | None = Field(
        description="When the estimate was made; labels given later are not in it."
    )
    n_hidden: HiddenRead | None = Field(description="The same in numbers of documents.")
    n_positive: int
    n_negative: int = Field(description="Judged negatives, which are left out.")
    n_unlabeled: int
    estimators: list[EstimatorRead] = Field(description="What each estimator says for itself.")
    summary: str = Field(description="The estimate in words.")
    assumption: str = Field(description="What must hold, and what is wrong where it does not.")
    warnings: list[str] = Field(
        description="What to be careful about, and what to do. If the newest model has another "
        "estimate, that is told last."
    )
    n_terms: int = Field(description="Words and other terms that were counted.")
    texts_digest: str = Field(description="SHA-256 over the texts it was estimated from.")
    labels_digest: str = Field(description="SHA-256 over their labels.")
    data_state: str = Field(
        description="Revision of the texts and SHA-256 of the labels that it was made from."
    )
    is_current: bool = Field(
        description="Whether the project still has these texts and labels. If not, estimate again."
    )
    random_state: int
    seconds: dict[str, float] = Field(description="How long each stage took.")

    @classmethod
    def from_row(cls, job: Job, *, is_current: bool, by_model: list[str]) -> Self:
        result = job.result or {}
        known = {"job_id": job.id, "project_id": job.project_id, "finished_at": job.finished_at}
        told = {"is_current": is_current, "warnings": result["warnings"] + by_model}
        return cls(**{**result, **known, **told})
