"""Bodies about the review of a project."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from app.schemas.bodies import Answer

_MODEL_ID = "6c1f8a0b9d2e4c7f8b3a5d6e7f809112"


class NextDocumentRead(Answer):
    id: str
    text: str
    metadata: dict[str, Any] | None
    rank: int = Field(description="Place in the whole ranking, counted from 1.")
    score: float
    probability: float | None = Field(
        description="That the document is positive; null where the model does not tell."
    )
    chosen_for: Literal["relevance", "uncertainty"] = Field(
        description="A high score, or one near the cut."
    )


class NextRead(Answer):
    """Which documents to judge next."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model_id": _MODEL_ID,
                    "labels_changed": False,
                    "texts_changed": False,
                    "n_unranked": 0,
                    "n_withheld": 0,
                    "documents": [
                        {
                            "id": "ticket-17",
                            "text": "The invoice is wrong.",
                            "metadata": {"source": "mail"},
                            "rank": 4,
                            "score": 1.7,
                            "probability": None,
                            "chosen_for": "relevance",
                        }
                    ],
                    "reason": None,
                }
            ]
        }
    )

    model_id: str = Field(description="The model that ranked them.")
    labels_changed: bool = Field(
        description="Whether there are other positives or negatives than the model learned from: "
        "train again."
    )
    texts_changed: bool = Field(
        description="Whether texts were replaced or removed since the ranking was made: ranks, "
        "scores and probabilities of those are of the text before, until it is brought up to date "
        "(`POST /models/{id}/ranking`)."
    )
    n_unranked: int = Field(
        description="Unlabeled documents that came in since the ranking was made, and are not "
        "among these: have them ranked (`POST /models/{id}/ranking`), or train again."
    )
    n_withheld: int = Field(
        description="Documents that rank as high and say nearly the same as one of these: they "
        "come when that is judged."
    )
    documents: list[NextDocumentRead] = Field(
        description="At most n, those chosen for relevance first, each kind the best first."
    )
    reason: str | None = Field(description="Why there are none; null where there are some.")


class NumberRead(Answer):
    value: float | None
    reason: str | None = Field(description="Why there is no value; null where there is one.")


class ShareRead(NumberRead):
    low: float | None = Field(description="Lower end of an interval that holds 9 times in 10.")
    high: float | None = Field(description="Upper end.")


class ReviewRead(Answer):
    """How far the review of a project is."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "n_documents": 2544,
                    "n_seeds": 5,
                    "n_judged": 400,
                    "n_found": 33,
                    "n_negative": 365,
                    "n_unsure": 2,
                    "n_left": 2139,
                    "n_unranked": 0,
                    "recall": {"value": 0.92, "low": 0.8, "high": 0.97, "reason": None},
                    "remaining": {"value": 3, "low": 1, "high": 8, "reason": None},
                    "by_order": {"value": 3, "low": 1, "high": 12, "reason": None},
                    "by_seeds": {"value": 9, "low": 0, "high": 41, "reason": None},
                    "p_value": 0.9,
                    "suggestion": "continue",
                    "n_until_stop": 240,
                    "why": "Up to 8 positives may be left. Then only 80% of all positives are "
                    "found, and 95% are wanted. Read on.",
                    "probable": {
                        "value": None,
                        "reason": "The newest model gives no probabilities.",
                    },
                    "target": 0.95,
                    "assumption": "Documents were judged in about the order of a ranking …",
                }
            ]
        }
    )

    n_documents: int
    n_seeds: int = Field(description="Positives that came in as such.")
    n_judged: int = Field(description="Documents that were judged, unsure ones among them.")
    n_found: int = Field(description="Positives among the judged.")
    n_negative: int = Field(description="Negatives among the judged.")
    n_unsure: int = Field(description="Unsure ones among the judged.")
    n_left: int = Field(description="Documents that nobody judged.")
    n_unranked: int = Field(
        description="Those of them that came in since the newest model's ranking was made, so that "
        "nobody was shown them. Recall, remaining and p-value leave them aside, and while there "
        "are some the suggestion is not to stop."
    )
    recall: ShareRead = Field(
        description="Share of the positives, seeds left out, that were found; at the lower end "
        "unsure ones are positives."
    )
    remaining: ShareRead = Field(
        description="Positives among the documents that are left, by the order of the judgements "
        "and by the seeds together; documents that came in later are expected to hold as many as "
        "the others; the upper end counts all unsure ones as well."
    )
    by_order: ShareRead = Field(description="The same by the order of the judgements alone.")
    by_seeds: ShareRead = Field(
        description="By the seeds alone, among what is left and unsure: what the newest model "
        "that estimated a class prior makes of the pile, less what was found; null while fewer "
        "than two positives are seeds. Where order and seeds have no number in common the "
        "suggestion is to continue, and `why` tells."
    )
    p_value: float | None = Field(
        description="Of the test that the recall is below the target (Callaghan and "
        "Mueller-Hansen 2020), by the last documents judged."
    )
    suggestion: Literal["continue", "stop"] | None = Field(
        description="Null while nothing was found, or while something is left to read and no "
        "model was trained; stop where all is judged and nothing unsure."
    )
    n_until_stop: int | None = Field(
        description="After so many more documents, judged in order and none of them positive, the "
        "suggestion is to stop; null while nothing was found, where unsure ones hold it back "
        "until they are judged, where some are not ranked, or where order and seeds contradict "
        "each other."
    )
    why: str = Field(description="What speaks for the suggestion, or why there is none.")
    probable: NumberRead = Field(
        description="Sum of the newest model's probabilities over the documents that are left; "
        "null where most positives were found by reading and nothing was judged negative."
    )
    target: float = Field(description="The recall wanted.")
    assumption: str
