"""Milliseconds of a page of a long ranking over HTTP, and how fast the whole of it is exported.

Documents, a few labels and the file of a ranking are written straight through the repositories of
the service, on SQLite; scores are drawn at random. Then the service is started on them. "first ms"
is the first request of its kind, then come the least, the median and the most of those after it:
all of pages of 50. The first request of all compares the file with its SHA-256, and is told apart.
"private MB" is what the processes of the service hold beside mapped files, "resident MB" counts
the mapped pages, too.
"""

import argparse
import hashlib
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import psutil

from app import migrate
from app.artifacts import Artifacts
from app.commands.running_service import running_service
from app.database import Database
from app.job_kinds import JobKind, JobStatus
from app.orm import Label, Model, Project
from app.repositories.documents import DocumentRepository
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.ranking import ranking_file
from app.services.training.calibrating import COLUMNS
from app.settings import Settings
from benchmarks.speed import tables

N_LABELED = 200
ROWS_AT_A_TIME = 50_000
N_REQUESTS = 21
TEXT = "made document number {}, of about the length of a short message, so that the row is a row"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000_000)
    parser.add_argument(
        "--export", type=int, default=1_000_000, help="rows exported, from the end of the ranking"
    )
    arguments = parser.parse_args()
    n = arguments.documents
    print(f"Load average {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores.", flush=True)
    with tempfile.TemporaryDirectory(prefix="seedbed-paging-") as name:
        folder = Path(name)
        start = time.perf_counter()
        model = _made(folder, n)
        print(f"{n:,} documents, written in {time.perf_counter() - start:.0f} s; ranking file:")
        print(f"{model.ranking_file['size'] / 1e6:.0f} MB", flush=True)
        with (
            running_service(folder) as url,
            httpx2.Client(base_url=url, timeout=600) as connection,
        ):
            path = f"/models/{model.id}/ranking"
            _memory("before")
            seconds = _seconds(connection, path, {})
            print(f"first request of all, with the SHA-256 of the file: {seconds * 1000:.0f} ms")
            _pages(connection, path, n)
            _memory("after the pages")
            _exports(connection, path, n, min(n, arguments.export))


def _made(folder: Path, n: int) -> Model:
    """Write what the service is to find; return the model, detached."""
    settings = Settings(
        database_url=f"sqlite:///{folder / 'seedbed.db'}",
        artifacts_url=str(folder / "artifacts"),
        cache_directory=folder / "cache",
    )
    database = Database(settings.database_url)
    migrate.upgrade(database)
    with database.writing.begin() as session:
        project_id = ProjectRepository(session).add(Project(name="paging")).id
        job = JobRepository(session).add(project_id, JobKind.TRAIN, {})
        job.status = JobStatus.SUCCEEDED  # or the worker of the service would take it
        job_id = job.id
    for start in range(0, n, ROWS_AT_A_TIME):
        with database.writing.begin() as session:
            rows = list(_rows(range(start, min(start + ROWS_AT_A_TIME, n)), n))
            DocumentRepository(session).insert(project_id, rows)
    random = np.random.default_rng(0)
    columns: dict[str, Any] = {"scores": random.standard_normal(n)}
    for column in COLUMNS:
        columns[column] = random.random(n, dtype=np.float32)
    artifacts = Artifacts(settings.artifacts_url, settings.cache_directory)
    write = partial(ranking_file.write, np.arange(1, n + 1), columns)
    file = artifacts.save("rankings/paging", write)
    model = Model(
        id="paging",
        project_id=project_id,
        job_id=job_id,
        algorithm="random_ranking",
        card={"offset": 0.0, "ranking": {"revision": 0}},
        file=file,
        ranking_file=file,
    )
    with database.writing.begin() as session:
        ModelRepository(session).add(model)
        session.flush()
        session.expunge(model)
    database.close()
    return model


def _rows(numbers: range, n: int) -> Iterator[dict[str, Any]]:
    every = max(n // N_LABELED, 1)
    for i in numbers:
        text = TEXT.format(i)
        yield {
            "id": f"d{i:09}",
            "text": text,
            "digest": hashlib.blake2b(text.encode(), digest_size=16).digest(),
            "label": Label.POSITIVE if i % every == 0 else Label.UNLABELED,
            "metadata": None,
            "vector_code": None,
        }


def _pages(connection: httpx2.Client, path: str, n: int) -> None:
    tables.header("asked", "first ms", "least ms", "median ms", "most ms")
    filters: list[dict[str, Any]] = [
        {},
        {"label": "unlabeled"},
        {"label": "positive"},
        {"min_score": 0},
    ]
    for filtered in filters:
        end = n // 2 if "min_score" in filtered else n
        for rank in (1, end // 2, end - 50):
            asked = {**filtered, "start_rank": max(rank, 1)}
            times = [_seconds(connection, path, asked) * 1000 for _ in range(N_REQUESTS)]
            words = " ".join(f"{name}={value}" for name, value in asked.items())
            rest = times[1:]
            tables.row(words, times[0], min(rest), statistics.median(rest), max(rest))


def _seconds(connection: httpx2.Client, path: str, asked: dict[str, Any]) -> float:
    start = time.perf_counter()
    connection.get(path, params=asked).raise_for_status()
    return time.perf_counter() - start


def _exports(connection: httpx2.Client, path: str, n: int, n_rows: int) -> None:
    tables.header("export", "rows", "s", "rows/s", "MB")
    for media_type in ("application/x-ndjson", "text/csv"):
        start, n_bytes, n_lines = time.perf_counter(), 0, 0
        asked = {"start_rank": n - n_rows + 1}
        with connection.stream("GET", path, params=asked, headers={"accept": media_type}) as answer:
            answer.raise_for_status()
            for chunk in answer.iter_bytes():
                n_bytes += len(chunk)
                n_lines += chunk.count(b"\n")
        seconds = time.perf_counter() - start
        tables.row(media_type, n_lines, seconds, n_lines / seconds, n_bytes / 1e6)
        _memory(f"after {media_type}")


def _memory(when: str) -> None:
    held = [process.memory_info() for process in psutil.Process().children(recursive=True)]
    private = sum(memory.rss - getattr(memory, "shared", 0) for memory in held) / 1e6
    resident = max(memory.rss for memory in held) / 1e6
    print(f"{when}: {private:.0f} private MB in {len(held)} processes, ", end="")
    print(f"{resident:.0f} resident MB in the largest", flush=True)


if __name__ == "__main__":
    main()
