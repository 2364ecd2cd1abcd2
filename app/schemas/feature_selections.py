"""Bodies about feature selections."""

from datetime import datetime
from typing import Any, Self

from pydantic import ConfigDict, Field

from app.schemas.bodies import Answer
from app.tables import FeatureSelection

EXAMPLE: dict[str, Any] = {
    "id": "b7a6c5d4e3f2011234567890abcdef12",
    "project_id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4",
    "job_id": "3d5b7f9e1c2a4860b1d3f5e7a9c0b2d4",
    "created_at": "2026-11-20T09:31:20Z",
    "method": "k_best",
    "params": {"n_features_to_select": 1000},
    "vectorizer": {"stop_words": "english", "min_df": 2},
    "random_state": 0,
    "n_documents": 5003,
    "n_positive": 3,
    "n_terms": 20480,
    "n_selected": 1000,
    "texts_digest": "a5d1…",
    "labels_digest": "07c4…",
    "features": [{"name": "water", "score": 31.4, "selected": True}],
    "versions": {"numpy": "2.4.6"},
    "matrix": {"cached": True},
    "seconds": {"vectorise": 0.4, "select": 0.1},
}


class FeatureRead(Answer):
    name: str
    score: float
    selected: bool


class FeatureSelectionRead(Answer):
    """Features ranked by one method: the best of them, and how many it kept."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    id: str
    project_id: str
    job_id: str
    created_at: datetime
    method: str
    params: dict[str, Any] = Field(description="Of the method, defaults included.")
    vectorizer: dict[str, Any] = Field(description="Parameters of the vectoriser.")
    random_state: int
    n_documents: int
    n_positive: int
    n_terms: int
    n_selected: int
    texts_digest: str = Field(description="SHA-256 over the texts it was made from.")
    labels_digest: str = Field(description="SHA-256 over their labels.")
    features: list[FeatureRead] = Field(
        description="The best first: all that were selected, and 1,000 where there are so many."
    )
    objective: list[float] | None = Field(
        default=None, description="By iteration; null for methods that have none."
    )
    stability: dict[str, float] | None = Field(
        default=None, description="Over bootstraps; null where it was not asked for."
    )
    versions: dict[str, str] = Field(description="Of the libraries it was computed with.")
    matrix: dict[str, Any] = Field(description="Whether the counted texts were there already.")
    seconds: dict[str, float] = Field(description="How long each stage took.")

    @classmethod
    def from_row(cls, row: FeatureSelection) -> Self:
        known = {name: getattr(row, name) for name in ("id", "project_id", "job_id", "created_at")}
        return cls(**{**row.card, **known})
