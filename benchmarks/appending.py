"""Seconds until new documents are ranked: by the same model, and by a new training.

    python -m benchmarks.appending --data DIR [--documents 1000000]

Made documents of 20 words are uploaded as gzipped NDJSON to the real service on SQLite, 20 of them
positives, and one algorithm is trained, with its defaults. Then 1 % more are uploaded and the
ranking is brought up to date (`POST /models/{id}/ranking`); after that the algorithm is trained
again, which counts the new documents alone. Seconds are those a client waits, from the request to
the end of the job, asked for every 50 ms; the requests are made and compressed before. A ratio is
upload and job of the new documents over upload and training of the first. The second table has the
seconds of the stages of each job, which lack the start of its process. Aim: 0.03 for the ranking.
"""

import argparse
import gzip
import itertools
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx2

from benchmarks import service
from benchmarks.made_documents import MadeDocument, made_documents
from benchmarks.speed import tables

N_SEEDS = 20
SHARE_ADDED = 0.01
AIM = 0.03
NDJSON = {"content-type": "application/x-ndjson", "content-encoding": "gzip"}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--algorithm", default="lgn")
    arguments = parser.parse_args()
    n = arguments.documents
    n_added = max(1, round(SHARE_ADDED * n))
    load = f"load average {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores"
    print(f"{n:,} documents and {n_added:,} more, {arguments.algorithm}; {load}.", flush=True)
    documents = list(made_documents(arguments.data, n + n_added))
    first, added = documents[:n], documents[n:]
    wanted = (i for i, document in enumerate(first) if document.is_wanted)
    seeds = set(itertools.islice(wanted, N_SEEDS))
    positives = _lines(first[i] for i in sorted(seeds))
    pile = _lines(document for i, document in enumerate(first) if i not in seeds)
    with service.client() as connection:
        _measure(connection, arguments.algorithm, positives, pile, _lines(added))


def _measure(
    connection: httpx2.Client, algorithm: str, positives: bytes, pile: bytes, added: bytes
) -> None:
    project_id = str(service.answer(connection.post("/projects", json={"name": "made"}))["id"])
    training = "/train", {"project_id": project_id, "algorithm": algorithm}
    uploaded = _uploaded(connection, project_id, positives=positives, unlabeled=pile)
    first, seconds = _done(connection, *training)
    tables.header("what", "upload s", "job s", "together s", "ratio", "aim met")
    whole = uploaded + seconds
    tables.row("first training", uploaded, seconds, whole, "", "")
    uploaded = _uploaded(connection, project_id, unlabeled=added)
    path = f"/models/{first['result']['model_id']}/ranking"
    update, seconds = _done(connection, path, None)
    ratio = (uploaded + seconds) / whole
    tables.row("ranking updated", uploaded, seconds, uploaded + seconds, ratio, ratio <= AIM)
    again, seconds = _done(connection, *training)
    ratio = (uploaded + seconds) / whole
    tables.row("trained again", uploaded, seconds, uploaded + seconds, ratio, "")
    result = update["result"]
    print(f"\nScored for the ranking: {result['n_scored']:,} of {result['n_documents']:,}.")
    tables.header("job", "documents read", "seconds of its stages")
    for name, job in (("first", first), ("ranking", update), ("again", again)):
        _stages(connection, name, job)


def _lines(documents: Iterable[MadeDocument]) -> bytes:
    lines = b"".join(json.dumps({"text": each.text}).encode() + b"\n" for each in documents)
    return gzip.compress(lines, compresslevel=1)


def _uploaded(connection: httpx2.Client, project_id: str, **piles: bytes) -> float:
    """Upload; give the seconds."""
    start = time.perf_counter()
    for label, content in piles.items():
        path = f"/projects/{project_id}/{label}"
        service.answer(connection.post(path, content=content, headers=NDJSON))
    return time.perf_counter() - start


def _done(connection: httpx2.Client, path: str, body: Any) -> tuple[dict[str, Any], float]:
    """Ask for a job and wait for it; give it and the seconds."""
    start = time.perf_counter()
    job = service.finished(connection, service.answer(connection.post(path, json=body)))
    return job, time.perf_counter() - start


def _stages(connection: httpx2.Client, name: str, job: dict[str, Any]) -> None:
    events = service.answer(connection.get(f"/jobs/{job['id']}/events?page_size=1000"))["events"]
    data = {event["stage"]: event["data"] for event in events if "seconds" in (event["data"] or {})}
    seconds = ", ".join(f"{stage} {data[stage]['seconds']:.2f}" for stage in data)
    tables.row(name, data["vectorise"]["n_tokenised"], seconds)


if __name__ == "__main__":
    main()
