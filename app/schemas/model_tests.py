"""Bodies about tests of models on labeled documents."""

from datetime import datetime
from typing import Any

from pydantic import ConfigDict, Field

from app.media_types import CSV, JSON, NDJSON, PARQUET, XLSX
from app.schemas.bodies import Answer
from app.schemas.documents import RowErrorRead
from app.schemas.uploads import CONTENT_ENCODING, DOCUMENT, PARQUET_FILE, WORKBOOK, list_named

_REASON = "no_positives, no_negatives or nothing_predicted; null where there is a value."


class TestFigure(Answer):
    __test__ = False

    value: float | None
    reason: str | None = Field(description=_REASON)


class TestShare(TestFigure):
    """With its Clopper-Pearson interval at 95 %."""

    low: float | None
    high: float | None


class ConfusionRead(Answer):
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int


def figure(value: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    """Return a figure with its interval, as in an answer, for examples."""
    return {"value": value, "low": low, "high": high, "reason": None}


EXAMPLE: dict[str, Any] = {
    "model_id": "6c1f8a0b9d2e4c7f8b3a5d6e7f809112",
    "tested_at": "2026-11-22T09:31:20Z",
    "n_positive": 5,
    "n_negative": 5,
    "n_in_project": 0,
    "n_rejected": 1,
    "cut": 0.2,
    "precision": figure(0.8, 0.28, 0.99),
    "recall": figure(0.8, 0.28, 0.99),
    "accuracy": figure(0.8, 0.44, 0.97),
    "f1": {"value": 0.8, "reason": None},
    "average_precision": {"value": 0.9, "reason": None},
    "roc_auc": {"value": 0.92, "reason": None},
    "confusion": {
        "true_positives": 4,
        "false_positives": 1,
        "false_negatives": 1,
        "true_negatives": 4,
    },
    "warnings": [],
    "errors": [{"line": 3, "code": "missing_label", "reason": "The row has no label."}],
}


class TestRead(Answer):
    """How a model did on documents whose labels are known; they are not kept."""

    __test__ = False
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    model_id: str
    tested_at: datetime
    n_positive: int
    n_negative: int
    n_in_project: int = Field(
        description="Test documents with the same text as a document of the project: what the "
        "model learned from makes the figures look better."
    )
    n_rejected: int = Field(description="Rows that were not valid; they are not counted.")
    cut: float = Field(description="From this score on, documents are predicted positive.")
    precision: TestShare = Field(
        description="It holds for the share of positives in the test documents."
    )
    recall: TestShare
    accuracy: TestShare
    f1: TestFigure
    average_precision: TestFigure
    roc_auc: TestFigure
    confusion: ConfusionRead
    warnings: list[str] = Field(description="What to be careful about, and what to do.")
    errors: list[RowErrorRead] = Field(
        default=[], description="The first 100 rows rejected; not kept with the model."
    )


_LABEL = {
    "type": ["string", "number", "boolean"],
    "description": "positive or negative, unless the parameter `positive` names another label.",
}
DOCUMENT_WITH_LABEL: dict[str, Any] = {
    **DOCUMENT,
    "required": ["text", "label"],
    "properties": {**DOCUMENT["properties"], "label": _LABEL},
}
_ROWS = {"type": "array", "items": {"$ref": "#/components/schemas/LabeledDocument"}}
_EXAMPLE = {"text": "the river is over its banks", "label": "positive"}

#: The body is read while it comes in.
REQUEST_BODY: dict[str, Any] = {
    "parameters": [CONTENT_ENCODING],
    "requestBody": {
        "required": True,
        "description": "Streamed, of any length up to the limit, also with Content-Encoding gzip "
        "or zstd. Rows that are not valid are left out one by one and listed in the answer.",
        "content": {
            JSON: {
                "schema": {"anyOf": [list_named("documents", _ROWS), _ROWS]},
                "example": {
                    "documents": [
                        _EXAMPLE,
                        {"id": "b", "text": "a goal in the last minute", "label": "negative"},
                    ]
                },
            },
            NDJSON: {
                "schema": {"type": "string"},
                "example": '{"text": "the river is over its banks", "label": "positive"}\n'
                '{"id": "b", "text": "a goal in the last minute", "label": "negative"}\n',
            },
            CSV: {
                "schema": {"type": "string"},
                "example": "text,label\nthe river is over its banks,positive\n"
                "a goal in the last minute,negative\n",
            },
            XLSX: WORKBOOK,
            PARQUET: PARQUET_FILE,
        },
    },
}
