"""``seedbed ranking``: the pile by score, on the screen or into a file."""

import csv
import json
from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple, TypeVar

import httpx2
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from app.commands.asked_cut import ALL_SCORES, AskedCut
from app.commands.client import (
    ServiceFailed,
    answer,
    command_here,
    connected,
    find_model,
    lines_of,
    next_command,
    plain_console,
    printable,
)
from app.commands.job_bar import succeeded, watch
from app.commands.model_words import warned
from app.commands.models import which_model
from app.commands.spreadsheet_file import Written, replaced, write_rows, written_note
from app.media_types import CSV, NDJSON
from app.services.intake.csv_columns import Delimiter
from app.services.ranking.reference_file import write_references

T = TypeVar("T")

#: What the service is asked for, by how the name of the file ends.
MEDIA_TYPES = {".csv": CSV, ".ndjson": NDJSON, ".ris": NDJSON}
SHOWN = 20
CUT = "──── cut ────"
BROKEN = "Run the command again; no file was changed."
TO_JUDGE = (
    "For what does not belong, write negative into the column label; for what does, positive."
)
UNLABELED, ALL = "unlabeled", "all"
#: Why ranks are missing among those shown, by the label asked for; else they have another one.
LEFT_OUT = {
    UNLABELED: "that have a label (such as seeds) or are deleted",
    ALL: "that are deleted",
}


class Part(NamedTuple):
    """Which documents of a ranking are asked for, and whether the last ones come first.

    ``since`` is a time in ISO 8601: from the first upload on that began then or later.
    """

    label: str = UNLABELED
    is_last: bool = False
    since: str | None = None
    cut: AskedCut = ALL_SCORES

    @property
    def params(self) -> dict[str, str]:
        """How the service is asked, but for the cut."""
        asked = {"order": "last" if self.is_last else "first"}
        if self.label != ALL:
            asked["label"] = self.label
        if self.since is not None:
            asked["since"] = self.since
        return asked

    @property
    def options(self) -> str:
        """How the command is asked, each option with a blank behind it."""
        label = "" if self.label == UNLABELED else f"--label {self.label} "
        since = "" if self.since is None else f"--since {self.since} "
        return label + "--last " * self.is_last + since + self.cut.option

    @property
    def nothing(self) -> str:
        """What is told where no document is of this part."""
        label = "" if self.label == ALL else f" with the label {self.label}"
        since = "" if self.since is None else f" that came in since {self.since}"
        cut = "" if self.cut == ALL_SCORES else " above the cut"
        return f"The ranking has no document{label}{since}{cut}."


PILE = Part()


def run(
    url: str,
    name: str,
    limit: int | None,
    output: Path | None,
    *,
    updates: bool = False,
    part: Part = PILE,
    delimiter: Delimiter | None = None,
) -> None:
    """Show the first documents of a part of the ranking, or write it to a file.

    Raises
    ------
    ServiceFailed
    """
    if output is not None and output.suffix.lower() not in MEDIA_TYPES:
        *endings, last = MEDIA_TYPES
        raise ServiceFailed(f"End the name of the file in {', '.join(endings)} or {last}.")
    part.cut.check()
    if delimiter is not None and (output is None or output.suffix.lower() != ".csv"):
        raise ServiceFailed("--delimiter is for --output FILE.csv.")
    if output is not None and output.exists():
        raise ServiceFailed(f"{output} is there already: delete it or choose another name.")
    with connected(url, BROKEN) as client:
        model_id = find_model(client, name)
        if updates:
            _update(client, model_id)
        if output is None:
            _show(client, model_id, limit or SHOWN, part)
        else:
            console = plain_console()
            written = _write(client, model_id, limit, output, part, delimiter or "comma")
            console.print(written_note(output, *written))
            if written.n_rows and part.is_last and output.suffix.lower() == ".csv":
                # What does not belong is judged in this file; reviews have `seedbed next`.
                project = answer(client.get(f"/models/{model_id}"))["project_id"]
                judging = f"judge {project if name == model_id else quote(name)}"
                console.print(TO_JUDGE)
                command = f"{judging} {quote(str(output))}"
                console.print(next_command(client, command))


def _show(client: httpx2.Client, model_id: str, limit: int, part: Part) -> None:
    console = plain_console()
    # Rows alone go to a pipe.
    notes = plain_console(is_error=not console.is_terminal)
    lines = _lines(client, model_id, MEDIA_TYPES[".ndjson"], part)
    rows = [json.loads(line) for line in islice(lines, limit)]
    show_rows(console, rows)
    if not rows:
        notes.print(part.nothing)
    model = answer(client.get(f"/models/{model_id}"))
    edge = model["ranking"]["n_documents"] if part.is_last else 1
    n_left_out = abs(rows[-1]["rank"] - edge) + 1 - len(rows) if rows else 0
    if n_left_out and part.cut == ALL_SCORES:
        why = LEFT_OUT.get(part.label, "that have another label or are deleted")
        if part.since is not None:
            why += ", or came in before"
        notes.print(f"Left out among these ranks: {n_left_out:,} {why}.")
    notes.print(which_model(model))
    if told := warned(model, command_here(client, f"show {model_id}")):
        notes.print(told)
    _tell_if_old(model, notes)
    update = "" if model["ranking"]["is_current"] else "--update "
    if rows or update:
        command = f"ranking {model_id} {part.options}{update}--output ranking.csv"
        notes.print(next_command(client, command))


