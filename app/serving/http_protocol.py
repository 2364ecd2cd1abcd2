"""How the server reads HTTP: what a request may take, and how long."""

from asyncio import TimerHandle, Transport

import structlog
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.errors import AppError, HeadersTooLarge, UnreadableRequest
from app.http.error_responses import app_error_response

#: Of the URL and the headers together.
MAX_HEAD_BYTES = 2**16
HEAD_SECONDS = 30.0
#: How long the rest of a body is read, for nothing, that was answered before all of it came.
UNREAD_SECONDS = 30.0

logger = structlog.get_logger(__name__)


class HttpProtocol(HttpToolsProtocol):
    """That of uvicorn, which has no such limits and answers what is not HTTP in plain text.

    Uvicorn ends its wait for another request for good when anything of a body comes in that was
    answered before, such as one that was refused for its password.
    """

    _timer: TimerHandle
    #: Came in since a request began, or since a piece of its body.
    _n_bytes = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn, too
        super().connection_made(transport)
        self._timer = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)

    def data_received(self, data: bytes) -> None:
        self._n_bytes += len(data)
        super().data_received(data)
        if self._n_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._n_bytes = 0
        self._timer.cancel()
        self._timer = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)

    def on_headers_complete(self) -> None:
        self._timer.cancel()
        self._n_bytes = len(self.url) + sum(len(n) + len(v) + 4 for n, v in self.headers)
        if self._n_bytes > MAX_HEAD_BYTES:
            raise ValueError  # stops the parser, which has ``send_400_response`` called
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._n_bytes = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        is_unread = self.cycle.more_body
        super().on_response_complete()
        if is_unread:  # until another request begins
            self._timer.cancel()
            self._timer = self.loop.call_later(UNREAD_SECONDS, self.timeout_keep_alive_handler)

    def send_400_response(self, msg: str) -> None:
        error: AppError = UnreadableRequest("What was sent could not be read as HTTP/1.1.")
        if self._n_bytes > MAX_HEAD_BYTES:
            error = HeadersTooLarge(f"Together they may have {MAX_HEAD_BYTES} bytes at most.")
        logger.warning("request refused", status=error.status, code=error.code())
        answer = app_error_response(None, error)
        headers = [
            *self.server_state.default_headers,
            *answer.raw_headers,
            (b"connection", b"close"),
        ]
        lines = [STATUS_LINE[error.status], *(b"%s: %s\r\n" % header for header in headers)]
        self.transport.write(b"".join([*lines, b"\r\n", bytes(answer.body)]))
        self.transport.close()
