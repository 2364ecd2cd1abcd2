"""``seedbed upload``: a file of documents into a project, as it is."""

import codecs
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import IO, Any

import httpx2
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    find_project,
    next_command,
    plain_console,
)
from app.commands.row_count import RowCount
from app.commands.shell_words import in_shell

MEDIA_TYPES = {
    ".ndjson": "application/x-ndjson",
    ".jsonl": "application/x-ndjson",
    ".csv": "text/csv",
    ".tsv": "text/csv",
    ".txt": "text/plain",
    ".json": "application/json",
}
#: The charset of what is sent.
UTF8 = "utf-8"
ENCODINGS = {".gz": "gzip", ".zst": "zstd"}
BLOCK_BYTES = 2**18
SHOWN_REASONS = SHOWN_PLACES = 5
#: The exit code where part of a file is lost.
INCOMPLETE = 3
BROKEN = "Run the command again: what was accepted is kept, and nothing is added twice."


def run(
    url: str,
    file: Path,
    project: str,
    label: str,
    language: str | None,
    columns: dict[str, Any],
    charset: str,
    on_conflict: str = "replace",
) -> None:
    """Upload a file and print what became of its rows.

    ``columns`` tells the service how to read rows, as far as they are not None.

    Raises
    ------
    ServiceFailed
    typer.Exit
        If rows were rejected that have a text.
    """
    console = plain_console()
    headers = headers_of(file)
    params = row_params(file, headers, columns) | {"on_conflict": on_conflict}
    check_charset(headers, charset)
    with connected(url, BROKEN) as client:
        with _project(client, project, language, console) as project_id:
            path = f"/projects/{project_id}/{label}"
            rows = RowCount(headers)
            with opened(file, console, rows) as stream:
                content = rows.counted(recoded(blocks_of(stream), charset))
                response = client.post(path, params=params, content=content, headers=headers)
            report = answer(response)
            if not report["received"]:
                raise ServiceFailed(f"There are no documents in {file.name}.")
        _show(console, report)
        console.print(next_command(client, _next(client, project_id, project)), soft_wrap=True)
        if report["rejected"] > report["blank"]:
            raise typer.Exit(INCOMPLETE)


def row_params(file: Path, headers: dict[str, str], columns: dict[str, Any]) -> dict[str, Any]:
    """Return how the service is to read the rows of a file.

    Raises
    ------
    ServiceFailed
        If the format has no such columns.
    """
    given = {name: value for name, value in columns.items() if value is not None}
    if given and headers["content-type"] == MEDIA_TYPES[".txt"]:
        raise ServiceFailed("--text-column, --id-column and --delimiter are not for .txt.")
    if "delimiter" in given and headers["content-type"] != MEDIA_TYPES[".csv"]:
        raise ServiceFailed("--delimiter is for .csv and .tsv.")
    is_tsv = ".tsv" in map(str.lower, file.suffixes[-2:])
    return {"extra_fields": "metadata"} | ({"delimiter": "tab"} if is_tsv else {}) | given


def check_charset(headers: dict[str, str], charset: str) -> None:
    """Refuse a charset that there is not, or that of a compressed file.

    Raises
    ------
    ServiceFailed
    """
    try:
        "".encode(charset)
    except LookupError as error:
        raise ServiceFailed(f"There is no encoding {charset!r}; try cp1252 or utf-16.") from error
    if charset != UTF8 and "content-encoding" in headers:
        raise ServiceFailed("--encoding is for files that are not compressed: unpack it first.")


def recoded(blocks: Iterator[bytes], charset: str) -> Iterator[bytes]:
    """Yield blocks as UTF-8; the service checks those that should be."""
    if charset == UTF8:
        yield from blocks
        return
    try:
        for text in codecs.iterdecode(blocks, charset):
            yield text.encode()
    except UnicodeError as error:
        raise ServiceFailed(f"The file is not {charset}: {error}.") from error


@contextmanager
def _project(
    client: httpx2.Client, name: str, language: str | None, console: Console
) -> Iterator[str]:
    """Give the id of a project; a new one is deleted again where nothing came into it."""
    project_id = find_project(client, name)
    if project_id is not None:
        if language is not None:
            _set_language(client, project_id, language)
        yield project_id
        return
    body = {"name": name} | ({} if language is None else {"language": language})
    project_id = str(answer(client.post("/projects", json=body))["id"])
    made = f"New project {name} ({project_id})"
    try:
        yield project_id
    except ServiceFailed:
        if answer(client.get(f"/projects/{project_id}"))["counts"]["total"]:
            console.print(made, soft_wrap=True)
        else:
            client.delete(f"/projects/{project_id}")
        raise
    console.print(made, soft_wrap=True)


def _set_language(client: httpx2.Client, project_id: str, language: str) -> None:
    """Change the language of a project that is still empty."""
    project = answer(client.get(f"/projects/{project_id}"))
    if project["language"] == language:
        return
    if project["counts"]["total"]:
        raise ServiceFailed(
            f"The language of the project is {project['language']}: leave out --language, or name "
            "another project. Nothing was uploaded."
        )
    answer(client.patch(f"/projects/{project_id}", json={"language": language}))


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
            f"The name {file.name} does not tell a format that can be read. Save a spreadsheet as "
            f"CSV in UTF-8. Names end in {', '.join(MEDIA_TYPES)}, and then .gz or .zst if the "
            "file is compressed."
        )
    return {"content-type": media_type} | ({"content-encoding": encoding} if encoding else {})


@contextmanager
def opened(file: Path, console: Console, rows: RowCount) -> Iterator[IO[bytes]]:
    """Open a file whose reading moves a bar, on a terminal, with the pace of its rows."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        rows,
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
        f"({report['documents_per_second']:,.0f} documents/s): {told}"
    )
    if report["replaced"]:
        console.print(
            "  replaced: rows with the id of a document that was there or came before them or, "
            "without ids, with its text; where they differ, the last one holds"
        )
    for line in rejections(report):
        console.print(f"  {line}", soft_wrap=True)
    for warning in report["warnings"]:
        console.print(f"Warning: {in_shell(warning)}", soft_wrap=True)


def rejections(report: dict[str, Any]) -> Iterator[str]:
    """Yield each reason why rows were rejected, with the places of the first of them."""
    places = defaultdict[str, list[str]](list)
    for error in report["errors"]:
        place = f"line {error['line']}" if "line" in error else f"index {error['index']}"
        places[error["reason"]].append(place)
    n_told = 0
    for reason, found in islice(places.items(), SHOWN_REASONS):
        shown = ", ".join(found[:SHOWN_PLACES])
        more = f" and {len(found) - SHOWN_PLACES} more" if len(found) > SHOWN_PLACES else ""
        yield f"{shown}{more}: {in_shell(reason)}"
        n_told += len(found)
    if n_left := report["rejected"] - n_told:
        yield f"Rejected besides: {n_left:,}."
