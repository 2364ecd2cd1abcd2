"""A body of JSON that a route reads by hand."""

from collections.abc import AsyncIterator
from typing import Any, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from app.media_types import JSON
from app.services.intake import decoding

Body = TypeVar("Body", bound=BaseModel)


async def chunks(request: Request, max_bytes: int, setting: str) -> AsyncIterator[bytes]:
    """Yield a body as it comes in, as long as a setting allows; a slow client holds no thread."""
    n_bytes = 0
    async for chunk in request.stream():
        n_bytes += len(chunk)
        if n_bytes > max_bytes:
            raise decoding.too_large(max_bytes, setting)
        yield chunk


async def json_body(request: Request, max_bytes: int) -> bytes:
    """Return a whole body, as it was sent."""
    return b"".join([chunk async for chunk in chunks(request, max_bytes, decoding.MAX_BODY)])


def parse(body_type: type[Body], body: bytes, encoding: str, max_bytes: int) -> Body:
    """Return what a body asks for.

    Raises
    ------
    UnreadableBody, BodyTooLarge
    RequestValidationError
        If it is not JSON, or not of its type.
    """
    pieces = decoding.decoded(
        iter([body]),
        media_type=JSON,
        encoding=encoding,
        max_bytes=max_bytes,
        setting=decoding.MAX_BODY,
    )
    try:
        return body_type.model_validate_json(b"".join(pieces))
    except ValidationError as error:
        errors: list[Any] = [
            {**e, "loc": ("body", *e["loc"]), "body_type": body_type}
            for e in error.errors(include_url=False)
        ]
        raise RequestValidationError(errors) from error
