"""The page at ``/docs``: Swagger UI, all of it from this service, for there may be no other."""

from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parents[1] / "static"
#: No script stands in the page itself and nothing goes to another host. Swagger UI has pictures in
#: its styles.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def add_docs_page(app: FastAPI) -> None:
    """Serve the page and its files; the paths in it are relative, so any prefix will do."""
    app.add_route("/docs", _page, include_in_schema=False)
    files = StaticFiles(directory=STATIC, packages=[("fastapi_offline", "static")])
    app.mount("/docs/files", files)


async def _page(_request: Request) -> FileResponse:
    return FileResponse(STATIC / "docs.html", headers={"content-security-policy": POLICY})
