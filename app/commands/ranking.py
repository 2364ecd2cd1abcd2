"""``seedbed ranking``: the pile by score, on the screen or into a file."""

import csv
import json
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any

import httpx2
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    find_model,
    lines_of,
    next_command,
    plain_console,
)
from app.commands.job_bar import follow, succeeded

MEDIA_TYPES = {".csv": "text/csv", ".ndjson": "application/x-ndjson"}
SHOWN = 20
BROKEN = "Run the command again; no file was changed."


def run(
    url: str,
    name: str,
    limit: int | None,
    output: Path | None,
    *,
    updates: bool = False,
    is_last: bool = False,
) -> None:
    """Show the first of the unlabeled documents, or the last, or write them to a file.

    Raises
    ------
    ServiceFailed
    """
    if output is not None and output.suffix.lower() not in MEDIA_TYPES:
        raise ServiceFailed(f"End the name of the file in {' or '.join(MEDIA_TYPES)}.")
    if output is not None and is_last:
        raise ServiceFailed("--last is for the screen: a file has the last documents at its end.")
    console = plain_console()
    with connected(url, BROKEN) as client:
        model_id = find_model(client, name)
        if updates:
            _update(client, model_id)
        if output is None:
            find = _last if is_last else _first
            show_rows(console, map(json.loads, find(client, model_id, limit or SHOWN)))
            console.print(
                next_command(client, f"ranking {model_id} --output ranking.csv"),
                soft_wrap=True,
            )
        else:
            n_written = _write(client, model_id, limit, output)
            console.print(f"{n_written:,} documents in {output}", soft_wrap=True)


def _update(client: httpx2.Client, model_id: str) -> None:
    """Let the service put documents that came in since into the ranking, and wait for it."""
    # What is told of it is no part of the ranking, which may go to a pipe.
    console = plain_console(is_error=True)
    job = answer(client.post(f"/models/{model_id}/ranking"))
    again = f"seedbed ranking {model_id}"
    result = succeeded(follow(client, job["id"], console, see_again=again))
    console.print(
        f"Scored: {result['n_scored']:,}; documents in the ranking: {result['n_documents']:,}.",
        soft_wrap=True,
    )


def _first(client: httpx2.Client, model_id: str, limit: int) -> Iterator[str]:
    return islice(_lines(client, model_id, MEDIA_TYPES[".ndjson"]), limit)


def _last(client: httpx2.Client, model_id: str, limit: int) -> Iterator[str]:
    """Return the last lines, the very last first."""
    n_documents = answer(client.get(f"/models/{model_id}"))["ranking"]["n_documents"]
    start, n_ranks, lines = n_documents + 1, limit, deque[str]()
    # Documents at the end may be labeled or gone by now: then more ranks are looked at.
    while len(lines) < limit and start > 1:
        start = max(1, n_documents - n_ranks + 1)
        lines = deque(_lines(client, model_id, MEDIA_TYPES[".ndjson"], start), maxlen=limit)
        n_ranks *= 8
    return reversed(lines)


def show_rows(console: Console, rows: Iterable[dict[str, Any]]) -> None:
    """Print documents as a table, each in one line."""
    table = Table(box=None)
    for column in ("rank", "score", "id"):
        table.add_column(column, overflow="fold")
    # What is wider than the screen would take the room of the other columns.
    width = max(20, console.width - 40)
    table.add_column("text", no_wrap=True, max_width=width, overflow="ellipsis")
    for row in rows:
        text = Text(" ".join(row["text"].split()))
        table.add_row(str(row["rank"]), f"{row['score']:.3f}", Text(row["id"]), text)
    console.print(table)


def _write(client: httpx2.Client, model_id: str, limit: int | None, output: Path) -> int:
    suffix = output.suffix.lower()
    n_ranked = n_unlabeled(answer(client.get(f"/models/{model_id}")))
    total = n_ranked if limit is None else min(limit, n_ranked)
    lines = _lines(client, model_id, MEDIA_TYPES[suffix])
    with replaced(output) as file:
        if suffix == ".ndjson":
            written = (file.write(line) for line in islice(lines, limit))
        else:
            csv.field_size_limit(2**31 - 1)
            records, writer = csv.reader(lines), csv.writer(file)
            writer.writerow(next(records))
            written = (writer.writerow(record) for record in islice(records, limit))
        console = plain_console(is_error=True)
        shown = track(written, "writing", total, console=console, disable=not console.is_terminal)
        return sum(1 for _ in shown)


def n_unlabeled(model: dict[str, Any]) -> int:
    """Return how many are ranked now, which may be more than were there in the training."""
    n_labeled = model["n_documents"] - model["n_unlabeled"]
    return int(model["ranking"]["n_documents"] - n_labeled)


@contextmanager
def replaced(path: Path) -> Iterator[IO[str]]:
    """Open a file that takes the place of ``path`` when all is written, and not before."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise ServiceFailed(
            f"Cannot write {path}: {error.strerror}. Choose another file with --output."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()


def _lines(
    client: httpx2.Client, model_id: str, media_type: str, start_rank: int = 1
) -> Iterator[str]:
    """Yield lines with their ends; what other characters end lines are part of texts."""
    with client.stream(
        "GET",
        f"/models/{model_id}/ranking",
        params={"label": "unlabeled", "start_rank": start_rank},
        headers={"accept": media_type},
    ) as response:
        yield from (line.decode() for line in lines_of(response))
