"""The body of every error."""

from pydantic import BaseModel, ConfigDict, Field

from app.schemas.documents import IntakeReport, RejectedRows


class ProblemPlace(BaseModel):
    """One thing that is wrong, and where."""

    model_config = ConfigDict(extra="allow")

    pointer: str = Field(
        description="Of the body a JSON pointer (`/documents/0/text`, empty for all of it), of a "
        "table `/rows/2/columns/age`, rows from 1; `?name` of a query parameter; the name alone of "
        "a parameter of the path or a header; `path` where that is not UTF-8."
    )
    detail: str
    code: str | None = Field(default=None, description="Of a table: stable, what is wrong.")
    row: int | None = Field(default=None, description="Of a table: from 1, without the header.")
    line: int | None = Field(default=None, description="Of a CSV: where the row begins, from 1.")
    column: str | None = Field(default=None, description="Of a table.")


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
    report: IntakeReport | RejectedRows | None = Field(
        default=None, description="Of an upload: what was read of it, and what of that was kept."
    )
