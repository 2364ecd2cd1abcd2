"""``seedbed upload``: a file of documents into a project, as it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import IO, Any

import httpx2
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from app.client import (
    ServiceFailed,
    answer,
    connected,
    find_project,
    next_command,
    plain_console,
)

MEDIA_TYPES = {
    ".ndjson": "application/x-ndjson",
    ".jsonl": "application/x-ndjson",
    ".csv": "text/csv",
    ".txt": "text/plain",
    ".json": "application/json",
}
ENCODINGS = {".gz": "gzip", ".zst": "zstd"}
BLOCK_BYTES = 2**18
SHOWN_ERRORS = 5
BROKEN = "Run the command again: what was accepted is kept, and nothing is added twice."


def run(url: str, file: Path, project: str, label: str, language: str | None) -> None:
    """Upload a file and print what became of its rows.

    Raises
    ------
    ServiceFailed
    """
    console = plain_console()
    headers = headers_of(file)
    with connected(url, BROKEN) as client:
        project_id = find_project(client, project)
        if project_id is None:
            body = {"name": project} | ({} if language is None else {"language": language})
            project_id = answer(client.post("/projects", json=body))["id"]
            console.print(f"New project {project} ({project_id})", soft_wrap=True)
        elif language is not None:
            _check_language(client, project_id, language)
        path = f"/projects/{project_id}/{label}"
        with opened(file, console) as stream:
            response = client.post(path, content=blocks_of(stream), headers=headers)
        _show(console, answer(response))
        console.print(next_command(client, _next(client, project_id, project)), soft_wrap=True)


def _check_language(client: httpx2.Client, project_id: str, language: str) -> None:
    known = answer(client.get(f"/projects/{project_id}"))["language"]
    if known != language:
        raise ServiceFailed(
            f"The language of the project is {known}: leave out --language, or name "
            "another project. Nothing was uploaded."
        )


def _next(client: httpx2.Client, project_id: str, project: str) -> str:
    """Return the command that the documents of the project lack."""
    counts = answer(client.get(f"/projects/{project_id}"))["counts"]
    if not counts["positive"]:
        return f"upload EXAMPLES --project {quote(project)} --label positives"
    if not counts["unlabeled"]:
        return f"upload PILE --project {quote(project)} --label unlabeled"
    return f"train {quote(project)}"


def headers_of(file: Path) -> dict[str, str]:
    """Return what the name of a file says about its content.

    Raises
    ------
    ServiceFailed
    """
    suffixes = [suffix.lower() for suffix in file.suffixes]
    encoding = ENCODINGS.get(suffixes[-1]) if suffixes else None
    if encoding is not None:
        suffixes.pop()
    media_type = MEDIA_TYPES.get(suffixes[-1]) if suffixes else None
    if media_type is None:
        raise ServiceFailed(
            f"The name {file.name} does not tell a format: end it in one of "
            f"{', '.join(MEDIA_TYPES)}, and then .gz or .zst if it is compressed."
        )
    return {"content-type": media_type} | ({"content-encoding": encoding} if encoding else {})


@contextmanager
def opened(file: Path, console: Console) -> Iterator[IO[bytes]]:
    """Open a file whose reading moves a bar, on a terminal."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with (
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
        progress.open(file, "rb", description=file.name) as stream,
    ):
        yield stream


def blocks_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what is in a file."""
    while block := stream.read(BLOCK_BYTES):
        yield block


def _show(console: Console, report: dict[str, Any]) -> None:
    counts = ("inserted", "replaced", "unchanged", "rejected")
    told = ", ".join(f"{report[name]:,} {name}" for name in counts if report[name])
    console.print(
        f"{report['received']:,} documents in {report['seconds']:.1f} s "
        f"({report['documents_per_second']:,.0f} documents/s): {told or 'nothing in them'}"
    )
    for error in report["errors"][:SHOWN_ERRORS]:
        place = f"line {error['line']}" if "line" in error else f"index {error['index']}"
        console.print(f"  {place}: {error['reason']}")
    for warning in report["warnings"]:
        console.print(f"Warning: {warning}")
