"""``seedbed projects``: what there is, and the model trained last of each."""

from collections import Counter

import httpx2
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.commands.client import (
    answer,
    connected,
    newest_id,
    next_command,
    pages,
    plain_console,
    printable,
)

COUNTS = ("positive", "unlabeled", "negative", "unsure")


def run(url: str) -> None:
    """Print a table of the projects, by name.

    Raises
    ------
    ServiceFailed
    """
    with connected(url, "Run the command again.") as client:
        show(client, plain_console())


def show(client: httpx2.Client, console: Console) -> None:
    """Print the table, or how to make a first project."""
    projects = {project["id"]: project["name"] for project in pages(client, "projects")}
    if not projects:
        command = "upload FILE --project NAME --label positives"
        console.print(f"There are no projects. {next_command(client, command)}")
        return
    shared = Counter(projects.values())
    # A terminal of 80 columns has room for a name beside the counts and an id.
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("project", overflow="fold")
    for name in COUNTS:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("newest model", no_wrap=True)
    for project_id, name in sorted(projects.items(), key=lambda project: project[1]):
        # Of projects with the same name, commands take the id.
        told = name if shared[name] == 1 else f"{name} ({project_id})"
        table.add_row(Text(printable(told)), *_row(client, project_id))
    console.print(table)


def _row(client: httpx2.Client, project_id: str) -> list[str]:
    counts = answer(client.get(f"/projects/{project_id}"))["counts"]
    told = [f"{counts[name]:,}" for name in COUNTS]
    return [*told, newest_id(client, project_id) or "none"]
