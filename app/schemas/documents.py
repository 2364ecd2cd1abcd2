"""Bodies of the routes on documents."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field

from app.document_sizes import MAX_ID_CHARACTERS
from app.orm import Label
from app.schemas.bodies import Answer, PageAnswer, RequestBody
from core.text.vector_coding import length_of_code

EXAMPLE: dict[str, Any] = {
    "id": "ticket-17",
    "text": "The invoice is wrong.",
    "label": "positive",
    "metadata": {"source": "mail"},
    "vector_size": None,
}

REPORT_EXAMPLE: dict[str, Any] = {
    "received": 4,
    "inserted": 2,
    "replaced": 0,
    "unchanged": 1,
    "relabeled": 0,
    "repeated": 0,
    "rejected": 1,
    "blank": 1,
    "errors": [{"line": 3, "code": "empty_text", "reason": "The text is empty."}],
    "warnings": [],
    "seconds": 0.004,
    "documents_per_second": 1000.0,
}

#: Documents that one request removes, at most.
MAX_DELETED = 100_000

DocumentId = Annotated[
    str,
    Field(min_length=1, max_length=MAX_ID_CHARACTERS, pattern=r"^[^\x00-\x1f\x7f]+$"),
]

_STEP = r"(\.?[^/.\x00-\x1f\x7f][^/\x00-\x1f\x7f]*|\.\.[^/\x00-\x1f\x7f]+)?"
#: Of an id in a path, without . and .. as steps: patterns of pydantic cannot look ahead.
PATH_PATTERN = f"^{_STEP}(/{_STEP})*$"


def _as_text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("must be a string or an integer")
    return str(value)


#: Of a document in a body: 7 is "7", as in uploads.
WrittenId = Annotated[
    DocumentId, BeforeValidator(_as_text, json_schema_input_type=DocumentId | int)
]


class RowErrorRead(BaseModel):
    """Why one row was refused: `line` counts from 1; `index`, in a JSON list, from 0."""

    line: int | None = None
    index: int | None = None
    id: str | None = Field(default=None, description="That of the document, if it can be read.")
    code: str
    reason: str


class RejectedRows(Answer):
    """Rows that were refused, where none was valid."""

    rejected: int
    errors: list[RowErrorRead] = Field(description="The first 100 rows that were rejected.")


class IntakeReport(RejectedRows):
    """What became of the rows of an upload."""

    model_config = ConfigDict(json_schema_extra={"example": REPORT_EXAMPLE})

    received: int
    inserted: int = Field(description="New documents.")
    replaced: int = Field(
        description="Rows that changed text, vector, label or metadata of a document: one that was "
        "there, or came earlier in the upload, with the same id or, without ids, the same text."
    )
    unchanged: int
    relabeled: int = Field(
        description="Replaced rows that made a document positive that was there with another label "
        "or none. The label unlabeled, sent to `PUT /projects/{id}/labels`, takes that back."
    )
    repeated: int = Field(
        description="Replaced rows with the id of an earlier row of the same upload, but another "
        "text or vector."
    )
    blank: int = Field(description="Rejected rows without a text.")
    warnings: list[str] = Field(description="What to be careful about, and what to do.")
    seconds: float = Field(description="From the start of the upload until all of it was stored.")
    documents_per_second: float = Field(description="Rows received in that time.")


class DocumentRead(Answer):
    model_config = ConfigDict(json_schema_extra={"example": EXAMPLE})

    id: str
    text: str
    label: Label
    metadata: dict[str, Any] | None
    vector_size: Annotated[int | None, BeforeValidator(length_of_code)] = Field(
        validation_alias="vector_code",
        description="How many numbers its vector has, if it came with one.",
    )


class DocumentPage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={"example": {"documents": [EXAMPLE], "next_page_token": None}}
    )

    documents: list[DocumentRead]


class LabelWrite(RequestBody):
    """A review decision."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"id": "ticket-17", "label": "positive"}}
    )

    id: WrittenId
    label: Label


class DocumentsDelete(RequestBody):
    """Which documents to remove."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"ids": ["ticket-17", "ticket-18"]}]})

    ids: Annotated[
        list[WrittenId],
        FailFast(),  # errors of all items could take gigabytes
        Field(min_length=1, max_length=MAX_DELETED),
    ]


class DeletionsReport(Answer):
    """How many documents were removed, and which ids are of none."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"deleted": 1, "unknown": 1, "unknown_ids": ["ticket-18"]}}
    )

    deleted: int
    unknown: int = Field(description="Ids of no document, each counted once.")
    unknown_ids: list[str] = Field(description="The first 100 of them.")


class LabelsReport(Answer):
    """How many documents were given another label, and how many had it already."""

    model_config = ConfigDict(json_schema_extra={"example": {"changed": 1, "unchanged": 0}})

    changed: int
    unchanged: int
