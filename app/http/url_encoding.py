"""URLs whose escapes are not UTF-8, which the framework would silently take for another text."""

from urllib.parse import unquote, unquote_to_bytes

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import InvalidRequest
from app.http.error_responses import app_error_response


class UrlEncodingMiddleware:
    """Refuses URLs that are not UTF-8."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = _error(scope) if scope["type"] == "http" else None
        if error is None:
            await self.app(scope, receive, send)
        else:
            await app_error_response(Request(scope), error)(scope, receive, send)


def _error(scope: Scope) -> InvalidRequest | None:
    path, query = scope.get("raw_path", b""), scope["query_string"]
    if _is_utf8(path) and _is_utf8(query):
        return None
    parts = [("path", path), *((_pointer(part), part) for part in query.split(b"&"))]
    errors = [
        {"pointer": pointer, "detail": _detail(part)}
        for pointer, part in parts
        if not _is_utf8(part)
    ]
    return InvalidRequest.of(errors)


def _is_utf8(part: bytes) -> bool:
    try:
        unquote_to_bytes(part).decode()
    except UnicodeDecodeError:
        return False
    return True


def _pointer(parameter: bytes) -> str:
    return "?" + unquote(parameter.partition(b"=")[0].replace(b"+", b" "))


def _detail(part: bytes) -> str:
    return (
        f"{part[:100].decode(errors='replace')} is not UTF-8 with each byte escaped, as %C3%A9 for "
        "é. In Python, urllib.parse.quote writes it so; curl does with -G --data-urlencode."
    )
