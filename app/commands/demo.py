"""The demo: documents of one kind, hidden in a pile of real text, found by the real service."""

import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import httpx2
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from sklearn.metrics import average_precision_score

from app.commands.client import answer, lines_of
from app.commands.collection_file import CollectionFile, LabeledDocument
from app.commands.job_bar import follow, succeeded
from app.commands.labeled_collection import draw_seeds, read_collection
from app.commands.model_words import cautions, expected_of_cut
from app.commands.running_service import running_service, upload
from app.media_types import NDJSON

console = Console(highlight=False, emoji=False)


def run(
    *,
    data: CollectionFile | None,
    positive: str | None,
    n_seeds: int,
    algorithm: str,
    random_state: int,
    keep: bool,
) -> None:
    """Start the service in a temporary folder, do the main job over HTTP, print what came of it."""
    # Ending like this goes through every finally, so that no service and no file is left behind.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    clock = _Clock()
    with clock.step("read the collection"):
        documents, positive = read_collection(data, positive)
        truth, seeds = draw_seeds(documents, positive, n_seeds, random_state)
    n_hidden = sum(truth.values()) - len(seeds)
    console.print(
        f"Looking for [bold]{escape(positive)}[/bold]: {len(seeds)} seeds, "
        f"{len(documents) - len(seeds):,} other documents, "
        f"{n_hidden:,} of them of the same kind and hidden."
    )
    with tempfile.TemporaryDirectory(prefix="seedbed-demo-") as folder, ExitStack() as stack:
        with clock.step("start the service"):
            url = stack.enter_context(running_service(Path(folder)))
        client = stack.enter_context(httpx2.Client(base_url=url, timeout=300))
        with clock.step("upload"):
            project_id = _upload(client, positive, documents, seeds)
        with clock.step("train"):
            model_id = _train(client, project_id, algorithm)
        with clock.step("read the ranking"):
            model = answer(client.get(f"/models/{model_id}"))
            cuts = answer(client.get(f"/models/{model_id}/cuts"))
            rows = _ranking(client, model_id)
        _show(model, cuts, rows, truth, clock)
        _show_next_steps(url, project_id, model_id, rows[0]["text"], keep=keep)
        if keep:
            console.print("\nThe service runs until you press Ctrl-C.")
            with suppress(KeyboardInterrupt):
                signal.pause()


def _upload(
    client: httpx2.Client, positive: str, documents: list[LabeledDocument], seeds: set[str]
) -> str:
    project_id = str(answer(client.post("/projects", json={"name": f"demo: {positive}"}))["id"])
    for label in ("positives", "unlabeled"):
        report = upload(
            client,
            project_id,
            label,
            (
                {"id": document.id, "text": document.text, "vector": document.vector}
                for document in documents
                if (document.id in seeds) == (label == "positives")
            ),
        )
        console.print(
            f"  {label}: {report['received']:,} received, {report['inserted']:,} inserted, "
            f"{report['rejected']:,} rejected"
        )
    return project_id


def _train(client: httpx2.Client, project_id: str, algorithm: str) -> str:
    job = answer(client.post("/train", json={"project_id": project_id, "algorithm": algorithm}))
    return str(succeeded(follow(client, job["id"], console))["model_id"])


def _ranking(client: httpx2.Client, model_id: str) -> list[dict[str, Any]]:
    response = client.get(
        f"/models/{model_id}/ranking",
        params={"label": "unlabeled"},
        headers={"accept": NDJSON},
    )
    return [json.loads(line) for line in lines_of(response)]


def _show(
    model: dict[str, Any],
    cuts: dict[str, Any],
    rows: list[dict[str, Any]],
    truth: dict[str, bool],
    clock: "_Clock",
) -> None:
    is_found = [truth[row["id"]] for row in rows]
    table = Table(title="Top of the ranking", title_justify="left", box=None)
    for column in ("rank", "score", "truth"):
        table.add_column(column, min_width=5)
    table.add_column("text", no_wrap=True, overflow="ellipsis")
    for row, is_true in list(zip(rows, is_found, strict=True))[:15]:
        text = " ".join(row["text"].split())[: max(20, console.width - 25)]
        mark = "[green]yes[/green]" if is_true else "[red]no[/red]"
        table.add_row(str(row["rank"]), f"{row['score']:.3f}", mark, Text(text))
    console.print(table)

    n_cut = sum(row["predicted"] for row in rows)
    n_true = sum(is_found[:n_cut])
    n_hidden = sum(is_found)
    average_precision = average_precision_score(is_found, [-rank for rank in range(len(rows))])
    console.print(
        f"\nAlgorithm {model['algorithm']}; cut at score {model['offset']:.3f}: {n_cut:,} "
        f"documents predicted positive, {n_true:,} of them correctly."
    )
    console.print(
        f"Precision of the cut {n_true / max(n_cut, 1):.2f}, recall {n_true / n_hidden:.2f}; "
        f"average precision of the ranking [bold]{average_precision:.2f}[/bold] "
        f"(by chance {n_hidden / len(rows):.2f})."
    )
    console.print(expected_of_cut(cuts), markup=False)
    for caution in cautions(model):
        console.print(caution, style="yellow", markup=False, soft_wrap=True)
    steps = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in clock.seconds.items())
    stages = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in model["seconds"].items())
    console.print(f"\nTime: {steps}.\nOf the training: {stages}.")


def _show_next_steps(url: str, project_id: str, model_id: str, text: str, *, keep: bool) -> None:
    words = quote_plus(" ".join(text.split()[:6])[:60])
    console.print(
        f"\nThe service: {url} (for browsers, too; its documentation: {url}/docs)", soft_wrap=True
    )
    if not keep:
        console.print(
            "It ends now; with --keep it goes on running, for a browser and calls such as"
        )
    for line in (
        f"curl '{url}/models/{model_id}/ranking?page_size=5&label=unlabeled'",
        f"curl '{url}/predict?project_id={project_id}&text={words}'",
        f"curl '{url}/models/{model_id}/terms'",
    ):
        console.print(f"  {line}", soft_wrap=True)


class _Clock:
    """Seconds of each step, in order."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start
