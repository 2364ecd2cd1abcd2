"""``seedbed judge``: labels from the file of a round into a project."""

import csv
from collections import Counter
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

import httpx2

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    existing_project,
    next_command,
    plain_console,
)
from app.commands.document_file import check_charset
from app.commands.next_steps import training
from app.media_types import PROBLEM
from app.services.csv_columns import shown_names
from app.services.spreadsheet_cells import unprotected

#: Takes a label back.
UNLABELED = "unlabeled"
LABELS = ("positive", "negative", "unsure", UNLABELED)
#: What `seedbed ranking --output` writes and `next` does not, beside ids, ranks and labels.
RANKING_COLUMNS = {"rank", "score", "predicted"}
SHOWN_LINES = 5
BROKEN = "Run the command again: labels that are there already stay as they are."


def run(url: str, project: str, file: Path, charset: str, rest: str | None = None) -> None:
    """Send the labels of a file and print how many there are of each.

    ``rest`` is the label of the rows that nobody gave one.

    Raises
    ------
    ServiceFailed
    """
    found = _read_lines(file, charset, rest)
    lines = _given(found)
    n_left = len(found.lines) - len(lines)
    labels = _labels(lines)
    if not labels:
        own = "a label of yours" if n_left else "a label"
        known = LABELS[:-1] if n_left else LABELS
        raise ServiceFailed(f"No row of {file.name} has {own}: write {' or '.join(known)}.")
    console = plain_console()
    with connected(url, BROKEN) as client:
        project_id = existing_project(client, project)
        response = client.put(f"/projects/{project_id}/labels", json=labels)
        _check_ids(response, lines)
        report = answer(response)
        counts = Counter(item["label"] for item in labels)
        told = ", ".join(f"{counts[label]:,} {label}" for label in LABELS if counts[label])
        told += f"; {report['changed']:,} changed. Rows without a label: {found.n_blank:,}."
        if n_left:
            told += f"\nRows left as they are, which the ranking shows as unlabeled: {n_left:,}."
        console.print(told, soft_wrap=True)
        command = training(client, project_id, quote(project))
        console.print(next_command(client, command), soft_wrap=True)


def read_labels(file: Path, charset: str = "utf-8") -> tuple[list[dict[str, str]], int]:
    """Return the labels of a CSV in the order of the ranks, and how many rows have none.

    Without ranks that tell them apart the order is that of the lines.

    Raises
    ------
    ServiceFailed
    """
    found = _read_lines(file, charset)
    return _labels(found.lines), found.n_blank


class Line(NamedTuple):
    """A line with a label; its rank is None where none can be read."""

    number: int
    label: str
    rank: int | None


#: By id.
Lines = dict[str, Line]


class Found(NamedTuple):
    """What is in a file: of a ranking, the label of each row is there before anybody judged it."""

    lines: Lines
    n_blank: int
    is_ranking: bool


class Columns(NamedTuple):
    """Names as the file has them; its rank is None where there is none."""

    id: str
    label: str
    rank: str | None
    is_ranking: bool


def _given(found: Found) -> Lines:
    """Return the lines that somebody labeled: what a ranking showed is not taken back."""
    if not found.is_ranking:
        return found.lines
    return {id_: line for id_, line in found.lines.items() if line.label != UNLABELED}


def _labels(lines: Lines) -> list[dict[str, str]]:
    return [{"id": id_, "label": line.label} for id_, line in lines.items()]


