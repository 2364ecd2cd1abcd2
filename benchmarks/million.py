"""Any number of documents from upload to ranking: the service, and scikit-learn beside it.

Documents are made of the words of real tweets, or posts, and wait in a file of NDJSON. The service
takes them in over HTTP (by default on SQLite), counts, trains, hides positives five times over to
calibrate, examines, ranks and stores. The peer is the same done with scikit-learn on a list of
strings in one process: it reads the file, counts, trains, hides positives five times over, ranks
and stores; it has neither checks, nor a database, nor examination. For lgn it is CountVectorizer
and MultinomialNB; for auto TfidfVectorizer and the linear candidates of the race, five times each.
For lgn the library alone does the same, by the same steps. Memory is sampled ten times a second:
the peak of the largest process of the service, and that of all of them together without the pages
of mapped files, which the kernel drops when it needs the room.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import psutil

from benchmarks import service
from benchmarks.made_documents import KINDS, MadeDocument, made_documents
from benchmarks.million_peer import library, peer
from benchmarks.peak import Peak
from benchmarks.speed import child

NDJSON = {"content-type": "application/x-ndjson"}
N_SEEDS = 200
FIRST = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--kind", choices=KINDS, default="short", help="tweets, or posts")
    parser.add_argument("--words", type=int, help="of each document; 20 and 190 by default")
    parser.add_argument("--algorithms", nargs="+", default=["lgn", "auto"])
    parser.add_argument("--postgresql", action="store_true", help="the service on PostgreSQL")
    parser.add_argument("--no-peer", action="store_true", help="the service alone")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="seedbed-million-") as name:
        folder = Path(name)
        made = made_documents(arguments.data, arguments.documents, arguments.kind, arguments.words)
        wanted = write_documents(made, folder)
        print(
            "| | upload s | train s | total s | largest process MB | all, without mapped files MB "
            f"| right of the first {FIRST:,} |"
        )
        print("|---|---|---|---|---|---|---|")
        with service.client(on_postgresql=arguments.postgresql) as connection:
            project_id, upload = _uploaded(connection, folder)
            for algorithm in arguments.algorithms:
                told = _trained(connection, project_id, algorithm, wanted)
                _row(f"service, {algorithm}", upload, *told[:4])
                print(f"stages of {algorithm}: {told[4]}\n", flush=True)
        if not arguments.no_peer:
            for algorithm in arguments.algorithms:
                if algorithm == "lgn":
                    _show("library, lgn", child.run(library, folder), wanted)
                _show(f"scikit-learn, {algorithm}", child.run(peer, folder, algorithm), wanted)


def _show(name: str, found: dict[str, Any] | child.Failure, wanted: set[str]) -> None:
    if isinstance(found, child.Failure):
        print(f"{name}: {found.message}")
        return
    right = sum(one in wanted for one in found["first"]) / FIRST
    _row(name, 0.0, found["seconds"], *[found["mb"]] * 2, right)
    print(f"stages of {name}: {found['stages']}\n", flush=True)


def _row(name: str, upload: float, train: float, *rest: float) -> None:
    largest, private, right = rest
    print(
        f"| {name} | {upload:.1f} | {train:.1f} | {upload + train:.1f} | {largest:,.0f} | "
        f"{private:,.0f} | {right:.3f} |",
        flush=True,
    )


def write_documents(documents: Iterable[MadeDocument], folder: Path) -> set[str]:
    """Write positives.ndjson and unlabeled.ndjson; return the ids of the hidden positives."""
    wanted = set()
    n_seeds = 0
    with (
        (folder / "positives.ndjson").open("w") as positives,
        (folder / "unlabeled.ndjson").open("w") as unlabeled,
    ):
        for number, document in enumerate(documents):
            is_seed = document.is_wanted and n_seeds < N_SEEDS
            line = json.dumps({"id": f"document-{number}", "text": document.text}) + "\n"
            (positives if is_seed else unlabeled).write(line)
            n_seeds += is_seed
            if document.is_wanted and not is_seed:
                wanted.add(f"document-{number}")
    return wanted


def _uploaded(connection: httpx2.Client, folder: Path) -> tuple[str, float]:
    project_id = service.answer(connection.post("/projects", json={"name": "million"}))["id"]
    start = time.perf_counter()
    for label in ("positives", "unlabeled"):
        url = f"/projects/{project_id}/{label}"
        body = _chunks(folder / f"{label}.ndjson")
        service.answer(connection.post(url, content=body, headers=NDJSON))
    return project_id, time.perf_counter() - start


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(lambda: file.read(2**20), b"")


def _trained(
    connection: httpx2.Client, project_id: str, algorithm: str, wanted: set[str]
) -> tuple[float, float, float, float, dict[str, Any]]:
    with Peak(_memory) as peak:
        start = time.perf_counter()
        model = service.train(connection, project_id=project_id, algorithm=algorithm)
        page = service.answer(
            connection.get(
                f"/models/{model['id']}/ranking",
                params={"label": "unlabeled", "page_size": FIRST},
            )
        )
        seconds = time.perf_counter() - start
    right = sum(document["id"] in wanted for document in page["documents"]) / FIRST
    return seconds, peak.most[0] / 1e6, peak.most[1] / 1e6, right, model["seconds"]


def _memory() -> tuple[int, int]:
    """Return the size of the largest process of the service, and that of all without files."""
    largest = private = 0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            memory = process.memory_info()
            largest = max(largest, memory.rss)
            private += memory.rss - memory.shared
    return largest, private


if __name__ == "__main__":
    main()
