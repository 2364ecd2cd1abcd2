"""A table uploaded and its features selected by FSCPU, as a client of the service sees it."""

import io
import time

import httpx2
import numpy as np
import pyarrow as pa
import pyarrow.csv

from app.commands.client import ServiceFailed
from benchmarks.papers.fscpu_open import Table
from benchmarks.service import answer, client, finished
from benchmarks.speed import tables
from benchmarks.speed.child import Failure

AIM_SECONDS = 60


def run(table: Table) -> None:
    content = _csv(table)
    tables.header("FSCPU through HTTP", "MB", "upload s", "whole s", "aim", "met")
    try:
        with client() as connection:
            upload, whole = seconds(connection, content)
    except ServiceFailed as error:
        failure = Failure(" ".join(str(error).split())[:150])
        tables.row("rt-iot2022", len(content) / 1e6, failure, "", f"< {AIM_SECONDS} s", False)
        return
    cells = len(content) / 1e6, upload, whole
    tables.row("rt-iot2022", *cells, f"< {AIM_SECONDS} s", whole < AIM_SECONDS)


def seconds(connection: httpx2.Client, content: bytes) -> tuple[float, float]:
    """Return the seconds of the upload, and those until the features are there."""
    start = time.perf_counter()
    uploaded = answer(
        connection.post(
            "/tables",
            params={"label_column": "label", "positive": "1"},
            content=content,
            headers={"content-type": "text/csv"},
        )
    )
    upload = time.perf_counter() - start
    request = {"table_id": uploaded["id"], "method": "fscpu"}
    job = finished(connection, answer(connection.post("/feature-selection", json=request)))
    answer(connection.get(f"/feature-selections/{job['result']['feature_selection_id']}"))
    return upload, time.perf_counter() - start


def _csv(table: Table) -> bytes:
    positives = np.random.default_rng(0).permutation(np.flatnonzero(table.is_positive))
    y = np.zeros(len(table.X), dtype=int)
    y[positives[: int(table.label_frequency * len(positives))]] = 1
    columns = {f"x{j}": column for j, column in enumerate(table.X.T)}
    stream = io.BytesIO()
    pa.csv.write_csv(pa.table({**columns, "label": y}), stream)
    return stream.getvalue()
