"""Prediction over HTTP beside the same work in-process, an empty route, and MLServer.

    python -m benchmarks.prediction [--mlserver PYTHON]

Measured on the docstrings of the installed packages, on SQLite, models loaded before:

- GET: a text of 70 characters, with one client and with 32; beside it `/livez` of the same service,
  a route that does nothing, measured right before.
- POST: 1,000 texts in a request, one client; in-process: `score_samples` of the same model on the
  same texts, in the process of the benchmark, for as long. Each run is repeated, here and there;
  the least median counts.
- Stream: NDJSON, 200,000 lines, all sent before the first answer is read; most memory that the API
  process held for itself (pages of files aside) before and while it answers.
- MLServer: counts, tf-idf and logistic regression of scikit-learn, by its own protocol (V2), in one
  process. PYTHON is that of a virtual environment with `mlserver` and `mlserver-sklearn`.

Needs the load generator `wrk` (Debian package of that name).
"""

import argparse
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil

from benchmarks import service
from benchmarks.peak import Peak
from core.docstring_corpus import docstring_corpus
from core.pipeline import make_text_classifier

TEXT = "confidence interval of the mean of a random sample from a distribution"
BATCH = 1000
STREAM_LINES = 200_000
PEER = Path(__file__).with_name("mlserver_peer.py")
JSON = {"content-type": "application/json"}
NDJSON = {"content-type": "application/x-ndjson"}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ["lgn", "prototype", "seed_expansion", "lp_pul"]
    parser.add_argument("--algorithms", nargs="+", default=names)
    parser.add_argument("--seconds", type=int, default=3, help="length of each load run")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--mlserver", metavar="PYTHON", help="Python of an environment with it")
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("the load generator wrk is missing: apt-get install wrk")

    rows = list(docstring_corpus())
    seeds = {i for i, (_, _, label) in enumerate(rows) if label == "scipy.stats"}
    seeds = set(sorted(seeds)[:10])
    texts = [text for _, text, _ in rows]
    load = Load(arguments.seconds, arguments.repeats)
    print(
        "| server | GET p50 / p99 ms | empty route | times | 32 clients p50 / p99 ms | "
        "POST docs/s | in-process docs/s | share |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with service.client() as connection:
        documents = [{"id": name, "text": text} for name, text, _ in rows]
        project_id = service.create_project(
            connection,
            [documents[i] for i in sorted(seeds)],
            [document for i, document in enumerate(documents) if i not in seeds],
        )
        for algorithm in arguments.algorithms:
            model = service.train(connection, project_id=project_id, algorithm=algorithm)
            show(connection, model, seeds, texts, load)
        show_stream(connection, str(model["id"]), texts)
    if arguments.mlserver:
        show_mlserver(arguments.mlserver, seeds, texts, load)


class Load:
    """Runs of the load generator; of equal ones, the one with the least median counts."""

    def __init__(self, seconds: int, n_repeats: int) -> None:
        self.seconds = seconds
        self.n_repeats = n_repeats

    def latency(
        self, url: str, *, clients: int = 1, body: str | None = None
    ) -> tuple[float, float]:
        """Return median and 99th percentile in milliseconds."""
        return min(self._run(url, clients, body) for _ in range(self.n_repeats))

    def median_seconds(self, function: Callable[[list[str]], Any], texts: list[str]) -> float:
        """Return the least median of a call in this process, of runs as long as those of HTTP."""
        return min(self._median_of_run(function, texts) for _ in range(self.n_repeats))

    def _median_of_run(self, function: Callable[[list[str]], Any], texts: list[str]) -> float:
        end, seconds = time.perf_counter() + self.seconds, []
        while time.perf_counter() < end:
            seconds.append(_seconds(function, texts))
        return statistics.median(seconds)

    def _run(self, url: str, clients: int, body: str | None) -> tuple[float, float]:
        command = ["wrk", "--latency", "-t1", f"-c{clients}", f"-d{self.seconds}s"]
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            if body is not None:
                script.write(
                    'wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\n'
                )
                script.write(f"wrk.body = [==[{body}]==]\n")
                script.flush()
                command += ["-s", script.name]
            report = subprocess.run([*command, url], capture_output=True, text=True, check=True)
        if "Non-2xx" in report.stdout or "Socket errors" in report.stdout:
            raise RuntimeError(report.stdout)
        return _milliseconds(report.stdout, "50%"), _milliseconds(report.stdout, "99%")


def show(
    connection: httpx2.Client,
    model: dict[str, Any],
    seeds: set[int],
    texts: list[str],
    load: Load,
) -> None:
    base = str(connection.base_url).rstrip("/")
    url = str(httpx2.URL(f"{base}/predict", params={"model_id": model["id"], "text": TEXT}))
    batch = texts[:BATCH]
    empty, _ = load.latency(f"{base}/livez")
    one = load.latency(url)
    many = load.latency(url, clients=32)
    body = json.dumps({"model_id": model["id"], "texts": batch})
    # The first request loads compiled code.
    service.answer(connection.post("/predict", content=body, headers=JSON))
    over_http = BATCH / load.latency(f"{base}/predict", body=body)[0] * 1000
    pipeline = make_text_classifier(model["algorithm"])
    pipeline.fit(texts, [int(i in seeds) for i in range(len(texts))])
    in_process = BATCH / load.median_seconds(pipeline.score_samples, batch)
    print(
        f"| {model['algorithm']} | {_both(one)} | {empty:.2f} | {one[0] / empty:.2f} | "
        f"{_both(many)} | {over_http:,.0f} | {in_process:,.0f} | {over_http / in_process:.2f} |",
        flush=True,
    )


def show_stream(connection: httpx2.Client, model_id: str, texts: list[str]) -> None:
    api = service.api_process()
    lines = [json.dumps(text).encode() for text in texts]
    content = b"\n".join(lines[i % len(lines)] for i in range(STREAM_LINES))
    before, n_lines = _private_mib(api), 0
    with Peak(lambda: [_private_mib(api)]) as peak:
        start = time.perf_counter()
        parameters = {"model_id": model_id}
        with connection.stream(
            "POST", "/predict", params=parameters, content=content, headers=NDJSON
        ) as answer:
            for part in answer.iter_raw():
                n_lines += part.count(b"\n")
        seconds = time.perf_counter() - start
    print(
        f"\nStream: {n_lines:,} of {STREAM_LINES:,} lines ({len(content) / 2**20:.0f} MiB) in "
        f"{seconds:.1f} s, {n_lines / seconds:,.0f} docs/s; memory of the API {before:.0f} MiB "
        f"before, at most {peak.most[0]:.0f} MiB.",
        flush=True,
    )


def show_mlserver(python: str, seeds: set[int], texts: list[str], load: Load) -> None:
    with tempfile.TemporaryDirectory() as folder:
        task = {"texts": texts, "is_positive": [int(i in seeds) for i in range(len(texts))]}
        Path(folder, "texts.json").write_text(json.dumps(task))
        with _mlserver(python, folder) as url:
            infer = f"{url}/v2/models/peer/infer"
            empty, _ = load.latency(f"{url}/v2/health/live")
            one = load.latency(infer, body=_asked([TEXT]))
            many = load.latency(infer, clients=32, body=_asked([TEXT]))
            over_http = BATCH / load.latency(infer, body=_asked(texts[:BATCH]))[0] * 1000
            print(
                "\n| server | one text p50 / p99 ms | empty route | times | "
                "32 clients p50 / p99 ms | POST docs/s |"
            )
            print("|---|---|---|---|---|---|")
            print(
                f"| MLServer | {_both(one)} | {empty:.2f} | {one[0] / empty:.2f} | {_both(many)} | "
                f"{over_http:,.0f} |"
            )


def _asked(texts: list[str]) -> str:
    data = {"name": "text", "shape": [len(texts)], "datatype": "BYTES", "data": texts}
    asked = {"inputs": [data], "outputs": [{"name": "predict_proba"}]}
    return json.dumps({**asked, "parameters": {"content_type": "str"}})


@contextmanager
def _mlserver(python: str, folder: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with Path(folder, "log").open("wb") as log:
        # -P: without this folder, whose names are those of modules of Python itself.
        command = [python, "-P", str(PEER.resolve()), folder, str(port)]
        server = subprocess.Popen(command, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        while not _is_ready(f"{url}/v2/models/peer/ready"):
            if server.poll() is not None:
                raise RuntimeError(Path(folder, "log").read_text())
            time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait()


def _is_ready(url: str) -> bool:
    try:
        return httpx2.get(url).is_success
    except httpx2.TransportError:
        return False


def _private_mib(process: psutil.Process) -> float:
    return float(process.memory_full_info().uss) / 2**20


def _seconds(call: Any, batch: list[str]) -> float:
    start = time.perf_counter()
    call(batch)
    return time.perf_counter() - start


def _both(latency: tuple[float, float]) -> str:
    return " / ".join(f"{milliseconds:.2f}" for milliseconds in latency)


def _milliseconds(report: str, share: str) -> float:
    found = re.search(rf"{share}\s+([\d.]+)(us|ms|s)", report)
    assert found is not None
    return float(found[1]) * {"us": 0.001, "ms": 1, "s": 1000}[found[2]]


if __name__ == "__main__":
    main()
