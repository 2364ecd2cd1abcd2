"""``seedbed upload``: files of documents into a project, as they are."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

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
    track,
)

from app.commands.client import (
    ServiceFailed,
    answer,
    command_here,
    connected,
    find_project,
    next_command,
    plain_console,
)
from app.commands.document_file import (
    INCOMPLETE,
    blocks_of,
    check_charset,
    headers_of,
    kept_input,
    piped,
    recoded,
    row_params,
)
from app.commands.next_steps import judging, training, updating
from app.commands.refused_rows import rejections
from app.commands.row_count import RowCount
from app.commands.shell_words import in_shell
from app.commands.text_files import left_out_warning, one_text_warning, rows_of, texts_in
from app.languages import language_name
from app.media_types import NDJSON, PLAIN

STANDARD_INPUT = Path("-")
BROKEN = "Run the command again: what was accepted is kept, and nothing is added twice."


def run(
    url: str,
    files: Sequence[Path],
    *,
    project: str,
    label: str,
    language: str | None,
    columns: dict[str, Any],
    charset: str,
    on_conflict: str = "replace",
    stdin: str | None = None,
) -> None:
    """Upload files or folders one after the other and print what became of the rows of each.

    ``columns`` tells the service how to read rows, as far as they are not None; ``stdin`` is the
    format of standard input, where that is the file.

    Raises
    ------
    ServiceFailed
    typer.Exit
        If rows were rejected that have a text.
    """
    console, notes = plain_console(), plain_console(is_error=True)
    sources = [_source(file, stdin, columns, charset) for file in files]
    n_received = n_refused = 0
    command = None
    with connected(url, BROKEN) as client:
        with _project(client, project, language, console) as project_id:
            path, conflict = f"/projects/{project_id}/{label}", {"on_conflict": on_conflict}
            first = _sent(client, path, sources[0], conflict, charset, notes)
        for number, source in enumerate(sources):
            try:
                report = first
                if number:
                    report = _sent(client, path, source, conflict, charset, notes)
            except ServiceFailed as error:
                raise ServiceFailed(f"{source.name}: {error} Files before it came in.") from error
            if len(sources) > 1:
                console.print(f"{source.name}:")
            _show(console, report, [text.name for text in source.texts])
            n_received += report["received"]
            n_refused += report["rejected"] - report["blank"]
            if label == "unlabeled" and command is None:
                command = judging(source.file, charset, report["warnings"], quote(project))
        update = updating(client, project_id, quote(project)) if label == "unlabeled" else None
        if update is not None:
            scores = command_here(client, update)
            console.print(f"To score what came in with the newest model: {scores}")
        if 2 * n_refused > n_received:
            console.print("Most rows were rejected: mend the file, then upload it again.")
        else:
            command = command or training(client, project_id, quote(project))
            console.print(next_command(client, command))
        if n_refused:
            raise typer.Exit(INCOMPLETE)


class Source(NamedTuple):
    """A file to upload, how it is told, and how the service is to read it.

    Of a folder ``texts`` are the files in it.
    """

    file: Path
    name: str
    headers: dict[str, str]
    params: dict[str, Any]
    texts: Sequence[Path] = ()


def _source(file: Path, stdin: str | None, columns: dict[str, Any], charset: str) -> Source:
    """Return what is known of a file before any is sent.

    Raises
    ------
    ServiceFailed
    """
    if file.suffix.lower() == ".zip":
        raise ServiceFailed(
            f"{file.name} is a zip file: unpack it and give what is in it, a folder of .txt as a "
            "whole."
        )
    if file.is_dir():
        if any(value is not None for value in columns.values()):
            raise ServiceFailed("--text-column, --id-column and --delimiter are not for folders.")
        return Source(file, str(file), {"content-type": NDJSON}, {}, texts_in(file))
    name = _name(file, stdin)
    headers = headers_of(name)
    params = row_params(name, headers, columns)
    check_charset(charset, headers)
    return Source(file, name.name if stdin is None else "standard input", headers, params)


def _sent(
    client: httpx2.Client,
    path: str,
    source: Source,
    conflict: dict[str, str],
    charset: str,
    notes: Console,
) -> dict[str, Any]:
    """Upload a file and return the report; what is told meanwhile are ``notes``.

    Raises
    ------
    ServiceFailed
    """
    params, headers = source.params | conflict, source.headers
    if source.texts:
        if (left_out := left_out_warning(source.file)) is not None:
            notes.print(left_out)
        texts = track(
            source.texts, source.name, console=notes, disable=not notes.is_terminal, transient=True
        )
        content = rows_of(texts, charset)
        response = client.post(path, params=params, content=content, headers=headers)
    else:
        is_plain = headers == {"content-type": PLAIN} and source.file != STANDARD_INPUT
        if is_plain and (warning := one_text_warning(source.file, charset)) is not None:
            notes.print(warning)
        rows = RowCount(headers)
        with opened(source.file, notes, rows) as stream:
            content = rows.counted(recoded(blocks_of(stream), charset))
            response = client.post(path, params=params, content=content, headers=headers)
    report: dict[str, Any] = answer(response)
    if not report["received"]:
        raise ServiceFailed(f"There are no documents in {source.name}.")
    return report


def _name(file: Path, stdin: str | None) -> Path:
    """Return a name that tells the format of a file."""
    if file != STANDARD_INPUT:
        if stdin is not None:
            raise ServiceFailed(f"--stdin is for -, standard input; {file.name} has its own name.")
        return file
    if stdin is None:
        raise ServiceFailed(
            "Say what standard input holds: --stdin csv, tsv, xlsx, parquet, ndjson, json, ris, "
            "nbib or txt (a document a line)."
        )
    return piped(stdin)


@contextmanager
def _project(
    client: httpx2.Client, name: str, language: str | None, console: Console
) -> Iterator[str]:
    """Give the id of a project; a new one is deleted again where nothing came into it."""
    project_id = find_project(client, name)
    if project_id is not None:
        if language is not None:
            _set_language(client, project_id, name, language)
        yield project_id
        return
    body = {"name": name} | ({} if language is None else {"language": language})
    project_id = str(answer(client.post("/projects", json=body))["id"])
    made = f"New project {name} ({project_id})"
    try:
        yield project_id
    except ServiceFailed:
        if answer(client.get(f"/projects/{project_id}"))["counts"]["total"]:
            console.print(made)
        else:
            client.delete(f"/projects/{project_id}")
        raise
    console.print(made)


def _set_language(client: httpx2.Client, project_id: str, name: str, language: str) -> None:
    """Change the language of a project that is still empty."""
    project = answer(client.get(f"/projects/{project_id}"))
    if project["language"] == language_name(language):
        return
    if project["counts"]["total"]:
        command = command_here(client, f"change {quote(name)} --language {quote(language)}")
        raise ServiceFailed(
            f"The language of the project is {project['language']}: leave out --language, or "
            f"change it with `{command}`. Nothing was uploaded."
        )
    answer(client.patch(f"/projects/{project_id}", json={"language": language}))


@contextmanager
def opened(file: Path, console: Console, rows: RowCount) -> Iterator[IO[bytes]]:
    """Open a file whose reading moves a bar, on a terminal, with the pace of its rows.

    Who stops it is told what becomes of the rows.
    """
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        rows,
        TimeRemainingColumn(),
    )
    try:
        with (
            Progress(*columns, console=console, disable=not console.is_terminal) as progress,
            _read(file, progress) as stream,
        ):
            yield stream
    except KeyboardInterrupt:
        console.print(f"Stopped. {BROKEN}")
        raise


@contextmanager
def _read(file: Path, progress: Progress) -> Iterator[IO[bytes]]:
    if file != STANDARD_INPUT:
        with progress.open(file, "rb", description=file.name) as stream:
            yield stream
        return
    with TemporaryFile() as kept:
        size = os.fstat(kept_input(kept).fileno()).st_size
        with progress.wrap_file(kept, total=size, description="standard input") as stream:
            yield stream


def _show(console: Console, report: dict[str, Any], names: Sequence[str]) -> None:
    counts = ("inserted", "replaced", "unchanged", "rejected")
    told = ", ".join(f"{report[name]:,} {name}" for name in counts if report[name])
    documents = "document" if report["received"] == 1 else "documents"
    console.print(
        f"{report['received']:,} {documents} in {report['seconds']:.1f} s "
        f"({report['documents_per_second']:,.0f} documents/s): {told}"
    )
    if report["replaced"]:
        console.print(
            "  replaced: rows with the id (without ids, the text) of a document that was there or "
            "came before them; where they differ, the last one holds"
        )
    if n_relabeled := report["relabeled"]:
        console.print(
            f"  {n_relabeled:,} documents that were not positive are positive now; a file with "
            "their ids and the label unlabeled takes that back (seedbed judge)"
        )
    for line in rejections(report, names):
        console.print(f"  {line}")
    for warning in report["warnings"]:
        console.print(f"Warning: {in_shell(warning)}")
