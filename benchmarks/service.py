"""The service as a client sees it, for the benchmarks."""

import gzip
import json
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from app.commands.demo import running_service


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
        lines = b"".join(json.dumps(document).encode() + b"\n" for document in documents)
        answer(
            connection.post(
                f"/projects/{project_id}/{label}",
                content=gzip.compress(lines, compresslevel=1),
                headers={"content-type": "application/x-ndjson", "content-encoding": "gzip"},
            )
        )
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
        raise RuntimeError(f"the job ended as {job['status']}: {job['error']}")
    return job


def answer(response: httpx2.Response) -> Any:
    if response.is_error:
        raise RuntimeError(response.text)
    return response.json()
