"""``seedbed next``: the documents to judge next, on the screen or into a file for the labels."""

import csv
from pathlib import Path
from shlex import quote
from typing import Any

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    existing_project,
    next_command,
    plain_console,
)
from app.commands.judge import read_labels
from app.commands.ranking import BROKEN, replaced, show_rows
from app.commands.shell_words import in_shell
from app.services.spreadsheet_cells import protected

COLUMNS = ("id", "label", "text")
_STALE = "Labels changed since the model was trained: train again to rank by them."
#: Without it spreadsheets take UTF-8 for something else.
_BYTE_ORDER_MARK = "\ufeff"


def run(url: str, project: str, n: int, strategy: str, output: Path | None) -> None:
    """Show documents that nobody judged, or write them to a file with an empty column of labels.

    Raises
    ------
    ServiceFailed
    """
    if output is not None and output.suffix.lower() != ".csv":
        raise ServiceFailed("End the name of the file in .csv.")
    console, name = plain_console(), quote(project)
    # Rows alone go to a pipe.
    notes = plain_console(is_error=output is None and not console.is_terminal)
    with connected(url, BROKEN) as client:
        path = f"/projects/{existing_project(client, project)}/next"
        found = answer(client.get(path, params={"n": n, "strategy": strategy}), name)
        documents = found["documents"]
        if not documents:
            notes.print(in_shell(found["reason"], name), soft_wrap=True)
            return
        if found["labels_changed"]:
            notes.print(_STALE, soft_wrap=True)
        if output is None:
            show_rows(console, documents)
            command = f"next {name} --output round.csv"
        else:
            file = _file_of_round(output, {row["id"] for row in documents}, name)
            _write(documents, file)
            console.print(f"{len(documents):,} documents in {file}", soft_wrap=True)
            console.print("Write positive, negative or unsure in the column label.", soft_wrap=True)
            command = f"judge {name} {quote(str(file))}"
        notes.print(next_command(client, command), soft_wrap=True)


def _file_of_round(output: Path, unjudged: set[str], name: str) -> Path:
    """Return the first of round.csv, round-2.csv and so on that has no labels.

    Raises
    ------
    ServiceFailed
        If a file before that has labels that were not sent.
    """
    file, number, labeled = output, 1, dict[str, Path]()
    while file.exists() and (labels := read_labels(file)[0]):
        ids = (label["id"] for label in labels if label["label"] != "unlabeled")
        labeled |= dict.fromkeys(ids, file)
        number += 1
        file = output.with_stem(f"{output.stem}-{number}")
    unsent = min((labeled[id_] for id_ in unjudged & labeled.keys()), default=None)
    if unsent is not None:
        raise ServiceFailed(
            f"{unsent} has labels that the project does not have. Send them with `seedbed judge "
            f"{name} {quote(str(unsent))}`, or take another name."
        )
    return file


def _write(documents: list[dict[str, Any]], output: Path) -> None:
    with replaced(output) as file:
        file.write(_BYTE_ORDER_MARK)
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        cells = ({name: protected(row[name]) for name in ("id", "text")} for row in documents)
        writer.writerows(cells)
