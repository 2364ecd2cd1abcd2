"""The body of every error."""

from pydantic import BaseModel, ConfigDict, Field

from app.schemas.documents import IntakeReport, RejectedRows


class ProblemPlace(BaseModel):
    """One thing that is wrong, and where."""

    model_config = ConfigDict(extra="allow")

    pointer: str = Field(
        description="In the body a JSON pointer (`/documents/0/text`, empty for all of it); in a "
        "table `/rows/2/columns/age`, with rows counted from 1. For a query parameter `?name`; "
        "for a path parameter or a header the name alone; `path` where the path is not UTF-8."
    )
    detail: str
    code: str | None = Field(
        default=None, description="For tables: what is wrong, as a stable code."
    )
    row: int | None = Field(
        default=None, description="For tables: the row, from 1, without the header."
    )
    line: int | None = Field(
        default=None, description="For CSV: the line where the row begins, from 1."
    )
    column: str | None = Field(default=None, description="For tables: the name of the column.")


class Problem(BaseModel):
    """A problem in the form of RFC 9457; `code` is stable, further members depend on it."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str | None = None
    errors: list[ProblemPlace] | None = None
    error: str | None = Field(default=None, description="For paths under /v2: as `detail`.")
    report: IntakeReport | RejectedRows | None = Field(
        default=None, description="For uploads: what was read, and what of it was kept."
    )
