"""``seedbed judge``: labels from the file of a round into a project."""

from collections import Counter
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    existing_project,
    newest_model,
    next_command,
    plain_console,
)
from app.commands.document_file import kept_input
from app.commands.label_file import (
    UNCHANGED,
    Found,
    Lines,
    as_labels,
    read_lines,
)
from app.commands.next_steps import training
from app.commands.own_labels import LABELS, UNLABELED, UNSURE
from app.commands.written_ids import WrittenIds
from app.media_types import PROBLEM
from app.services.intake.label_names import POSITIVE

SHOWN_LINES = 5
STANDARD_INPUT = Path("-")
SEEDS_SENT = "The positives given at the start were labeled; nothing else was changed."
BROKEN = "Run the command again: labels that are there already stay as they are."


def run(
    url: str,
    project: str,
    file: Path,
    charset: str,
    rest: str | None = None,
    positive: str | None = None,
    **columns: str | None,
) -> None:
    """Send the labels of a file and print how many there are of each.

    Positives that the column of judgements of a ranking does not count are the seeds of a review
    that went on elsewhere: where nothing was trained or judged yet they are sent before all others,
    and so they are seeds here. ``rest`` is the label of the rows that nobody gave one; ``positive``
    the label that is, where they have names of their own; ``columns`` name those of ``id`` and
    ``label``, if they are called something else.

    Raises
    ------
    ServiceFailed
    """
    found = _read(file, charset, rest, columns | {"positive": positive})
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
        if seeds:
            n_changed += _send_read(client, project_id, others)
        else:
            order = "ranking" if found.is_ranked else "reading"
            n_changed += _send(client, project_id, others, UNCHANGED, order)
        counts = Counter(line.label for line in lines.values())
        told = ", ".join(f"{counts[label]:,} {label}" for label in LABELS if counts[label])
        told += f"; {n_changed:,} changed. Rows without a label: {found.n_blank:,}."
        if found.n_alike:
            told += f"\nLabeled as what they say nearly the same as: {found.n_alike:,}."
        if seeds:
            told += f"\nPositives given at the start, according to the file: {len(seeds):,}."
        if n_left:
            told += f"\nRows that the ranking shows as unlabeled, left as they are: {n_left:,}."
        console.print(told)
        command = training(client, project_id, quote(project))
        console.print(next_command(client, command))


def _read(file: Path, charset: str, rest: str | None, asked: dict[str, str | None]) -> Found:
    if file != STANDARD_INPUT:
        return read_lines(file, charset, rest, **asked)
    with TemporaryDirectory() as folder:
        kept = Path(folder, "standard input")
        with kept.open("w+b") as stream:
            kept_input(stream)
        return read_lines(kept, charset, rest, **asked)


def _given(found: Found) -> Lines:
    """Return the lines that somebody labeled: what a ranking showed is not taken back."""
    if not found.columns.is_ranking:
        return found.lines
    return {id_: line for id_, line in found.lines.items() if line.label != UNLABELED}


def _seeds(found: Found, client: httpx2.Client, project_id: str) -> Lines:
    """Return the positives to send before all others."""
    seeds = {
        id_: line
        for id_, line in found.lines.items()
        if line.label == POSITIVE and line.judgement is None
    }
    has_judgements = "judgement" in found.columns.places
    if not has_judgements or not seeds or newest_model(client, project_id) is not None:
        return {}
    n_judged = answer(client.get(f"/projects/{project_id}/review"))["n_judged"]
    return {} if n_judged else seeds


def _send(
    client: httpx2.Client, project_id: str, lines: Lines, unchanged: str, order: str = "reading"
) -> int:
    """Send labels, if there are any; return how many changed.

    ``unchanged`` tells what became of the file if they cannot be sent, ``order`` what that of the
    lines is.

    Raises
    ------
    ServiceFailed
    """
    if not lines:
        return 0
    path = f"/projects/{project_id}/labels"
    ids = WrittenIds(lines)
    while True:
        sent = ids.lines
        response = client.put(path, json=as_labels(sent), params={"order": order})
        places = _unknown(response)
        if not places:
            return int(answer(response)["changed"])
        if not ids.rewrite(places):
            raise _unknown_ids(response, sent, places, unchanged)


def _send_read(client: httpx2.Client, project_id: str, lines: Lines) -> int:
    """Do what ``_send`` does, behind the seeds: none of these lines becomes one."""
    first = next(iter(lines), None)
    if first is None or any(line.label != POSITIVE for line in lines.values()):
        return _send(client, project_id, lines, SEEDS_SENT)
    # Before anything is judged, positives alone are seeds: so the first one is unsure for a moment.
    unsure = {first: lines[first]._replace(label=UNSURE)}
    n_changed = _send(client, project_id, lines | unsure, SEEDS_SENT)
    _send(client, project_id, {first: lines[first]}, BROKEN)
    return n_changed


def _unknown(response: httpx2.Response) -> list[int]:
    """Return the places of ids that the project does not have, the first hundred at most."""
    if response.is_success or response.headers.get("content-type") != PROBLEM:
        return []
    problem: dict[str, Any] = response.json()
    if problem["code"] != "document_not_found":
        return []
    return [int(error["pointer"].split("/")[1]) for error in problem["errors"]]


def _unknown_ids(
    response: httpx2.Response, lines: Lines, places: list[int], unchanged: str
) -> ServiceFailed:
    """Return an error that names the lines of ids that the project does not have."""
    numbers = [line.number for line in lines.values()]
    told = ", ".join(f"line {numbers[place]}" for place in places[:SHOWN_LINES])
    more = ", ..." if len(places) > SHOWN_LINES else ""
    return ServiceFailed(
        f"{response.json()['detail']} {unchanged} Did a spreadsheet change ids? See {told}{more}."
    )
