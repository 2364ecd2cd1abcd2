"""``seedbed projects``: what there is, and the model trained last of each."""

from collections import Counter
from operator import itemgetter

import httpx2
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.commands.client import connected, next_command, pages, plain_console, printable

COUNTS = ("positive", "unlabeled", "negative", "unsure")


def run(url: str, name: str | None = None) -> None:
    """Print a table of the projects, by name: of all, or those whose name contains ``name``.

    Raises
    ------
    ServiceFailed
    """
    with connected(url, "Run the command again.") as client:
        show(client, plain_console(), name)


def show(client: httpx2.Client, console: Console, name: str | None = None) -> None:
    """Print the table, or how to make a first project."""
    wanted = {"name": name} if name else {}
    found = pages(client, "projects", counts="true", **wanted)
    projects = sorted(found, key=itemgetter("name"))
    if not projects and name:
        console.print(f"No project has {printable(name)!r} in its name.")
        return
    if not projects:
        command = "upload FILE --project NAME --label positives"
        console.print(f"There are no projects. {next_command(client, command)}")
        return
    shared = Counter(project["name"] for project in projects)
    # A terminal of 80 columns has room for a name beside the counts and an id.
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("project", overflow="fold")
    for label in COUNTS:
        table.add_column(label, justify="right", no_wrap=True)
    table.add_column("newest model", no_wrap=True)
    for project in projects:
        called, counts = project["name"], project["counts"]
        # Of projects with the same name, commands take the id.
        told = called if shared[called] == 1 else f"{called} ({project['id']})"
        numbers = [f"{counts[label]:,}" for label in COUNTS]
        table.add_row(Text(printable(told)), *numbers, project["newest_model_id"] or "none")
    console.print(table)
