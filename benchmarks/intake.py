"""Documents per second that the real service takes in, with the memory and time of its API.

Synthetic documents of about 120 characters are streamed as gzipped NDJSON to SQLite.
"""

import argparse
import gzip
import json
import random
import time
from collections.abc import Iterator

from benchmarks import service
from benchmarks.peak import Peak

BLOCK = 10_000


def documents(n_documents: int, seed: int = 0) -> Iterator[bytes]:
    """Give blocks of gzipped lines; each is a gzip member of its own."""
    rng = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(20_000)]
    for start in range(0, n_documents, BLOCK):
        lines = [
            json.dumps({"id": f"document-{i}", "text": " ".join(rng.choices(words, k=17))})
            for i in range(start, min(start + BLOCK, n_documents))
        ]
        yield gzip.compress("\n".join([*lines, ""]).encode(), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    n_documents = parser.parse_args().documents

    body = list(documents(n_documents))  # made before, so that the service alone is measured
    headers = {"content-type": "application/x-ndjson", "content-encoding": "gzip"}
    with service.client() as client:
        project_id = service.answer(client.post("/projects", json={"name": "benchmark"}))["id"]
        api = service.api_process()
        idle_bytes = api.memory_info().rss
        with Peak(lambda: [api.memory_info().rss]) as peak:
            cpu_start, start = sum(api.cpu_times()[:2]), time.perf_counter()
            answer = client.post(
                f"/projects/{project_id}/unlabeled", content=iter(body), headers=headers
            )
            seconds = time.perf_counter() - start
            cpu_seconds = sum(api.cpu_times()[:2]) - cpu_start
        report = service.answer(answer)

    assert report["inserted"] == n_documents, report
    print(f"{n_documents / seconds:,.0f} documents/s ({seconds:.1f} s in all)")
    print(f"{n_documents / cpu_seconds:,.0f} documents per CPU second ({cpu_seconds:.1f} s)")
    print(f"peak {peak.most[0] / 1e6:.0f} MB resident, {idle_bytes / 1e6:.0f} MB before")


if __name__ == "__main__":
    main()
