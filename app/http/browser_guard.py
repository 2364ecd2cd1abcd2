"""What a browser must not be made to do to the service by pages of others."""

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import AppError, CrossSiteRequest, HostNotAllowed
from app.http.error_responses import app_error_response

#: They change nothing, and without CORS pages of others cannot read their answers.
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class BrowserGuardMiddleware:
    """Refuses foreign names of the host, and changes that pages of other sites ask for.

    The owner of a domain can have its name point to this machine (DNS rebinding): their page then
    is of one origin with this service, in the browser of whoever reads it here. Addresses and names
    without a dot belong to nobody, so they are always taken. For the rest the browser itself says
    where a request comes from (``Sec-Fetch-Site``), older ones by ``Origin``. The framework's own
    check of hosts takes lists of names only, and answers in plain text.
    """

    def __init__(self, app: ASGIApp, allowed_hosts: frozenset[str] | None) -> None:
        self.app = app
        self.allowed_hosts = allowed_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_http = scope["type"] == "http"
        error = self._error(scope["method"], Headers(scope=scope)) if is_http else None
        if error is None:
            await self.app(scope, receive, send)
        else:
            await app_error_response(Request(scope), error)(scope, receive, send)

    def _error(self, method: str, headers: Headers) -> AppError | None:
        host = headers.get("host", "")
        name = _host_name(host)
        if self.allowed_hosts is not None and not (
            _belongs_to_nobody(name) or name in self.allowed_hosts
        ):
            return HostNotAllowed(
                f"The service is not known as {name!r}. SEEDBED_ALLOWED_HOSTS lists the names "
                "under which it may be addressed, such as that of a proxy."
            )
        if method not in SAFE_METHODS and _is_cross_site(host, headers):
            return CrossSiteRequest(
                "A page of another site asked the browser for this change. Ask from a page of this "
                "service, such as /docs, or without a browser."
            )
        return None


@lru_cache
def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return host


@lru_cache
def _belongs_to_nobody(name: str) -> bool:
    if ("." not in name and ":" not in name) or name.endswith(".localhost"):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_cross_site(host: str, headers: Headers) -> bool:
    if site := headers.get("sec-fetch-site"):
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2].lower() != host.lower()