def _read_lines(file: Path, charset: str, rest: str | None = None) -> Found:
    csv.field_size_limit(2**31 - 1)
    text = _read_text(file, charset)
    # Spreadsheets of some countries write semicolons, and tabs in UTF-16; names have none of them.
    delimiter = next((mark for mark in ";\t" if mark in text.partition("\n")[0]), ",")
    reader = csv.DictReader(StringIO(text, newline=""), delimiter=delimiter)
    lines, n_blank = Lines(), 0
    try:
        columns = _columns(reader.fieldnames or (), file.name)
        for row in reader:
            label = (row[columns.label] or "").strip().lower()
            id_ = unprotected(row[columns.id] or "")
            if rest and id_ and (not label or (columns.is_ranking and label == UNLABELED)):
                label = rest
            if label:
                _check(lines, id_, label, f"Line {reader.line_num} of {file.name}")
                rank = _rank(row[columns.rank]) if columns.rank else None
                lines.setdefault(id_, Line(reader.line_num, label, rank))
            n_blank += not label
    except csv.Error as error:
        raise ServiceFailed(f"{file.name} is no CSV: {error}. Nothing was changed.") from error
    return Found(_in_order_of_reading(lines), n_blank, columns.is_ranking)


def _rank(cell: str | None) -> int | None:
    try:
        return int(cell or "")
    except ValueError:
        return None


def _in_order_of_reading(lines: Lines) -> Lines:
    """Return lines by rank, whatever a spreadsheet sorted them by, if all have one of their own."""
    ranks = {line.rank for line in lines.values()}
    if None in ranks or len(ranks) < len(lines):
        return lines
    return dict(sorted(lines.items(), key=lambda item: item[1].rank or 0))


def _read_text(file: Path, charset: str) -> str:
    # Spreadsheets begin UTF-8 with a byte order mark.
    name = "utf-8-sig" if charset.lower() in {"utf-8", "utf8"} else charset
    check_charset(name)
    try:
        return file.read_bytes().decode(name)
    except UnicodeError as error:
        raise ServiceFailed(
            f"{file.name} is not in {charset.upper()}. Save it as CSV in UTF-8, or name its "
            "encoding: --encoding cp1252 (Windows) or utf-16. Nothing was changed."
        ) from error


def _columns(header: Sequence[str], name: str) -> Columns:
    """Return the columns of ids, labels and, if there are any, ranks, however capitalised."""
    known = {column.strip().lower(): column for column in reversed(header)}
    if not {"id", "label"} <= known.keys():
        if header and header[0].startswith(("{", "[")):
            raise ServiceFailed(
                f"{name} is no CSV; it looks like JSON. Write the round or the ranking as .csv, "
                "fill in its column label and send that. Nothing was changed."
            )
        found = shown_names(header) or "nothing"
        raise ServiceFailed(
            f"{name} needs the columns id and label; its first line has {found}. Nothing was "
            "changed."
        )
    is_ranking = known.keys() >= RANKING_COLUMNS
    return Columns(known["id"], known["label"], known.get("rank"), is_ranking)


def _check(lines: Lines, id_: str, label: str, place: str) -> None:
    """Refuse a label that cannot be sent.

    Raises
    ------
    ServiceFailed
    """
    if not id_:
        raise ServiceFailed(f"{place} has a label and no id. Nothing was changed.")
    if label not in LABELS:
        raise ServiceFailed(
            f"{place}: {label!r} is no label; write {', '.join(LABELS)}, or nothing. Nothing was "
            "changed."
        )
    first = lines.get(id_)
    if first is not None and first.label != label:
        raise ServiceFailed(
            f"{place} labels {id_!r} {label}, and line {first.number} {first.label}. Keep one of "
            "them. Nothing was changed."
        )


def _check_ids(response: httpx2.Response, lines: Lines) -> None:
    """Name the lines of the ids that the project does not have.

    Raises
    ------
    ServiceFailed
    """
    if response.is_success or response.headers.get("content-type") != PROBLEM:
        return
    problem: dict[str, Any] = response.json()
    if problem["code"] == "document_not_found":
        places = [int(error["pointer"].split("/")[1]) for error in problem["errors"]]
        numbers = [line.number for line in lines.values()]
        told = ", ".join(f"line {numbers[place]}" for place in places[:SHOWN_LINES])
        more = ", ..." if len(places) > SHOWN_LINES else ""
        raise ServiceFailed(
            f"{problem['detail']} Nothing was changed. Did a spreadsheet change ids? See {told}"
            f"{more}."
        )
