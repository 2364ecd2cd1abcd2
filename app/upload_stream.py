"""A request body that is read while it comes in."""

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, NoReturn

import anyio.from_thread
import anyio.to_thread
from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy.orm import Session
from starlette.requests import ClientDisconnect

from app.dependencies import DatabaseDep, IdempotencyKeyDep, Once, SettingsDep, fingerprint
from app.errors import DatabaseUnavailable
from app.services import decoding, idempotency, intake

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


@dataclass(kw_only=True)
class StreamedUpload:
    """A request whose body is read while it comes in."""

    request: Request
    settings: SettingsDep

    find_media_type = staticmethod(intake.find_media_type)

    def __post_init__(self) -> None:
        headers = self.request.headers
        self.media_type = self.find_media_type(headers.get("content-type", ""))
        self.encoding = decoding.find_encoding(headers.get("content-encoding", ""))
        self.stream = UploadStream(self.request)


class StreamedOnce:
    """``Once`` for a streamed request: whether it is the same is known when it has been read."""

    def __init__(
        self, request: Request, database: DatabaseDep, key: IdempotencyKeyDep = None
    ) -> None:
        self._request = request
        self._database = database
        self._key = key

    def respond(
        self,
        stream: UploadStream,
        max_bytes: int,
        read: Callable[[], Callable[[Session], JSONResponse]],
    ) -> JSONResponse:
        """Return the answer kept before, or else that of what ``read`` returns.

        ``read`` reads the stream, in transactions of its own: to do that twice does no harm.
        """
        if self._is_known():
            for _ in decoding.counted(stream.chunks(), max_bytes):
                pass  # only the digest is wanted
            create: Callable[[Session], JSONResponse] = _refuse_expired
        else:
            create = read()
        digest = fingerprint(self._request, stream.sha256())
        with self._database.writing.begin() as session:
            return Once(session, self._key, digest).respond(create)

    def _is_known(self) -> bool:
        if self._key is None:
            return False
        with self._database.reading() as session:
            return idempotency.is_known(session, self._key)


def _refuse_expired(_: Session) -> NoReturn:
    raise DatabaseUnavailable("The kept answer has just expired. Send the request again.")


StreamedOnceDep = Annotated[StreamedOnce, Depends()]


async def receive(request: Request, answer: Callable[[], Response]) -> Response:
    """Run ``answer``, which reads the body, in one of the threads of uploads."""
    limiter = request.app.state.upload_limiter
    try:
        return await anyio.to_thread.run_sync(answer, limiter=limiter)
    except ClientDisconnect:  # nobody reads the answer
        return Response(status_code=CLIENT_CLOSED_REQUEST)
