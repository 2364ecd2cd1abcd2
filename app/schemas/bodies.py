"""What bodies have in common."""

import json
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

#: Text without the control characters that databases refuse or that spoil a log.
Line = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]*$")]
ID_PATTERN = "^[A-Za-z0-9_-]+$"
#: Of an Idempotency-Key: what stands in a header as it is.
KEY_PATTERN = "^[!-~]+$"
#: What the path and query parameters of this name look like, too.
IdText = Annotated[str, StringConstraints(max_length=64, pattern=ID_PATTERN)]


def _check_unicode(parameters: dict[str, Any]) -> dict[str, Any]:
    try:
        json.dumps(parameters, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError("contains half of a surrogate pair") from error
    return parameters


#: Far more than any algorithm has: each fault that is found has all others looked at again.
MAX_PARAMETERS = 1000
#: Parameters by name; the JSON Schema of the algorithm says which there are.
Parameters = Annotated[
    dict[str, JsonValue], Field(max_length=MAX_PARAMETERS), AfterValidator(_check_unicode)
]


def _refuse_text(value: Any) -> Any:
    if isinstance(value, str | bool):
        raise ValueError(f"must be a number, not {json.dumps(value)}")
    return value


#: A number as it is: pydantic would read one from text, and 1 from true. It stands behind the
#: bounds, which the JSON Schema would not have otherwise.
Number = BeforeValidator(_refuse_text)

RandomState = Annotated[
    int, Field(ge=0, lt=2**32, description="Seed: the same seed gives the same result."), Number
]


#: More than any body knows, so some of them are unknown.
MAX_FIELDS = 100


class RequestBody(BaseModel):
    """Unknown fields are errors, and so are numbers that JSON cannot hold."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _has_few_fields(cls, value: Any) -> Any:
        # An error for each of millions of unknown ones would take gigabytes.
        if isinstance(value, dict) and len(value) > MAX_FIELDS:
            raise ValueError(f"must have {MAX_FIELDS} fields at most, not {len(value)}")
        return value


class Answer(BaseModel):
    """Made from a row of the database or whatever has its attributes."""

    model_config = ConfigDict(from_attributes=True)


class PageAnswer(Answer):
    next_page_token: str | None = Field(
        description="Send it as page_token to get the next page; null on the last."
    )
