"""``seedbed projects``: what there is, and the model trained last of each."""

from collections import Counter
from operator import itemgetter

import httpx2
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.commands.client import connected, next_command, pages, plain_console, printable

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
    projects = sorted(pages(client, "projects", counts="true"), key=itemgetter("name"))
    if not projects:
        command = "upload FILE --project NAME --label positives"
        console.print(f"There are no projects. {next_command(client, command)}")
        return
    shared = Counter(project["name"] for project in projects)
    # A terminal of 80 columns has room for a name beside the counts and an id.
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("project", overflow="fold")
    for name in COUNTS:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("newest model", no_wrap=True)
    for project in projects:
        name, counts = project["name"], project["counts"]
        # Of projects with the same name, commands take the id.
        told = name if shared[name] == 1 else f"{name} ({project['id']})"
        numbers = [f"{counts[label]:,}" for label in COUNTS]
        table.add_row(Text(printable(told)), *numbers, project["newest_model_id"] or "none")
    console.print(table)
