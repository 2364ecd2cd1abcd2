"""The answer that tells of an error, as application/problem+json (RFC 9457)."""

import json
from typing import Any

from fastapi.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from app.media_types import PROBLEM


class ProblemResponse(JSONResponse):
    """The code of its body is ``scope["problem_code"]``, for the log."""

    media_type = PROBLEM

    def __init__(self, problem: dict[str, Any], status: int, headers: dict[str, str]) -> None:
        super().__init__(problem, status, headers)
        self._code = problem["code"]

    def render(self, content: Any) -> bytes:
        # ASCII, because a pointer may name a field that is not valid Unicode.
        return json.dumps(content).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["problem_code"] = self._code
        await super().__call__(scope, receive, send)


def problem_body(
    status: int,
    code: str,
    title: str,
    detail: str,
    *,
    instance: str | None = None,
    errors: list[dict[str, Any]] | None = None,
    extensions: dict[str, Any] | None = None,
) -> dict[str, Any]:
    # Clients of the Open Inference Protocol read the member `error` of any answer.
    error = detail if f"{instance}/".startswith("/v2/") else None
    optional = {"instance": instance, "errors": errors, "error": error}
    return {
        **(extensions or {}),
        "type": f"urn:seedbed:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        **{name: value for name, value in optional.items() if value is not None},
    }