def _update(client: httpx2.Client, model_id: str) -> None:
    """Let the service put documents that came in since into the ranking, and wait for it."""
    # What is told of it is no part of the ranking, which may go to a pipe.
    console = plain_console(is_error=True)
    job = answer(client.post(f"/models/{model_id}/ranking"))
    result = succeeded(watch(client, job["id"], f"ranking {model_id}"))
    console.print(
        f"Scored: {result['n_scored']:,}; documents in the ranking: {result['n_documents']:,}."
    )


def _tell_if_old(model: dict[str, Any], notes: Console) -> None:
    if not model["ranking"]["is_current"]:
        notes.print(
            "Documents came in, changed or were removed since this ranking was made: --update "
            "brings it up to date."
        )


def show_rows(console: Console, rows: Iterable[dict[str, Any]]) -> None:
    """Print documents as a table, each in one line; into a pipe with tabs between columns."""
    if not console.is_terminal:
        for row in rows:
            words = (_probability(row), row["id"], _one_line(row["text"]))
            console.file.write("\t".join((str(row["rank"]), f"{row['score']:.3f}", *words)) + "\n")
        return
    found = list(rows)
    has_probability = any(row["probability"] is not None for row in found)
    table = Table(box=None, expand=True)
    for column in ("rank", "score", *["probability"] * has_probability):
        table.add_column(column, no_wrap=True)
    # The screen is for texts; files and pipes have ids and texts whole.
    id_width = max(12, console.width // 6)
    table.add_column("id", no_wrap=True, max_width=id_width, overflow="ellipsis")
    table.add_column("text", no_wrap=True, ratio=1, overflow="ellipsis")
    side = found[0].get("predicted") if found else None
    for row in found:
        if row.get("predicted") != side:
            side = row["predicted"]
            table.add_row(*[""] * (3 + has_probability), CUT)
        figures = [str(row["rank"]), f"{row['score']:.3f}", *[_probability(row)] * has_probability]
        table.add_row(*figures, Text(printable(row["id"])), Text(_one_line(row["text"])))
    console.print(table)


def _one_line(text: str) -> str:
    """Return a printable text without what ends lines."""
    return printable(" ".join(text.split()))


def _probability(row: dict[str, Any]) -> str:
    return "-" if row["probability"] is None else f"{row['probability']:.3f}"


def _write(
    client: httpx2.Client,
    model_id: str,
    limit: int | None,
    output: Path,
    part: Part,
    delimiter: Delimiter,
) -> Written:
    model = answer(client.get(f"/models/{model_id}"))
    _tell_if_old(model, plain_console(is_error=True))
    is_known = part.since is None and part.cut == ALL_SCORES
    n_ranked = n_documents(client, model, part.label) if is_known else None
    total = min((n for n in (limit, n_ranked) if n is not None), default=None)
    suffix = output.suffix.lower()
    lines = _lines(client, model_id, MEDIA_TYPES[suffix], part)
    console = plain_console(is_error=True)

    def shown(rows: Iterable[T]) -> Iterable[T]:
        is_hidden = not console.is_terminal
        return track(islice(rows, limit), "writing", total, console=console, disable=is_hidden)

    # A limit leaves the answer half read.
    with closing(lines), replaced(output) as file:
        if suffix == ".ndjson":
            n_rows = 0
            for line in shown(lines):
                n_rows += 1
                file.write(line)
            return Written(n_rows, 0)
        if suffix == ".ris":
            return Written(write_references(file, map(json.loads, shown(lines))), 0)
        csv.field_size_limit(2**31 - 1)
        records = csv.reader(lines)
        *columns, _ = next(records)
        return write_rows(file, columns, map(_with_metadata, shown(records)), delimiter)


def _with_metadata(record: list[str]) -> tuple[list[str], dict[str, Any] | None]:
    *cells, metadata = record
    return cells, json.loads(metadata or "null")


def n_documents(client: httpx2.Client, model: dict[str, Any], label: str) -> int:
    """Return how many are to come, about; more may be ranked than were there in the training."""
    n_ranked = int(model["ranking"]["n_documents"])
    if label == ALL:
        return n_ranked
    if label == UNLABELED:
        return n_ranked - int(model["n_documents"] - model["n_unlabeled"])
    return int(answer(client.get(f"/projects/{model['project_id']}"))["counts"][label])


def _lines(
    client: httpx2.Client, model_id: str, media_type: str, part: Part
) -> Generator[str, None, None]:
    """Yield lines with their ends; what other characters end lines are part of texts."""
    with client.stream(
        "GET",
        f"/models/{model_id}/ranking",
        params=part.params | part.cut.params(client, model_id),
        headers={"accept": media_type},
    ) as response:
        yield from (line.decode() for line in lines_of(response))
