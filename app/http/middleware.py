"""What surrounds every request: its id, the limit of its body, its line in the log, its metrics."""

import asyncio
import re
import time
from contextlib import suppress
from http import HTTPStatus
from uuid import uuid4

import anyio
import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import BodyStalled, BodyTooLarge, UnsupportedMediaType
from app.http.broken_off import BrokenOff
from app.http.error_responses import app_error_response, internal_error_response
from app.http.spot_route import MODEL_HEADER
from app.http.stopping import stopping
from app.metrics import RequestMetrics

CLIENT_CLOSED_REQUEST = 499
#: An id that the service made; those of documents are their owner's, who may be named in them.
OWN_ID = re.compile(r"[0-9a-f]{32}")
JOB_LOCATION = re.compile(r"/jobs/([0-9a-f]{32})\Z")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")

logger = structlog.get_logger(__name__)


class RequestContextMiddleware:
    """Gives each request an id, that of the client when it sent one, and logs how it ended."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        status = 0
        told: dict[str, str] = {}

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                told.update(_told_ids(headers))
                headers["x-request-id"] = request_id
            await send(message)

        start = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, send_with_id)
            except asyncio.CancelledError:
                # The server stops. It breaks off an answer that has begun when this returns.
                if not status:
                    answer = app_error_response(Request(scope), stopping())
                    await answer(scope, receive, send_with_id)
            except ClientDisconnect:
                status = CLIENT_CLOSED_REQUEST  # nobody is left to answer
            except BrokenOff as broken:
                # The server breaks off an answer that has begun when this returns.
                scope["problem_code"] = broken.code
            except Exception:
                logger.exception("request failed", route=_route_path(scope), **_own_ids(scope))
                if status:
                    raise  # the answer is under way: only the server can break it off
                await internal_error_response(Request(scope))(scope, receive, send_with_id)
            finally:
                self._note(scope, status, time.perf_counter() - start, told)

    def _note(self, scope: Scope, status: int, seconds: float, told: dict[str, str]) -> None:
        route = _route_path(scope)
        self.metrics.observe(scope["method"], route, status, seconds)
        log = logger.warning if status >= HTTPStatus.INTERNAL_SERVER_ERROR else logger.info
        log(
            "request",
            method=scope["method"],
            route=route,
            **(told | _own_ids(scope)),
            **({"user": scope["user"]} if "user" in scope else {}),
            status=status,
            **({"code": scope["problem_code"]} if "problem_code" in scope else {}),
            milliseconds=round(seconds * 1000, 1),
        )


class HeadMiddleware:
    """Answers HEAD as GET: the server itself leaves out the body, as it was asked with HEAD."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send(message)
            if message.get("more_body"):  # of a stream, which would go on for nobody
                await send({"type": "http.response.body"})
                raise _HeadAnswered

        as_get = {**scope, "method": "GET"}
        try:
            with suppress(_HeadAnswered, ClientDisconnect):
                await self.app(as_get, receive, send_head)
        finally:
            scope.update(as_get, method="HEAD")  # whoever logs it wants to know the route


class _HeadAnswered(OSError):
    """Ends a stream that nobody reads, as a client that is gone would."""


def _route_path(scope: Scope) -> str:
    """Return the template, not the path: paths hold ids, and the client chooses unknown ones."""
    if "route" in scope:
        return str(getattr(scope["route"], "path", "unknown"))
    # FastAPI does not tell the routes that are Starlette's own: pages and folders of files.
    endpoint = scope.get("endpoint")
    for route in scope["app"].routes if endpoint is not None else ():
        if endpoint in (getattr(route, "endpoint", None), getattr(route, "app", None)):
            return str(route.path)
    return "unknown"


def _own_ids(scope: Scope) -> dict[str, str]:
    return {
        name: value
        for name, value in scope.get("path_params", {}).items()
        if name != "document_id" and OWN_ID.fullmatch(value)
    }


def _told_ids(headers: Headers) -> dict[str, str]:
    """Return the ids in the headers of an answer: of the model that predicts, of a job made."""
    job = JOB_LOCATION.search(headers.get("location", ""))
    ids = {"model_id": headers.get(MODEL_HEADER), "job_id": job and job[1]}
    return {name: value for name, value in ids.items() if value}


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get("x-request-id", "")
    return given if REQUEST_ID.fullmatch(given) else uuid4().hex


class BodyLimitMiddleware:
    """Gives up on bodies that stop coming in, and on large or encoded ones not read as a stream.

    The framework's own limit answers in plain text, so it cannot be used here.
    """

    def __init__(self, app: ASGIApp, max_body_bytes: int, timeout_seconds: float) -> None:
        self.app = app
        self.max_body_bytes = max_body_bytes
        self.timeout_seconds = timeout_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Nobody reads the body of a GET: pages and streams look for the client alone.
        if scope["type"] != "http" or scope["method"] == "GET":
            await self.app(scope, receive, send)
            return
        n_bytes = 0
        is_complete = False

        async def receive_limited() -> Message:
            nonlocal n_bytes, is_complete
            if is_complete:  # only whether the client goes away is waited for
                return await receive()
            message = await self._receive_in_time(receive)
            is_complete = not message.get("more_body", False)
            n_bytes += len(message.get("body", b""))
            # Only after routing is it known whether the body is read as a stream.
            if n_bytes and not _is_streamed(scope):
                self._check(scope, n_bytes)
            return message

        await self.app(scope, receive_limited, send)

    def _check(self, scope: Scope, n_bytes: int) -> None:
        if n_bytes > self.max_body_bytes:
            raise BodyTooLarge(
                f"The body may have at most {self.max_body_bytes} bytes. Send less at a time, or "
                "raise SEEDBED_MAX_BODY_BYTES."
            )
        encoding = Headers(scope=scope).get("content-encoding", "").lower()
        if encoding not in {"", "identity"}:
            raise UnsupportedMediaType(
                f"Content-Encoding {encoding!r} is not decoded here. Send the body uncompressed, "
                "without this header."
            )

    async def _receive_in_time(self, receive: Receive) -> Message:
        try:
            with anyio.fail_after(self.timeout_seconds):
                return await receive()
        except TimeoutError as error:
            raise BodyStalled(
                f"Nothing of the body came in for {self.timeout_seconds:g} seconds. Send the "
                "request again.",
                headers={"connection": "close"},
            ) from error


def _is_streamed(scope: Scope) -> bool:
    """Routes that read their body themselves describe it themselves, too."""
    return "requestBody" in (getattr(scope.get("route"), "openapi_extra", None) or {})
