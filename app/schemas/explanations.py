"""Bodies about what a score depends on: words and documents."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.orm import Label
from app.schemas.bodies import Answer

NEAREST_EXAMPLE: dict[str, Any] = {
    "neighbors": [
        {"id": "message-4", "similarity": 0.62, "label": "positive", "score": 0.98},
        {"id": "message-93", "similarity": 0.41, "label": "unlabeled", "score": 0.71},
    ],
    "neighbors_reason": None,
    "positives": [{"id": "message-4", "similarity": 0.62}],
    "positives_reason": None,
}
EXAMPLE: dict[str, Any] = {
    "model_id": "6c1f8a0b9d2e4c7f8b3a5d6e7f809112",
    "id": "message-17",
    "label": "unlabeled",
    "predicted": True,
    "score": 0.83,
    "probability": 0.91,
    "cut": 0.2,
    "rank": 6,
    "rank_reason": None,
    "is_current": True,
    "terms": [{"term": "river", "weight": 0.31}, {"term": "goal", "weight": -0.02}],
    "rest": 0.54,
    **NEAREST_EXAMPLE,
}


class TermWeight(Answer):
    term: str
    weight: float = Field(description="What it adds to the score.")


Rest = Annotated[
    float | None,
    Field(
        description="What is left of the score without the weights of `terms`: the part of the "
        "other words of the text, and of what no word adds, such as an intercept. Latent "
        "directions and neighbors are in the weights of the words. Null where terms are null, "
        "where the text was replaced since, and where the score is not such a sum: always for "
        "averaged_pnb and random_ranking, and for documents of the training for lp_pul, pu_lp, "
        "bagging_pu and nmfpul."
    ),
]


class NearPositiveRead(Answer):
    id: str
    similarity: float = Field(description="Cosine of the tf-idf weights, above 0 and at most 1.")


class NeighborRead(NearPositiveRead):
    label: Label = Field(description="As it was in the training; unsure ones are unlabeled.")
    score: float = Field(description="As it was in the training.")


Neighbors = Annotated[
    list[NeighborRead] | None,
    Field(
        description="The five documents of the training that are nearest to the text, except those "
        "deleted since and those that share no word with it. Only methods that keep the documents "
        "they learned from have neighbors."
    ),
]
NeighborsReason = Annotated[
    str | None,
    Field(
        description="Why there are no neighbors: not_asked (send explain=true), or rows_not_kept "
        "(the method keeps no documents but the positives: see positives)."
    ),
]
NearPositives = Annotated[
    list[NearPositiveRead] | None,
    Field(
        description="The five labeled positives of the training that are nearest to the text; of "
        "more than 1000 positives, 1000 drawn at random are compared."
    ),
]
NearPositivesReason = Annotated[
    str | None, Field(description="Why there are none: not_asked (send explain=true).")
]


class ExplanationRead(Answer):
    """Score and place of a document of the project, and what they depend on."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    model_id: str
    id: str
    label: Label = Field(description="The document's label now.")
    predicted: bool = Field(description="Whether it counts as positive.")
    score: float = Field(
        description="Its score in the ranking; for a document added later, its own."
    )
    probability: float | None = Field(
        description="Probability of being positive; null where the model could not be calibrated, "
        "or knows no word of a document added later."
    )
    cut: float = Field(description="From this score on, documents are predicted positive.")
    rank: int | None = Field(description="Place in the ranking, from 1.")
    rank_reason: str | None = Field(
        description="Why there is no rank: not_in_training (the document was added later, and the "
        "ranking was not brought up to date since)."
    )
    is_current: bool = Field(
        description="False if texts were replaced or removed since the ranking was made: score, "
        "probability and rank may then be those of the old text."
    )
    terms: list[TermWeight] = Field(
        description="The words that move the score when the text is scored as a new one, the "
        "strongest first; ten at most."
    )
    rest: Rest
    neighbors: Neighbors
    neighbors_reason: NeighborsReason
    positives: NearPositives
    positives_reason: NearPositivesReason
