"""Answers in pieces, of any length."""

from collections.abc import Generator, Mapping

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send


class PiecesResponse(StreamingResponse):
    """Ends its pieces when the client is gone: what they hold would wait for the next clean-up.

    That is Python's own, of what refers to itself, which an idle process may not do for minutes.
    """

    def __init__(
        self, pieces: Generator[bytes, None, None], media_type: str, headers: Mapping[str, str]
    ) -> None:
        super().__init__(pieces, media_type=media_type, headers=headers)
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await run_in_threadpool(self._pieces.close)
