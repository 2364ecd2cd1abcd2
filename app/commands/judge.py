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
    meant,
    newest_model,
    next_command,
    plain_console,
)
from app.commands.document_file import UTF8
from app.commands.next_steps import training
from app.media_types import PROBLEM
from app.services.csv_columns import shown_names
from app.services.spreadsheet_cells import unprotected

#: Takes a label back.
UNLABELED = "unlabeled"
POSITIVE, UNSURE = "positive", "unsure"
LABELS = (POSITIVE, "negative", UNSURE, UNLABELED)
#: What `seedbed ranking --output` writes and `next` does not, beside ids, ranks and labels.
RANKING_COLUMNS = {"rank", "score", "predicted"}
SHOWN_LINES = 5
UNCHANGED = "Nothing was changed."
SEEDS_SENT = "The positives given at the start were labeled; nothing else was changed."
BROKEN = "Run the command again: labels that are there already stay as they are."


def run(url: str, project: str, file: Path, charset: str, rest: str | None = None) -> None:
    """Send the labels of a file and print how many there are of each.

    Positives that the column of judgements of a ranking does not count are the seeds of a review
    that went on elsewhere: where nothing was trained or judged yet they are sent before all others,
    and so they are seeds here. ``rest`` is the label of the rows that nobody gave one.

    Raises
    ------
    ServiceFailed
    """
    found = _read_lines(file, charset, rest)
    lines = _given(found)
    n_left = len(found.lines) - len(lines)
    if not lines:
        own = "a label of yours" if n_left else "a label"
        known = LABELS[:-1] if n_left else LABELS
        raise ServiceFailed(f"No row of {file.name} has {own}: write {' or '.join(known)}.")
    console = plain_console()
    with connected(url, BROKEN) as client:
        project_id = existing_project(client, project)
        seeds = _seeds(found, client, project_id)
        n_changed = _send(client, project_id, seeds, UNCHANGED)
        others = {id_: line for id_, line in lines.items() if id_ not in seeds}
        send = _send_read if seeds else _send
        n_changed += send(client, project_id, others, SEEDS_SENT if seeds else UNCHANGED)
        counts = Counter(line.label for line in lines.values())
        told = ", ".join(f"{counts[label]:,} {label}" for label in LABELS if counts[label])
        told += f"; {n_changed:,} changed. Rows without a label: {found.n_blank:,}."
        if seeds:
            told += f"\nPositives given at the start, according to the file: {len(seeds):,}."
        if n_left:
            told += f"\nRows that the ranking shows as unlabeled, left as they are: {n_left:,}."
        console.print(told, soft_wrap=True)
        command = training(client, project_id, quote(project))
        console.print(next_command(client, command), soft_wrap=True)


def read_labels(file: Path, charset: str = "utf-8") -> tuple[list[dict[str, str]], int]:
    """Return the labels of a CSV in the order of reading, and how many rows have none.

    That is the order of the judgements, then of the ranks, where these tell rows apart, else of the
    lines.

    Raises
    ------
    ServiceFailed
    """
    found = _read_lines(file, charset)
    return _labels(found.lines), found.n_blank


class Line(NamedTuple):
    """A line with a label; its rank and judgement are None where none can be read."""

    number: int
    label: str
    rank: int | None
    #: Its place in the order of reading, by a ranking.
    judgement: int | None = None


#: By id.
Lines = dict[str, Line]


class Found(NamedTuple):
    """What is in a file: of a ranking, the label of each row is there before anybody judged it."""

    lines: Lines
    n_blank: int
    is_ranking: bool
    has_judgements: bool


class Columns(NamedTuple):
    """Names as the file has them; rank and judgement are None where there is none."""

    id: str
    label: str
    rank: str | None
    judgement: str | None
    is_ranking: bool


def _given(found: Found) -> Lines:
    """Return the lines that somebody labeled: what a ranking showed is not taken back."""
    if not found.is_ranking:
        return found.lines
    return {id_: line for id_, line in found.lines.items() if line.label != UNLABELED}


def _seeds(found: Found, client: httpx2.Client, project_id: str) -> Lines:
    """Return the positives to send before all others."""
    seeds = {
        id_: line
        for id_, line in found.lines.items()
        if line.label == POSITIVE and line.judgement is None
    }
    if not found.has_judgements or not seeds or newest_model(client, project_id) is not None:
        return {}
    n_judged = answer(client.get(f"/projects/{project_id}/review"))["n_judged"]
    return {} if n_judged else seeds


