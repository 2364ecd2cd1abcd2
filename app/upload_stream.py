"""A request body that is read while it comes in."""

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator

import anyio.from_thread
import anyio.to_thread
from fastapi import Request, Response
from starlette.requests import ClientDisconnect

CLIENT_CLOSED_REQUEST = 499


class UploadStream:
    """The body in chunks, and the SHA-256 of what was read of it."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._digest = hashlib.sha256()

    def chunks(self) -> Iterator[bytes]:
        """Yield the body as it comes in, in a worker thread."""
        stream: AsyncIterator[bytes] = self._request.stream()
        while (chunk := anyio.from_thread.run(anext, stream, None)) is not None:
            self._digest.update(chunk)
            yield chunk

    def sha256(self) -> bytes:
        return self._digest.digest()


async def receive(request: Request, answer: Callable[[], Response]) -> Response:
    """Run ``answer``, which reads the body, in one of the threads of uploads."""
    limiter = request.app.state.upload_limiter
    try:
        return await anyio.to_thread.run_sync(answer, limiter=limiter)
    except ClientDisconnect:  # nobody reads the answer
        return Response(status_code=CLIENT_CLOSED_REQUEST)
