"""The body of every error."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class ProblemPlace(BaseModel):
    """One thing that is wrong, and where."""

    model_config = ConfigDict(extra="allow")

    pointer: Annotated[
        str, Field(description="JSON pointer into the body, or ?name of a query parameter.")
    ]
    detail: str


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
