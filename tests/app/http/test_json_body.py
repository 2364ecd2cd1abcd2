import anyio
import pytest
from fastapi import Request
from starlette.types import Message

from app.errors import BodyTooLarge
from app.http.json_body import json_body


def test_no_more_of_a_body_is_read_than_the_limit() -> None:
    n_read = 0

    async def receive() -> Message:
        nonlocal n_read
        n_read += 1
        return {"type": "http.request", "body": b"x" * 10, "more_body": n_read < 9}

    with pytest.raises(BodyTooLarge, match="SEEDBED_MAX_BODY_BYTES"):
        anyio.run(json_body, Request({"type": "http"}, receive), 30)
    assert n_read == 4
