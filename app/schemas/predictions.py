"""Bodies about predictions on new texts."""

from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, StrictBool, StrictFloat, model_validator

from app.document_sizes import MAX_VECTOR_NUMBERS
from app.media_types import JSON, NDJSON
from app.orm import Label
from app.schemas.bodies import Answer, IdText, RequestBody
from app.schemas.documents import WrittenId
from app.schemas.explanations import (
    NEAREST_EXAMPLE,
    NearPositives,
    NearPositivesReason,
    Neighbors,
    NeighborsReason,
    Rest,
    TermWeight,
)
from app.schemas.uploads import CONTENT_ENCODING

MODEL_ID = "6c1f8a0b9d2e4c7f8b3a5d6e7f809112"
EXAMPLE: dict[str, Any] = {
    "id": None,
    "label": "positive",
    "score": 1.7,
    "probability": 0.91,
    "probability_reason": None,
    "cut": 0.2,
    "approximate": False,
    "terms": [{"term": "river", "weight": 0.9}, {"term": "flooded", "weight": 0.8}],
    "rest": 0.0,
    **NEAREST_EXAMPLE,
}
REFUSED: dict[str, Any] = {
    "error": {"index": 1, "code": "empty_text", "reason": "The text is empty."}
}

NDJSON_EXAMPLE = '{"id": "a", "text": "flooded houses"}\n{"text": "a goal in the last minute"}\n'
NDJSON_ANSWER_EXAMPLE = (
    '{"id":"a","label":"positive","score":1.7,"probability":0.91,"probability_reason":null,"cut":0.2,'
    '"approximate":false,"terms":null,"rest":null,"neighbors":null,"neighbors_reason":"not_asked","positives":null,'
    '"positives_reason":"not_asked"}\n'
    '{"error":{"line":2,"code":"empty_text","reason":"The text is empty."}}\n'
)

#: In one JSON body; a stream of NDJSON has no such limit, and takes no memory for each.
MAX_TEXTS = 100_000
#: The first item that is not valid is told: errors of all of them could take gigabytes.
MANY = Field(max_length=MAX_TEXTS, fail_fast=True)
#: As many as an upload takes, each a number.
VECTOR = Field(
    min_length=1,
    max_length=MAX_VECTOR_NUMBERS,
    fail_fast=True,
    description="An embedding of the text, by the model that made those of the project.",
)


class NewDocument(RequestBody):
    """A document as in an upload; its metadata counts for nothing here."""

    id: WrittenId | None = None
    text: str | None
    metadata: dict[str, Any] | None = None
    vector: Annotated[list[StrictFloat], VECTOR] | None = None


class PredictionRequest(RequestBody):
    """Either a project, whose champion answers, or a model; and either texts or documents."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"model_id": MODEL_ID, "texts": ["flooded houses at the river"], "explain": True}
            ]
        }
    )

    project_id: IdText | None = None
    model_id: IdText | None = None
    texts: Annotated[list[str | None], MANY] | None = None
    documents: Annotated[list[NewDocument], MANY] | None = None
    explain: Annotated[
        StrictBool | None,
        Field(
            description="Whether to give the words and documents behind each score; default: false."
        ),
    ] = None

    @model_validator(mode="after")
    def _has_either(self) -> Self:
        if (self.texts is None) == (self.documents is None):
            raise ValueError("give either texts or documents")
        return self


class PredictionRead(Answer):
    id: str | None = Field(default=None, description="Id of the document, if it has one.")
    label: Label = Field(description="positive when the score reaches the cut, else negative.")
    score: float
    probability: float | None = Field(description="Probability of being positive.")
    probability_reason: str | None = Field(
        description="Why there is no probability: not_calibrated (the model's card says why), or "
        "no_known_words (the model knows no word of the text)."
    )
    cut: float = Field(description="From this score on, documents are predicted positive.")
    approximate: bool = Field(
        description="Whether the text was only compared with the documents of the training, "
        "because the method knows no others."
    )
    terms: list[TermWeight] | None = Field(
        description="The words that moved the score, the strongest first, ten at most; null if "
        "not asked for."
    )
    rest: Rest
    neighbors: Neighbors
    neighbors_reason: NeighborsReason
    positives: NearPositives
    positives_reason: NearPositivesReason


class RefusedText(Answer):
    index: int = Field(description="Its place in the list, from 0.")
    id: str | None = Field(default=None, description="That of the document, if it can be read.")
    code: str
    reason: str


class Refused(Answer):
    """What stands in place of the prediction for a text that no document could have."""

    error: RefusedText


class Predictions(Answer):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"model_id": MODEL_ID, "predictions": [EXAMPLE, REFUSED]}]}
    )

    model_id: str = Field(description="The model that answered.")
    predictions: list[PredictionRead | Refused] = Field(
        description="One for each text, in their order."
    )


#: The body is read by hand, in one piece or as a stream.
REQUEST_BODY: dict[str, Any] = {
    "parameters": [CONTENT_ENCODING],
    "requestBody": {
        "required": True,
        "description": "Also with Content-Encoding gzip or zstd.",
        "content": {
            JSON: {"schema": {"$ref": "#/components/schemas/PredictionRequest"}},
            NDJSON: {"schema": {"type": "string"}, "example": NDJSON_EXAMPLE},
        },
    },
}
