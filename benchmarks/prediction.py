"""Prediction over HTTP beside the same work in-process and beside an empty route.

Needs the load generator `wrk` (Debian package of that name).
"""

import argparse
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from fastapi import FastAPI

from benchmarks import service
from core.docstring_corpus import docstring_corpus
from core.pipeline import make_text_classifier

TEXT = "confidence interval of the mean of a random sample from a distribution"

empty = FastAPI()


@empty.get("/empty")
def read_empty() -> dict[str, str]:
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--algorithms", nargs="+", default=["lgn", "prototype", "nmfpul", "lp_pul"])
    parser.add_argument("--seconds", type=int, default=5, help="length of each load run")
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("the load generator wrk is missing: apt-get install wrk")

    rows = list(docstring_corpus())
    members = [i for i, (_, _, label) in enumerate(rows) if label == "scipy.stats"]
    seeds = set(members[:10])
    documents = [{"id": name, "text": text} for name, text, _ in rows]
    texts = [text for _, text, _ in rows]
    batches = [texts[i : i + 1000] for i in range(0, len(texts) - 999, 1000)]

    print(
        "| algorithm | GET 1 client p50 / p99 ms | 32 clients p50 / p99 ms | POST docs/s | "
        "in-process docs/s | share | in-process single ms |"
    )
    print("|---|---|---|---|---|---|---|")
    with service.client() as connection:
        project_id = service.create_project(
            connection,
            [documents[i] for i in sorted(seeds)],
            [document for i, document in enumerate(documents) if i not in seeds],
        )
        for algorithm in arguments.algorithms:
            model = service.train(connection, project_id=project_id, algorithm=algorithm)
            url = httpx2.URL(
                str(connection.base_url.join("/predict")),
                params={"model_id": model["id"], "text": TEXT},
            )
            one = _load(str(url), clients=1, seconds=arguments.seconds)
            many = _load(str(url), clients=32, seconds=arguments.seconds)
            over_http = _rate(
                lambda batch, id=model["id"]: service.answer(
                    connection.post("/predict", json={"model_id": id, "texts": batch})
                ),
                batches,
            )
            pipeline = make_text_classifier(algorithm, {})
            pipeline.fit(texts, [int(i in seeds) for i in range(len(texts))])
            in_process = _rate(pipeline.decision_function, batches)
            start = time.perf_counter()
            for _ in range(50):
                pipeline.decision_function([TEXT])
            single = (time.perf_counter() - start) / 50
            print(
                f"| {algorithm} | {one} | {many} | {over_http:,.0f} | {in_process:,.0f} | "
                f"{over_http / in_process:.2f} | {single * 1000:.2f} |"
            )
    with _empty_route() as url:
        one = _load(url, clients=1, seconds=arguments.seconds)
        many = _load(url, clients=32, seconds=arguments.seconds)
        print(f"| empty route | {one} | {many} | | | | |")


def _rate(call, batches) -> float:
    call(batches[0])
    start = time.perf_counter()
    for batch in batches:
        call(batch)
    return sum(map(len, batches)) / (time.perf_counter() - start)


def _load(url: str, *, clients: int, seconds: int) -> str:
    finished = subprocess.run(
        ["wrk", "--latency", "-t1", f"-c{clients}", f"-d{seconds}s", url],
        capture_output=True,
        text=True,
        check=True,
    )
    if "Non-2xx" in finished.stdout:
        raise RuntimeError(finished.stdout)
    return " / ".join(_milliseconds(finished.stdout, share) for share in ("50%", "99%"))


def _milliseconds(report: str, share: str) -> str:
    number, unit = re.search(rf"{share}\s+([\d.]+)(us|ms|s)", report).groups()
    return f"{float(number) * {'us': 0.001, 'ms': 1, 's': 1000}[unit]:.2f}"


@contextmanager
def _empty_route() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "uvicorn",
            "benchmarks.prediction:empty",
            "--port",
            str(port),
            "--no-access-log",
            "--log-level",
            "warning",
        ],
        cwd=Path(__file__).parents[1],
    )
    url = f"http://127.0.0.1:{port}/empty"
    try:
        while True:
            try:
                httpx2.get(url)
                break
            except httpx2.TransportError:
                time.sleep(0.05)
        yield url
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
