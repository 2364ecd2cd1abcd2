"""Places for long bodies: slow clients must not hold everything."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from fastapi import FastAPI

from app.errors import TooManyUploads

#: How long a request waits for a place.
WAIT_SECONDS = 30.0
RETRY_SECONDS = 30


@asynccontextmanager
async def upload_place(app: FastAPI) -> AsyncIterator[None]:
    """Hold one of the places for bodies of any length.

    Raises
    ------
    TooManyUploads
        If others hold all of them for long.
    """
    places = app.state.upload_limiter
    holder = object()
    try:
        with anyio.fail_after(WAIT_SECONDS):
            await places.acquire_on_behalf_of(holder)
    except TimeoutError as error:
        raise TooManyUploads(
            f"{places.total_tokens:.0f} other uploads, or streams of texts to predict, are under "
            "way. Send this one again when they are over.",
            retry_seconds=RETRY_SECONDS,
        ) from error
    try:
        yield
    finally:
        places.release_on_behalf_of(holder)
