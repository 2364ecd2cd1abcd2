"""Bodies about what a score hangs on: words and documents."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.schemas.bodies import Answer
from app.tables import Label

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
        description="What is left of the score without the weights of `terms`: of the other words "
        "of the text together, and of what no word adds, such as an intercept. Latent directions "
        "and neighbors are in the weights of the words. Null where the score is not such a sum: "
        "by averaged_pnb and random_ranking, and of lp_pul, pu_lp, bagging_pu and nmfpul that of "
        "a document of the training; also of a text that was replaced since, and where terms are "
        "null."
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
        description="The five documents of the training that are nearest to the text, without "
        "those deleted since and those that share no word with it; of methods that keep the "
        "documents they learned from."
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
        description="The five labeled positives of the training that are nearest; of more than "
        "1000 positives, 1000 drawn at random are compared."
    ),
]
NearPositivesReason = Annotated[
    str | None, Field(description="Why there are none: not_asked (send explain=true).")
]


class ExplanationRead(Answer):
    """Score and place of a document of the project, and what they hang on."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    model_id: str
    id: str
    label: Label = Field(description="As it is now.")
    predicted: bool = Field(description="Whether it counts as positive.")
    score: float = Field(description="That of the ranking; of a document added later, its own.")
    probability: float | None = Field(
        description="Of being positive; null where the model could not be calibrated, or knows no "
        "word of a document added later."
    )
    cut: float = Field(description="Scores from here on are positive.")
    rank: int | None = Field(description="Place in the ranking, from 1.")
    rank_reason: str | None = Field(
        description="Why there is no rank: not_in_training, where the document was added "
        "later and the ranking not brought up to date since."
    )
    is_current: bool = Field(
        description="False where texts were replaced or removed since the ranking was made: score, "
        "probability and rank may then be those of the text before."
    )
    terms: list[TermWeight] = Field(
        description="The words that move the score of its text as that of a new one, the "
        "strongest first; ten at most."
    )
    rest: Rest
    neighbors: Neighbors
    neighbors_reason: NeighborsReason
    positives: NearPositives
    positives_reason: NearPositivesReason
