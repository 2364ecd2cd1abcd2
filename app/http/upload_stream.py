"""A request body that is read while it comes in."""

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Annotated, NoReturn

import anyio
import anyio.from_thread
import anyio.to_thread
from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy.orm import Session
from starlette.requests import ClientDisconnect

from app.database import DATABASE_ERRORS, Database
from app.errors import AppError
from app.http.dependencies import DatabaseDep, IdempotencyKeyDep, SettingsDep
from app.http.once import Once, fingerprint
from app.http.stopping import stopping
from app.http.upload_places import upload_place
from app.orm import new_id
from app.repositories.idempotency import IdempotencyRepository
from app.services import idempotency
from app.services.intake import decoding, intake
from app.services.renewing import renewing

#: Chunks that are taken in before they are asked for.
MAX_AHEAD = 16
#: How often an upload renews the reservation of its key.
RENEW_SECONDS = idempotency.LEASE.total_seconds() / 6


class UploadStream:
    """The body in chunks, and the SHA-256 of what was read of it."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._digest = hashlib.sha256()
        self._ahead: deque[bytes] = deque()
        self._is_complete = False
        self._n_read = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: anyio.CancelScope | None = None
        self._stopped_by: AppError | None = None

    def chunks(self) -> Iterator[bytes]:
        """Yield the body as it comes in, in a worker thread.

        Raises
        ------
        AppError
            That of ``stop``.
        """
        while self._ahead or not self._is_complete:
            if not self._ahead:
                anyio.from_thread.run(self._receive)
            if self._stopped_by is not None:
                raise self._stopped_by
            chunk = self._ahead.popleft()
            self._digest.update(chunk)
            self._n_read += len(chunk)
            yield chunk

    def share_read(self) -> float | None:
        """Return the share of the body that was read; None if its length is not told."""
        length = self._request.headers.get("content-length")
        return min(1.0, self._n_read / int(length)) if length and int(length) else None

    def stop(self, reason: AppError) -> None:
        """Let ``chunks`` end, from another thread, even while it waits for the client."""
        self._stopped_by = reason
        if self._loop is not None:
            # There, because by then it waits in the scope that is the present one.
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def check_client(self) -> None:
        """Break off if the client is gone: nothing else tells while a small body unpacks to much.

        Raises
        ------
        ClientDisconnect
        """
        if len(self._ahead) < MAX_AHEAD:
            anyio.from_thread.run(self._look_ahead)

    async def _look_ahead(self) -> None:
        with anyio.CancelScope() as scope:
            scope.cancel()  # what is not there yet is not waited for
            await self._receive()

    async def _receive(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self._stopped_by is not None:
            return
        with anyio.CancelScope() as scope:
            self._waiting = scope
            message = await self._request.receive()
        if scope.cancelled_caught:
            return
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        self._is_complete = not message.get("more_body", False)
        self._ahead.append(message.get("body", b""))

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

    def body(self, max_bytes: int, setting: str = decoding.MAX_UPLOAD) -> Iterator[bytes]:
        """Yield the body without its encoding, while the client is there.

        Raises
        ------
        UnreadableBody, BodyTooLarge
        """
        length = self.request.headers.get("content-length", "0")
        if self.encoding == "identity" and int(length) > max_bytes:
            raise decoding.too_large(max_bytes, setting)
        pieces = decoding.decoded(
            self.stream.chunks(),
            media_type=self.media_type,
            encoding=self.encoding,
            max_bytes=max_bytes,
            setting=setting,
        )
        for piece in pieces:
            if self.encoding != "identity":
                self.stream.check_client()
            yield piece


class StreamedOnce:
    """``Once`` for a streamed request: whether it is the same is known when it has been read."""

    def __init__(self, request: Request, database: DatabaseDep, key: IdempotencyKeyDep) -> None:
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

        ``read`` reads the stream, in transactions of its own.

        Raises
        ------
        IdempotencyKeyInUse
        """
        if self._key is None:
            create = read()
            with self._database.writing.begin() as session:
                return create(session)
        holder = new_id()
        with self._database.writing.begin() as session:
            is_first = idempotency.begin(session, self._key, holder)
        if not is_first:
            for _ in decoding.counted(stream.chunks(), max_bytes):
                pass  # only the digest is wanted
            with self._database.writing.begin() as session:
                return self._once(session, stream).respond(_refuse_expired)
        with held(self._database, self._key, holder):
            create = read()
            with self._database.writing.begin() as session:
                once = self._once(session, stream)
                idempotency.settle(session, self._key, holder, once.fingerprint)
                return once.keep(create)

    def _once(self, session: Session, stream: UploadStream) -> Once:
        return Once(session, self._key, fingerprint(self._request, stream.sha256()))


def _refuse_expired(_: Session) -> NoReturn:
    raise idempotency.in_use("The kept answer has just expired.")


@contextmanager
def held(database: Database, key: str, holder: str) -> Iterator[None]:
    """Renew the reservation of a key while the work lasts; where that fails, give it up."""

    def renew() -> None:
        with database.writing.begin() as session:
            IdempotencyRepository(session).renew(key, holder)

    try:
        with renewing(RENEW_SECONDS, renew):
            yield
    except BaseException:
        # If the database is gone, the reservation ends by itself.
        with suppress(*DATABASE_ERRORS), database.writing.begin() as session:
            IdempotencyRepository(session).release(key, holder)
        raise


StreamedOnceDep = Annotated[StreamedOnce, Depends()]


async def receive(upload: StreamedUpload, answer: Callable[[], Response]) -> Response:
    """Run ``answer``, which reads the body, in one of the threads of uploads.

    Raises
    ------
    TooManyUploads
        If slow clients hold all places for long.
    NotReady
        If the server stops; what came before is stored.
    """
    async with upload_place(upload.request.app):
        one = anyio.CapacityLimiter(1)
        work = asyncio.ensure_future(anyio.to_thread.run_sync(answer, limiter=one))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            upload.stream.stop(stopping())
            return await work
