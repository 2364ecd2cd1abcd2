"""``seedbed judge``: labels from the file of a round into a project."""

import csv
from collections import Counter
from pathlib import Path
from shlex import quote
from typing import Any

import httpx2

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    existing_project,
    next_command,
    plain_console,
)

LABELS = ("positive", "negative", "unsure")
SHOWN_IDS = 5
BROKEN = "Run the command again: labels that are there already stay as they are."


def run(url: str, project: str, file: Path) -> None:
    """Send the labels of a file and print how many there are of each.

    Raises
    ------
    ServiceFailed
    """
    labels, n_blank = read_labels(file)
    if not labels:
        raise ServiceFailed(f"No row of {file.name} has a label: write {' or '.join(LABELS)}.")
    console = plain_console()
    with connected(url, BROKEN) as client:
        path = f"/projects/{existing_project(client, project)}/labels"
        response = client.put(path, json=labels)
        _check_ids(response, labels)
        report = answer(response)
        counts = Counter(item["label"] for item in labels)
        told = ", ".join(f"{counts[label]:,} {label}" for label in LABELS if counts[label])
        console.print(
            f"{told}; {report['changed']:,} changed. Rows without a label: {n_blank:,}.",
            soft_wrap=True,
        )
        console.print(next_command(client, f"train {quote(project)}"), soft_wrap=True)


def read_labels(file: Path) -> tuple[list[dict[str, str]], int]:
    """Return the labels of a CSV in their order, and how many rows have none.

    Raises
    ------
    ServiceFailed
    """
    csv.field_size_limit(2**31 - 1)
    labels, n_blank = [], 0
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            # Spreadsheets of some countries write semicolons; names of columns have neither.
            delimiter = ";" if ";" in stream.readline() else ","
            stream.seek(0)
            reader = csv.DictReader(stream, delimiter=delimiter)
            if not {"id", "label"} <= set(reader.fieldnames or ()):
                raise ServiceFailed(f"{file.name} needs the columns id and label.")
            for row in reader:
                label = (row["label"] or "").strip().lower()
                if label and not row["id"]:
                    raise ServiceFailed(
                        f"Line {reader.line_num} of {file.name} has a label and no id. Nothing was "
                        "changed."
                    )
                if label and label not in LABELS:
                    raise ServiceFailed(
                        f"Line {reader.line_num} of {file.name}: {label!r} is no label; write "
                        f"{', '.join(LABELS)}, or nothing. Nothing was changed."
                    )
                if label:
                    labels.append({"id": row["id"], "label": label})
                n_blank += not label
    except (UnicodeDecodeError, csv.Error) as error:
        raise ServiceFailed(f"Save {file.name} as CSV in UTF-8: {error}.") from error
    return labels, n_blank


def _check_ids(response: httpx2.Response, labels: list[dict[str, str]]) -> None:
    """Name the ids that the project does not have.

    Raises
    ------
    ServiceFailed
    """
    if response.is_success or response.headers.get("content-type") != "application/problem+json":
        return
    problem: dict[str, Any] = response.json()
    if problem["code"] == "document_not_found":
        places = [int(error["pointer"].split("/")[1]) for error in problem["errors"]]
        ids = ", ".join(labels[place]["id"] for place in places[:SHOWN_IDS])
        raise ServiceFailed(
            f"{problem['detail']} Nothing was changed. Did a spreadsheet change ids? {ids}"
        )
