"""``seedbed next``: the documents to judge next, on the screen or into a file for the labels."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any

from app.commands.client import (
    ServiceFailed,
    answer,
    command_here,
    connected,
    existing_project,
    next_command,
    plain_console,
)
from app.commands.label_file import read_lines
from app.commands.models import which_model
from app.commands.next_steps import is_novelty, reading
from app.commands.options import ROUND_DEFAULTS
from app.commands.own_labels import UNLABELED
from app.commands.ranking import BROKEN, show_rows
from app.commands.shell_words import in_shell
from app.commands.spreadsheet_file import cut_note, replaced, write_rows
from app.services.intake.csv_columns import COPY_OF, Delimiter
from app.services.intake.spreadsheet_cells import protected

COLUMNS = ("id", "rank", "label", "text")
WITH_COPIES = ("id", "rank", "label", COPY_OF, "text")
_STALE = "Labels changed since the model was trained: train again to rank by them."
_REWRITTEN = (
    "Texts were replaced or removed since the ranking was made: rank them as they are now with "
    "`seedbed ranking {name} --update`, or train again."
)
_WITHHELD = (
    "{n:,} that rank as high say nearly the same as one of these; they come once that is judged. "
    "With --copies they stand below it in the file, and get its label."
)
_COPIES = (
    f"{{n:,}} more rows, those with a {COPY_OF}, say nearly the same as that document. `judge` "
    "gives them its label, unless you write another."
)
_UNRANKED = (
    "Documents came in since the ranking was made ({n:,}) and are not among these: rank them with "
    "`seedbed ranking {name} --update`, or train again."
)


def run(
    url: str,
    project: str,
    asked: dict[str, Any],
    output: Path | None,
    delimiter: Delimiter | None = None,
) -> None:
    """Show documents that nobody judged, or write them to a file with an empty column of labels.

    ``asked`` has the parameters of the request; without a delimiter the file has that of the round
    before.

    Raises
    ------
    ServiceFailed
    """
    if output is not None and output.suffix.lower() != ".csv":
        raise ServiceFailed("End the name of the file in .csv.")
    if output is None and asked.get("copies"):
        raise ServiceFailed("Name a file for the copies, too: --output round.csv.")
    console, name = plain_console(), quote(project)
    # Rows alone go to a pipe.
    notes = plain_console(is_error=output is None and not console.is_terminal)
    with connected(url, BROKEN) as client:
        path = f"/projects/{existing_project(client, project)}/next"
        given = {key: value for key, value in asked.items() if value is not None}
        found = answer(client.get(path, params=given), name)
        documents = found["documents"]
        if not documents:
            notes.print(in_shell(found["reason"], name))
            return
        for note in _about(found, name, with_copies="copies" in given):
            notes.print(note)
        model = answer(client.get(f"/models/{found['model_id']}"))
        notes.print(which_model(model))
        if is_novelty(model):
            odd = command_here(client, reading(client, model["project_id"], name))
            notes.print(f"To judge what does not belong, read the end: {odd}")
        if output is None:
            show_rows(console, documents)
            command = f"next {name} {_options(given)}--output round.csv"
        else:
            rows = (row for first in documents for row in (first, *first["copies"]))
            file, usual = _file_of_round(output, {row["id"] for row in rows}, name)
            n_cut = write(documents, file, delimiter or usual)
            console.print(f"{len(documents):,} documents in {file}")
            if n_cut:
                console.print(cut_note(n_cut))
            console.print("Write positive, negative or unsure in the column label.")
            if asked.get("copies") and found["n_withheld"]:
                console.print(_COPIES.format(n=found["n_withheld"]))
            command = f"judge {name} {quote(str(file))}"
        notes.print(next_command(client, command))


def _about(found: dict[str, Any], name: str, *, with_copies: bool) -> Iterator[str]:
    """Yield what to know of the documents."""
    if found["labels_changed"]:
        yield _STALE
    if found["texts_changed"]:
        yield _REWRITTEN.format(name=name)
    if found["n_unranked"]:
        yield _UNRANKED.format(n=found["n_unranked"], name=name)
    if found["n_withheld"] and not with_copies:
        yield _WITHHELD.format(n=found["n_withheld"])


def _options(given: dict[str, Any]) -> str:
    """Return how the command was asked, each option with a blank behind it."""
    names = {"n": "-n", "strategy": "--strategy", "model_id": "--model", "since": "--since"}
    told = {names[key]: given[key] for key in names if given.get(key) != ROUND_DEFAULTS.get(key)}
    return "".join(f"{name} {value} " for name, value in told.items())


def _file_of_round(output: Path, unjudged: set[str], name: str) -> tuple[Path, Delimiter]:
    """Return the first of round.csv, round-2.csv and so on that is not there or has no labels.

    With it comes what separates the columns of the last one that is there.

    Raises
    ------
    ServiceFailed
        If it is there and no round, or a file before that has labels that were not sent.
    """
    file, number, labeled = output, 1, dict[str, Path]()
    delimiter: Delimiter = "comma"
    while file.exists():
        found = read_lines(file)
        delimiter = found.delimiter or "comma"
        if not found.lines and found.columns.is_export:
            break
        if not found.lines:
            raise ServiceFailed(f"{file} is there already, and no round: take another name.")
        ids = (id_ for id_, line in found.lines.items() if line.label != UNLABELED)
        labeled |= dict.fromkeys(ids, file)
        number += 1
        file = output.with_stem(f"{output.stem}-{number}")
    unsent = min((labeled[id_] for id_ in unjudged & labeled.keys()), default=None)
    if unsent is not None:
        raise ServiceFailed(
            f"{unsent} has labels that the project does not have. Send them with `seedbed judge "
            f"{name} {quote(str(unsent))}`, or take another name."
        )
    return file, delimiter


def write(documents: list[dict[str, Any]], output: Path, delimiter: Delimiter = "comma") -> int:
    """Write documents with an empty column of labels; return how many rows were cut.

    Where there are copies, they stand below what they repeat.
    """
    columns = WITH_COPIES if any(document["copies"] for document in documents) else COLUMNS
    rows = (
        ([cells[name] for name in columns], row["metadata"])
        for document in documents
        for row, cells in _rows(document)
    )
    with replaced(output) as file:
        return write_rows(file, columns, rows, delimiter).n_cut


def _rows(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield a document and its copies, each with its cells by column."""
    for row in (document, *document["copies"]):
        cells = {name: protected(row[name]) for name in ("id", "text")}
        first = "" if row is document else protected(document["id"])
        yield row, {**cells, "rank": row["rank"], "label": "", COPY_OF: first}
