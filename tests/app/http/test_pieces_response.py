from collections.abc import Generator
from typing import Any

import anyio
import pytest
from starlette.requests import ClientDisconnect

from app.http.pieces_response import PiecesResponse
from app.media_types import NDJSON

SCOPE = {"type": "http", "asgi": {"spec_version": "2.4"}}


async def _receive() -> Any:
    await anyio.sleep_forever()


def _endless(ended: list[bool]) -> Generator[bytes, None, None]:
    try:
        while True:
            yield b"1\n"
    finally:
        ended.append(True)


def test_pieces_end_with_the_client() -> None:
    ended: list[bool] = []
    # Held here, as the frames of an error hold them.
    pieces = _endless(ended)
    n_sent = 0

    async def send(_: Any) -> None:
        nonlocal n_sent
        n_sent += 1
        if n_sent == 3:
            raise OSError

    with pytest.raises(ClientDisconnect):
        anyio.run(PiecesResponse(pieces, NDJSON, {}), SCOPE, _receive, send)
    assert ended == [True]


def test_pieces_end_when_the_server_gives_up() -> None:
    ended: list[bool] = []
    pieces = _endless(ended)

    async def answer() -> None:
        with anyio.CancelScope() as scope:

            async def send(message: Any) -> None:
                if message["type"] == "http.response.body":
                    scope.cancel()
                    await anyio.sleep_forever()

            await PiecesResponse(pieces, NDJSON, {})(SCOPE, _receive, send)

    anyio.run(answer)
    assert ended == [True]
