"""The pages for browsers, all of them from this service, for there may be no other.

``/`` is for people who have documents and no program, ``/docs`` (Swagger UI) for programmers. The
paths in them are relative, so any prefix of a proxy will do.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

WEB = Path(__file__).parents[1] / "web"
#: No script stands in the pages themselves and nothing goes to another host. Swagger UI has
#: pictures in its styles.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

#: A page and its scripts are of one version: none may be older than what the service has now.
HEADERS = {"cache-control": "no-cache", "content-security-policy": POLICY}


def add_web_pages(app: FastAPI) -> None:
    """Serve both pages and their files."""
    app.add_route("/", _page("page/index.html"), include_in_schema=False)
    app.mount("/page", _Files(directory=WEB / "page"))
    app.add_route("/docs", _page("docs/docs.html"), include_in_schema=False)
    files = _Files(directory=WEB / "docs", packages=[("fastapi_offline", "static")])
    app.mount("/docs/files", files)


class _Files(StaticFiles):
    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(HEADERS)
        return response


def _page(name: str) -> Callable[[Request], Awaitable[FileResponse]]:
    async def page(_request: Request) -> FileResponse:
        return FileResponse(WEB / name, headers=HEADERS)

    return page
