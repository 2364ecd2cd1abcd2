"""``seedbed models``: the models of a project, the newest first."""

from datetime import datetime
from shlex import quote
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table

from app.commands.client import connected, existing_project, next_command, pages, plain_console


def run(url: str, project: str) -> None:
    """Print a table of the models.

    Raises
    ------
    ServiceFailed
    """
    with connected(url, "Run the command again.") as client:
        show(client, existing_project(client, project), quote(project), plain_console())


def show(client: httpx2.Client, project_id: str, name: str, console: Console) -> None:
    """Print the table, or how to train a first model; ``name`` is that of the project."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for column in ("model", "algorithm", "trained", "ranking", "answers"):
        table.add_column(column, no_wrap=True)
    for model in pages(client, "models", project_id=project_id):
        ranking = "current" if model["ranking"]["is_current"] else "older"
        answers = "champion" if model["is_champion"] else ""
        trained = local_time(model["created_at"])
        table.add_row(model["id"], model["algorithm"], trained, ranking, answers)
    if table.row_count:
        console.print(table)
    else:
        command = next_command(client, f"train {name}")
        console.print(f"There are no models. {command}")


def which_model(model: dict[str, Any]) -> str:
    """Return in words which one it is."""
    trained = local_time(model["created_at"])
    return f"By {model['algorithm']}, trained {trained}: model {model['id']}."


def local_time(time: str) -> str:
    """Return a time of the service as one of here, to the minute."""
    return f"{datetime.fromisoformat(time).astimezone():%Y-%m-%d %H:%M}"
