"""The service as a client sees it, for the benchmarks."""

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from app.commands.client import ServiceFailed, answer
from app.commands.running_service import running_service, upload


@contextmanager
def client() -> Iterator[httpx2.Client]:
    """Run the real service on SQLite in a temporary folder; give a client of it."""
    with (
        tempfile.TemporaryDirectory(prefix="seedbed-benchmark-") as folder,
        running_service(Path(folder)) as url,
        httpx2.Client(base_url=url, timeout=600) as connection,
    ):
        yield connection


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
