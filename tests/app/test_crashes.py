"""Whatever process is killed at whatever moment: what was accepted is done, once."""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest

from app.commands.running_service import running_service
from tests.app.processes import PATIENCE

N_JOBS = 8
N_KILLS = 4
#: Half a minute is enough, but for a machine that has much else to do.
DEADLINE_SECONDS = 10 * PATIENCE
TABLE: dict[str, Any] = {
    "params": {"label_column": "kind", "positive": "1"},
    "content": "a,kind\n" + "".join(f"{i},{i % 2}\n" for i in range(5000)),
    "headers": {"content-type": "text/csv"},
}


@pytest.fixture
def service_url(tmp_path: Path, empty_database_url: str) -> Iterator[str]:
    changes = {"job_lease_seconds": 2, "job_renew_seconds": 0.3, "job_poll_seconds": 0.05}
    with running_service(tmp_path, database_url=empty_database_url, **changes) as url:
        yield url


def patiently(request: Callable[[], httpx2.Response], deadline: float) -> Any:
    """Repeat a request until the API, which may be dead just now, answers it."""
    while True:
        try:
            response = request()
        except httpx2.TransportError:
            assert time.monotonic() < deadline, "the API did not come back"
            time.sleep(0.05)
            continue
        assert response.is_success, response.text
        return response.json()


def trainings(client: httpx2.Client, deadline: float) -> list[dict[str, Any]]:
    asked = {"kind": "train", "page_size": 100}
    return list(patiently(lambda: client.get("/jobs", params=asked), deadline)["jobs"])


def is_ended(job: dict[str, Any]) -> bool:
    return job["status"] not in ("queued", "running")


def is_at_its_last(job: dict[str, Any]) -> bool:
    """Tell whether a job is in its last attempt, or may soon be."""
    return not is_ended(job) and job["attempt"] + 1 >= job["max_attempts"]


def victims() -> dict[str, list[psutil.Process]]:
    """Give the processes of the service, by what they are."""
    found: dict[str, list[psutil.Process]] = {"api": [], "worker": [], "child": []}
    for process in psutil.Process(os.getpid()).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            command, parent = process.cmdline()[-1:], process.parent()
            if command in (["api"], ["worker"]):
                found[command[0]].append(process)
            elif parent is not None and "forkserver" in " ".join(parent.cmdline()):
                found["child"].append(process)
    return found


def kill_one(rng: random.Random) -> str:
    """Kill a process of the service; return what it was."""
    while True:
        alive = {kind: found for kind, found in victims().items() if found}
        kind = rng.choice(sorted(alive))
        with suppress(psutil.NoSuchProcess):  # it ended a moment ago
            rng.choice(alive[kind]).kill()
            return kind


def documents(topic: str, start: int, n: int) -> list[dict[str, str]]:
    rng = random.Random(f"{topic} {start}")
    words = {"flood": "water river rain bank dam", "other": "goal match score team coach"}[topic]
    return [
        {"id": f"{topic}-{i}", "text": " ".join(rng.choices(words.split(), k=12)) + f" w{i}"}
        for i in range(start, start + n)
    ]


def test_jobs_survive_random_kills(service_url: str, empty_database_url: str) -> None:
    # At other moments on each database.
    rng = random.Random(empty_database_url.partition(":")[0])
    deadline = time.monotonic() + DEADLINE_SECONDS
    kills: Counter[str] = Counter()
    with httpx2.Client(base_url=service_url, timeout=30) as client:
        post = client.post
        project = patiently(lambda: post("/projects", json={"name": "crashes"}), deadline)["id"]
        path = f"/projects/{project}"
        seeds = {"documents": documents("flood", 0, 10)}
        patiently(lambda: post(f"{path}/positives", json=seeds), deadline)
        pile = {"documents": documents("flood", 10, 40) + documents("other", 0, 150)}
        patiently(lambda: post(f"{path}/unlabeled", json=pile), deadline)

        jobs = []
        for i in range(N_JOBS):
            algorithm = ["lgn", "prototype"][i % 2]
            body = {"project_id": project, "algorithm": algorithm, "calibrate": False}
            key = {"idempotency-key": f"job-{i}"}
            job = patiently(lambda b=body, k=key: post("/train", json=b, headers=k), deadline)
            jobs.append(job["id"])
            more = {"documents": documents("other", 1000 + 10 * i, 10)}
            patiently(lambda m=more: post(f"{path}/unlabeled", json=m), deadline)
            key = {"idempotency-key": f"table-{i}"}
            table = {**TABLE, "headers": {**TABLE["headers"], **key}}
            patiently(lambda t=table: post("/tables", **t), deadline)
            if i % 2 == 0 and sum(kills.values()) < N_KILLS:
                # One that dies at its last attempt has failed, as it should.
                while any(map(is_at_its_last, trainings(client, deadline))):
                    assert time.monotonic() < deadline, "a last attempt does not end"
                    time.sleep(0.05)
                kills[kill_one(rng)] += 1

        ended: dict[str, Any] = {}
        while len(ended) < N_JOBS:
            assert time.monotonic() < deadline, f"{N_JOBS - len(ended)} jobs did not end; {kills}"
            ended = {job["id"]: job for job in trainings(client, deadline) if is_ended(job)}
            time.sleep(0.1)

        others = [job for job in ended.values() if job["status"] != "succeeded"]
        assert not others, f"{others}; {kills}"
        models = patiently(
            lambda: client.get("/models", params={"project_id": project, "page_size": 1000}),
            deadline,
        )["models"]
        assert sorted(model["job_id"] for model in models) == sorted(jobs)
        tables = client.get("/tables").json()["tables"]
        assert len(tables) == N_JOBS
        assert {table["n_rows"] for table in tables} == {5000}
        pages = client.get(f"{path}/documents", params={"page_size": 1000}).json()
        accepted = documents("flood", 0, 50) + documents("other", 0, 150)
        for i in range(N_JOBS):
            accepted += documents("other", 1000 + 10 * i, 10)
        texts = {document["id"]: document["text"] for document in pages["documents"]}
        assert set(texts) == {document["id"] for document in accepted}
        assert texts["other-1000"] == documents("other", 1000, 10)[0]["text"]
    assert sum(kills.values()) == N_KILLS
