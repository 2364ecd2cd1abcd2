"""Who may use the service, where the settings name anybody."""

from collections.abc import Mapping
from secrets import compare_digest
from typing import Any

from fastapi.security import HTTPBasic
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import NotSignedIn
from app.http.error_responses import app_error_response, error_responses

#: What asks whether a container lives has no password, and learns nothing else.
PROBES = frozenset({"/livez", "/readyz", "/v2/health/live", "/v2/health/ready"})

SIGN_IN = HTTPBasic(realm="Seedbed", scheme_name="SignIn", auto_error=False)


class SignInMiddleware:
    """Asks for a name and a password of ``users``, before anything of a body is read.

    By HTTP Basic: every browser asks its user for both, and every client can send them. Who passes
    is ``scope["user"]``, for the log.
    """

    def __init__(self, app: ASGIApp, users: Mapping[str, str]) -> None:
        self.app = app
        self.users = users

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self.users and scope["path"] not in PROBES:
            user = await self._user(Request(scope))
            if user is None:
                await _refusal(scope)(scope, receive, send)
                return
            scope["user"] = user
        await self.app(scope, receive, send)

    async def _user(self, request: Request) -> str | None:
        try:
            given = await SIGN_IN(request)
        except HTTPException:  # what is there cannot be read
            return None
        if given is None:
            return None
        # Unknown names take as long as known ones.
        password = self.users.get(given.username, "")
        is_right = compare_digest(password.encode(), given.password.encode())
        return given.username if password and is_right else None


def _refusal(scope: Scope) -> ASGIApp:
    error = NotSignedIn(
        "Sign in with a name and a password that SEEDBED_USERS of the service has. Commands take "
        "both from SEEDBED_URL, as in http://NAME:PASSWORD@127.0.0.1:8000.",
        headers=SIGN_IN.make_authenticate_headers(),
    )
    return app_error_response(Request(scope), error)


def declare_sign_in(schema: dict[str, Any]) -> None:
    """Add to a description for OpenAPI that all but the probes ask for a name and a password."""
    name = SIGN_IN.scheme_name
    scheme = SIGN_IN.model.model_dump(mode="json", by_alias=True, exclude_none=True)
    schema["components"]["securitySchemes"] = {name: scheme}
    schema["security"] = [{name: []}]
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            if path in PROBES:
                operation["security"] = []
            else:
                headers = {"WWW-Authenticate": {"schema": {"type": "string"}}}
                refusal = {**error_responses(NotSignedIn)[401], "headers": headers}
                operation["responses"]["401"] = refusal
