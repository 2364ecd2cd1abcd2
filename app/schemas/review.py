"""Bodies about the review of a project."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from app.schemas.bodies import Answer

_MODEL_ID = "6c1f8a0b9d2e4c7f8b3a5d6e7f809112"


class CopyRead(Answer):
    id: str
    text: str
    metadata: dict[str, Any] | None
    rank: int = Field(description="Place in the whole ranking, counted from 1.")


class NextDocumentRead(CopyRead):
    score: float
    probability: float | None = Field(
        description="Probability that the document is positive; null where the model gives none."
    )
    chosen_for: Literal["relevance", "uncertainty"] = Field(
        description="relevance: for a high score; uncertainty: for a score near the cut."
    )
    copies: list[CopyRead] = Field(
        description="Others that nobody judged and that say nearly the same, by rank. They are "
        "looked for among those that rank at most 200 unread documents away from any that is "
        "given. Empty without `?copies=true`."
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
                            "copies": [],
                        }
                    ],
                    "reason": None,
                }
            ]
        }
    )

    model_id: str = Field(description="The model that ranked them.")
    labels_changed: bool = Field(
        description="Whether the positives or negatives are not those that the model learned from. "
        "If so, train again."
    )
    texts_changed: bool = Field(
        description="Whether texts were replaced or removed since the ranking was made. Their "
        "ranks, scores and probabilities are those of the old text until the ranking is brought "
        "up to date (`POST /models/{id}/ranking`)."
    )
    n_unranked: int = Field(
        description="Unlabeled documents that came in since the ranking was made, so they are not "
        "among these. Have them ranked (`POST /models/{id}/ranking`), or train again."
    )
    n_withheld: int = Field(
        description="Documents that rank as high but say nearly the same as one of these: all "
        "`copies`, where they were asked for. They come once that one is judged."
    )
    documents: list[NextDocumentRead] = Field(
        description="At most n: first those chosen for relevance, then for uncertainty, the best "
        "of each first."
    )
    reason: str | None = Field(description="Why there are no documents; null where there are some.")


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
                    "n_corrected": 0,
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
    n_seeds: int = Field(
        description="Positives that came in with their label, or were named before any reading."
    )
    n_judged: int = Field(description="Documents that were judged, unsure ones among them.")
    n_found: int = Field(description="Positives among the judged.")
    n_negative: int = Field(description="Negatives among the judged.")
    n_unsure: int = Field(description="Unsure ones among the judged.")
    n_left: int = Field(description="Documents that nobody judged.")
    n_corrected: int = Field(
        description="Seeds that were labeled negative or unsure since. No reading found them, so "
        "they are neither seeds nor judged; the next model learns from their labels."
    )
    n_unranked: int = Field(
        description="Documents of n_left that came in since the newest model's ranking was made, "
        "so nobody was shown them. Recall, remaining and p_value leave them out. While there are "
        "any, the suggestion is not to stop."
    )
    recall: ShareRead = Field(
        description="Share of the positives, seeds left out, that were found; the lower end counts "
        "unsure documents as positives."
    )
    remaining: ShareRead = Field(
        description="Positives among the documents that are left, by the order of the judgements "
        "and the seeds together. Documents that came in later are expected to hold as large a "
        "share as the others. The upper end counts all unsure documents, too."
    )
    by_order: ShareRead = Field(description="The same by the order of the judgements alone.")
    by_seeds: ShareRead = Field(
        description="The same by the seeds alone, unsure documents included: the positives that "
        "the newest model with a class prior estimate expects in the pile, by what was found as "
        "deep as was read, less those found. Null while fewer than two positives are seeds. If the "
        "intervals of order and seeds do not overlap, the suggestion is to continue, and `why` "
        "says so."
    )
    p_value: float | None = Field(
        description="Of the test of whether the recall is below the target (Callaghan and "
        "Mueller-Hansen 2020), by the last documents judged."
    )
    suggestion: Literal["continue", "stop"] | None = Field(
        description="Null while nothing was judged, and while something is left to read but no "
        "model was trained. stop where all is judged and nothing is unsure."
    )
    n_until_stop: int | None = Field(
        description="After this many more documents, judged in order and none of them positive, "
        "the suggestion is to stop. Null while nothing was found, while unsure documents must be "
        "judged first, while some are not ranked, and while order and seeds contradict each other."
    )
    why: str = Field(description="What speaks for the suggestion, or why there is none.")
    probable: NumberRead = Field(
        description="Sum of the newest model's probabilities over the documents that are left; "
        "null where most positives were found by reading and nothing was judged negative."
    )
    target: float = Field(description="The recall wanted.")
    assumption: str = Field(description="What must hold for the figures to be right.")
