"""What to run next, by what the newest model tells of its project."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import httpx2

from app.commands.client import ServiceFailed, answer, newest_model
from app.commands.label_file import read_lines
from app.commands.own_labels import UNLABELED
from app.services.intake.csv_columns import COLUMNS_LEFT_OUT

#: The algorithms whose rankings end with what does not belong, the first to try first.
FOR_NOVELTY = ("knn_density", "lgn", "one_class_nb")
#: How to read the ranking of a model for which ``is_novelty`` holds.
READ_THE_END = (
    "What does not belong is at the end of the ranking, which --last shows: read that rather than "
    "trust the cut."
)


def is_novelty(model: dict[str, Any]) -> bool:
    """Return whether most of the pile is of the kind, so that what is not is looked for."""
    return any(finding["reason"] == "mostly_positive" for finding in model["doctor"])


def training(client: httpx2.Client, project_id: str, name: str) -> str:
    """Return the command that trains anew, or uploads the documents that this takes."""
    counts = answer(client.get(f"/projects/{project_id}"))["counts"]
    if not counts["positive"]:
        return f"upload EXAMPLES --project {name} --label positives"
    if counts["positive"] == counts["total"]:
        return f"upload PILE --project {name} --label unlabeled"
    model = newest_model(client, project_id)
    if model is None or not is_novelty(model):
        return f"train {name}"
    algorithm = model["algorithm"] if model["algorithm"] in FOR_NOVELTY else FOR_NOVELTY[0]
    return f"train {name} --algorithm {algorithm}"


def judging(file: Path, charset: str, warnings: Sequence[str], name: str) -> str | None:
    """Return the command that sends the labels of a file whose texts came in, if it has any.

    Only of files that Seedbed wrote, as the warnings of their uploads tell.
    """
    if not any(warning.startswith(COLUMNS_LEFT_OUT) for warning in warnings):
        return None
    try:
        lines = read_lines(file, charset).lines
    except (ServiceFailed, OSError):  # packed, say, or standard input
        return None
    has_labels = any(line.label != UNLABELED for line in lines.values())
    return f"judge {name} {quote(str(file))}" if has_labels else None


def updating(client: httpx2.Client, project_id: str, name: str) -> str | None:
    """Return the command that scores what came in since; None where no model lacks it."""
    model = newest_model(client, project_id)
    if model is None or model["ranking"]["is_current"]:
        return None
    return f"ranking {name} {'--last ' * is_novelty(model)}--update"


def reading(client: httpx2.Client, project_id: str, name: str) -> str:
    """Return the command that shows what to judge next, or trains what has to be there first."""
    model = newest_model(client, project_id)
    if model is None:
        return training(client, project_id, name)
    if is_novelty(model):
        return f"ranking {name} --last --label unlabeled --output odd.csv"
    return f"next {name} --output round.csv"
