"""Bodies about feature selections."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from app.orm import FeatureSelection
from app.schemas.bodies import (
    Answer,
    IdText,
    Number,
    PageAnswer,
    Parameters,
    RandomState,
    RequestBody,
)

SUMMARY: dict[str, Any] = {
    "id": "b7a6c5d4e3f2011234567890abcdef12",
    "project_id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4",
    "table_id": None,
    "job_id": "3d5b7f9e1c2a4860b1d3f5e7a9c0b2d4",
    "created_at": "2026-11-20T09:31:20Z",
    "method": "k_best",
}
EXAMPLE: dict[str, Any] = {
    **SUMMARY,
    "params": {"n_features_to_select": 1000},
    "vectorizer": {"stop_words": "english", "min_df": 2},
    "random_state": 0,
    "n_samples": 5003,
    "n_positive": 3,
    "n_features": 20480,
    "n_selected": 1000,
    "texts_digest": "a5d1…",
    "labels_digest": "07c4…",
    "features": [
        {
            "name": "water",
            "score": 31.4,
            "selected": True,
            "n_positive": 3,
            "n_documents": 41,
            "direction": "for",
            "frequency": None,
        }
    ],
    "report": {"n_positive": 3, "n_unlabeled": 5000, "flags": []},
    "warnings": [],
    "versions": {"numpy": "2.4.6"},
    "matrix": {"cached": True},
    "seconds": {"vectorise": 0.4, "select": 0.1},
}


class StabilityRequest(RequestBody):
    n_bootstraps: Annotated[
        int,
        Field(ge=2, le=1000, description="How often to select again, on other samples."),
        Number,
    ] = 10


class Source(RequestBody):
    """What to look at: either a project or a table."""

    project_id: IdText | None = None
    table_id: IdText | None = None
    vectorizer: Annotated[
        Parameters, Field(description="Parameters of the vectorizer; defaults: the project's.")
    ] = Field(default_factory=dict)
    random_state: RandomState = 0

    @model_validator(mode="after")
    def _is_about_one(self) -> Self:
        if (self.project_id is None) == (self.table_id is None):
            raise ValueError("give either project_id or table_id")
        return self


class ClusterAssumptionRequest(Source):
    """Whose positives may cluster: those of either a project or a table."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"table_id": "4c1d2e3f405162738495a6b7c8d9eaf0"}]}
    )

    n_permutations: Annotated[
        int,
        Field(
            ge=19,
            le=9999,
            description="How often the labels are permuted: the smallest p-value is 1 / "
            "(n_permutations + 1).",
        ),
        Number,
    ] = 999


class FeatureSelectionRequest(Source):
    """What to select features from: either a project or a table."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "project_id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4",
                    "method": "semi_mim",
                    "n_features": 1000,
                },
                {
                    "table_id": "4c1d2e3f405162738495a6b7c8d9eaf0",
                    "method": "k_best",
                    "stability": {"n_bootstraps": 10},
                },
            ]
        }
    )

    vectorizer: Annotated[
        Parameters,
        Field(
            description="Parameters of the vectorizer; defaults: the project's. Where it sets no "
            "min_df, 1,000 documents or more get a min_df of 2: a term of one document alone "
            "finds no other."
        ),
    ] = Field(default_factory=dict)
    method: Annotated[str, Field(max_length=50)] = Field(
        default="semi_mim",
        description="A name from GET /feature-selectors. The default is among those that choose "
        "the best words from a few positives; it is quick and needs nothing else.",
    )
    n_features: Annotated[int, Field(ge=1, le=2**31), Number] | None = Field(
        default=None,
        description="How many to keep. Null: for a table half of its features, rounded up; for a "
        "project the default of the method.",
    )
    params: Annotated[Parameters, Field(description="Parameters of the method.")] = Field(
        default_factory=dict
    )
    stability: StabilityRequest | None = Field(
        default=None, description="Select again on bootstraps, and tell how alike the results are."
    )


class FeatureRead(Answer):
    name: str
    score: float | None = Field(
        description="The higher, the better; null if the feature was not looked at. The ranking is "
        "the order of the list. semi_jmi, semi_iamb, mrmr and mrmr_ufs2 choose each feature to go "
        "with those before it and give it the score of that step, so their scores need not "
        "descend."
    )
    selected: bool
    n_positive: int | None = Field(
        default=None, description="Number of positives with the term; null for tables."
    )
    n_documents: int | None = Field(
        default=None,
        description="Number of documents with the term, positives among them; null for tables.",
    )
    direction: Literal["for", "against"] | None = Field(
        default=None,
        description="What the feature speaks for. A term is in a larger (for) or smaller "
        "(against) share of the positives than of all documents; a feature of a table has a "
        "higher or lower mean among positives than among unlabeled rows. Null where they are "
        "equal.",
    )
    frequency: float | None = Field(
        description="Share of the bootstraps that it was selected on; null without stability."
    )


class StabilityRead(Answer):
    n_bootstraps: int
    kuncheva: float | None = Field(
        description="Kuncheva index, the agreement above chance: 1 is perfect, 0 is chance."
    )
    kuncheva_reason: str | None = Field(
        description="Why there is no Kuncheva index; null where there is one."
    )
    jaccard: float = Field(
        description="Jaccard index: features that two selections share, divided by those that "
        "either has."
    )


class FeatureSelectionSummary(Answer):
    id: str
    project_id: str | None
    table_id: str | None
    job_id: str
    created_at: datetime
    method: str


class FeatureSelectionPage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"feature_selections": [SUMMARY], "next_page_token": None}]}
    )

    feature_selections: list[FeatureSelectionSummary]


class FeatureSelectionRead(FeatureSelectionSummary):
    """Features ranked by one method: the best of them, and how many it kept."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    params: dict[str, Any] = Field(description="Parameters of the method, defaults included.")
    random_state: int
    n_samples: int = Field(description="Documents, or rows of the table.")
    n_positive: int
    n_features: int = Field(description="Terms, or features of the table.")
    n_selected: int
    vectorizer: dict[str, Any] | None = Field(
        default=None, description="Parameters of the vectorizer; null for tables."
    )
    texts_digest: str | None = Field(
        default=None, description="SHA-256 over the texts it was made from; null for tables."
    )
    labels_digest: str | None = Field(
        default=None, description="SHA-256 over their labels; null for tables."
    )
    table_digest: str | None = Field(
        default=None, description="SHA-256 over names, values and labels of the table."
    )
    features: list[FeatureRead] = Field(
        description="Features by rank: all that were selected, or the first 1,000 if that is more."
    )
    mask: list[bool] | None = Field(
        default=None,
        description="Whether each feature of a table was selected, in the order of its features; "
        "null for projects.",
    )
    objective: list[float | None] | None = Field(
        default=None,
        description="Objective of the method by iteration; null for methods that have none.",
    )
    stability: StabilityRead | None = Field(
        default=None, description="Over bootstraps; null where it was not asked for."
    )
    report: dict[str, Any] = Field(description="What the method tells about its fit.")
    warnings: list[str] = Field(description="What to know before the selection is used.")
    versions: dict[str, str] = Field(description="Versions of the libraries it was computed with.")
    matrix: dict[str, Any] | None = Field(
        default=None, description="Whether the counted texts were already cached; null for tables."
    )
    seconds: dict[str, float] = Field(description="How long each stage took.")

    @classmethod
    def from_row(cls, row: FeatureSelection) -> Self:
        return cls(**{**row.card, **FeatureSelectionSummary.model_validate(row).model_dump()})
