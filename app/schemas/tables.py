"""Bodies about tables."""

from datetime import datetime
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field

from app.media_types import CSV, PARQUET
from app.orm import DataTable
from app.schemas.bodies import Answer, PageAnswer
from app.schemas.uploads import CONTENT_ENCODING

SUMMARY: dict[str, Any] = {
    "id": "4c1d2e3f405162738495a6b7c8d9eaf0",
    "name": "devices",
    "created_at": "2026-11-20T09:30:00Z",
    "n_rows": 6,
    "n_features": 4,
    "n_positive": 2,
    "digest": "a5d1…",
}
EXAMPLE: dict[str, Any] = {
    **SUMMARY,
    "label_column": "kind",
    "positive": ["attack"],
    "unlabeled": None,
    "categorical": "one_hot",
    "missing": None,
    "delimiter": "comma",
    "missing_marker": None,
    "warnings": [],
    "n_unlabeled": 4,
    "n_dropped_rows": 0,
    "dropped_columns": ["row"],
    "columns": [
        {
            "name": "duration",
            "kind": "numeric",
            "source": "duration",
            "min": 0.5,
            "max": 12.0,
            "distinct": 6,
            "missing": 0,
        }
    ],
}

#: A table for the documentation: the sender is one of two texts.
CSV_EXAMPLE = (
    "row,duration,packets,sender,kind\n"
    "1,0.5,3,inside,normal\n"
    "2,12,90,outside,attack\n"
    "3,0.7,4,inside,normal\n"
    "4,11,85,outside,attack\n"
    "5,10,80,outside,normal\n"
    "6,0.9,5,inside,normal\n"
)

TABLE_BODY: dict[str, Any] = {
    "parameters": [CONTENT_ENCODING],
    "requestBody": {
        "required": True,
        "description": (
            "Streamed, also with Content-Encoding gzip or zstd. A CSV has a header, separates "
            "columns by commas (or see delimiter) and is encoded in UTF-8. Missing values are "
            "empty, ? and, in upper or lower case, NA, N/A, NaN, none and null, except in the "
            "label column (see also missing_marker). Errors count rows from 1, without the header."
        ),
        "content": {
            CSV: {"schema": {"type": "string"}, "example": CSV_EXAMPLE},
            PARQUET: {
                "schema": {"type": "string", "format": "binary"},
                "example": "PAR1...",
            },
        },
    },
}


class FeatureColumn(Answer):
    name: str
    kind: Literal["numeric", "one_hot"] = Field(
        description="A column of numbers, or one value of a column of text: 1 where it stands."
    )
    source: str = Field(description="The column of the file that it was made from.")
    min: float
    max: float
    distinct: int = Field(description="How many different values it has.")
    missing: int = Field(description="How many values were missing in the file.")


class TableSummary(Answer):
    id: str
    name: str
    created_at: datetime
    n_rows: int
    n_features: int
    n_positive: int
    digest: str = Field(description="SHA-256 over names, values and labels.")


class TablePage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"tables": [SUMMARY], "next_page_token": None}]}
    )

    tables: list[TableSummary]


class TableRead(TableSummary):
    """A table: how it was read, and its features."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    n_unlabeled: int
    label_column: str
    positive: list[str]
    unlabeled: list[str] | None = Field(description="Null: every value that is not positive.")
    categorical: str | None
    missing: str | None
    delimiter: str
    missing_marker: list[str] | None
    n_dropped_rows: int = Field(
        description="Rows left out: neither positive nor unlabeled, or with a missing value."
    )
    dropped_columns: list[str]
    columns: list[FeatureColumn] = Field(description="The features, in order.")
    warnings: list[str] = Field(description="What to know before features are selected.")

    @classmethod
    def from_row(cls, row: DataTable) -> Self:
        summary = TableSummary.model_validate(row).model_dump()
        known = {name: row.card[name] for name in cls.model_fields if name in row.card}
        return cls(**{**summary, **known, "n_unlabeled": row.n_rows - row.n_positive})