def _send(client: httpx2.Client, project_id: str, lines: Lines, unchanged: str) -> int:
    """Send labels, if there are any; return how many changed.

    ``unchanged`` tells what became of the file if they cannot be sent.

    Raises
    ------
    ServiceFailed
    """
    if not lines:
        return 0
    response = client.put(f"/projects/{project_id}/labels", json=_labels(lines))
    _check_ids(response, lines, unchanged)
    return int(answer(response)["changed"])


def _send_read(client: httpx2.Client, project_id: str, lines: Lines, unchanged: str) -> int:
    """Do what ``_send`` does, behind the seeds: none of these lines becomes one."""
    first = next(iter(lines), None)
    if first is None or any(line.label != POSITIVE for line in lines.values()):
        return _send(client, project_id, lines, unchanged)
    # Before anything is judged, positives alone are seeds: so the first one is unsure for a moment.
    unsure = {first: lines[first]._replace(label=UNSURE)}
    n_changed = _send(client, project_id, lines | unsure, unchanged)
    _send(client, project_id, {first: lines[first]}, BROKEN)
    return n_changed


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
                places = (columns.rank, columns.judgement)
                rank, judgement = (_number(row[name]) if name else None for name in places)
                lines.setdefault(id_, Line(reader.line_num, label, rank, judgement))
            n_blank += not label
    except csv.Error as error:
        raise ServiceFailed(f"{file.name} is not a CSV: {error}. Nothing was changed.") from error
    has_judgements = columns.judgement is not None
    return Found(_in_order_of_reading(lines), n_blank, columns.is_ranking, has_judgements)


def _number(cell: str | None) -> int | None:
    try:
        return int(cell or "")
    except ValueError:
        return None


def _in_order_of_reading(lines: Lines) -> Lines:
    """Return those that were judged by their judgements, then the others by rank.

    Whatever a spreadsheet sorted them by; each if all of them have a number of their own.
    """
    judged = {id_: line for id_, line in lines.items() if line.judgement is not None}
    others = {id_: line for id_, line in lines.items() if line.judgement is None}
    if len({line.judgement for line in judged.values()}) < len(judged):
        judged, others = {}, lines
    in_order = dict(sorted(judged.items(), key=lambda item: item[1].judgement or 0))
    ranks = {line.rank for line in others.values()}
    if None not in ranks and len(ranks) == len(others):
        others = dict(sorted(others.items(), key=lambda item: item[1].rank or 0))
    return in_order | others


def _read_text(file: Path, charset: str) -> str:
    # Spreadsheets begin UTF-8 with a byte order mark.
    name = "utf-8-sig" if charset == UTF8 else charset
    try:
        return file.read_bytes().decode(name)
    except UnicodeError as error:
        raise ServiceFailed(
            f"{file.name} is not in {charset.upper()}. Save it as CSV in UTF-8, or name its "
            "encoding: --encoding cp1252 (Windows) or utf-16. Nothing was changed."
        ) from error


def _columns(header: Sequence[str], name: str) -> Columns:
    """Return the columns of ids, labels and what tells their order, however capitalised."""
    known = {column.strip().lower(): column for column in reversed(header)}
    if not {"id", "label"} <= known.keys():
        if header and header[0].startswith(("{", "[")):
            raise ServiceFailed(
                f"{name} is not a CSV; it looks like JSON. Write the round or the ranking as .csv, "
                "fill in its column label and send that. Nothing was changed."
            )
        found = shown_names(header) or "nothing"
        raise ServiceFailed(
            f"{name} needs the columns id and label; its first line has {found}. Nothing was "
            "changed."
        )
    is_ranking = known.keys() >= RANKING_COLUMNS
    places = (known.get("rank"), known.get("judgement"))
    return Columns(known["id"], known["label"], *places, is_ranking)


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
            f"{place}: {label!r} is no label.{meant(label, LABELS)} Write "
            f"{', '.join(LABELS)}, or nothing. Nothing was changed."
        )
    first = lines.get(id_)
    if first is not None and first.label != label:
        raise ServiceFailed(
            f"{place} labels {id_!r} {label}, but line {first.number} labels it {first.label}. "
            "Keep one of them. Nothing was changed."
        )


def _check_ids(response: httpx2.Response, lines: Lines, unchanged: str) -> None:
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
            f"{problem['detail']} {unchanged} Did a spreadsheet change ids? See {told}{more}."
        )
