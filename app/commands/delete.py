"""``seedbed delete``: a project with all that belongs to it, its older models, or documents."""

import re
from itertools import islice
from pathlib import Path

import httpx2
import typer

from app.commands.client import (
    ServiceFailed,
    answer,
    check,
    connected,
    existing_project,
    pages,
    plain_console,
)
from app.document_sizes import MAX_ID_CHARACTERS

#: Ids that are sent at a time.
IDS_AT_A_TIME = 10_000
SHOWN_IDS = 5
#: What to do where the service goes away meanwhile.
_OF_PROJECT = "`seedbed projects` tells whether the project is there still."
_OF_DOCUMENTS = "Run the command again: documents that are gone are then ids of no document."
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def run(
    url: str, project: str, *, asks: bool, models_but: int | None, documents: Path | None
) -> None:
    """Delete a project, its older models or documents, confirmed first where that is asked for.

    Raises
    ------
    ServiceFailed, typer.Abort
    """
    if documents is not None and models_but is not None:
        raise ServiceFailed("Give --documents or --models-but, not both.")
    ids = None if documents is None else _ids_in(documents)
    hint = _OF_PROJECT if ids is None else _OF_DOCUMENTS
    with connected(url, hint) as client:
        project_id = existing_project(client, project)
        if ids is not None:
            delete_documents(client, project_id, project, ids, asks=asks)
        elif models_but is None:
            _delete_project(client, project_id, project, asks=asks)
        else:
            delete_models(client, project_id, project, asks=asks, n_kept=models_but)


def _delete_project(client: httpx2.Client, project_id: str, name: str, *, asks: bool) -> None:
    if asks:
        n_documents = answer(client.get(f"/projects/{project_id}"))["counts"]["total"]
        question = f"Delete {name}, its {n_documents:,} documents, labels, jobs and models?"
        typer.confirm(question, abort=True)
    check(client.delete(f"/projects/{project_id}"))
    plain_console().print(f"Deleted {name}.")


def delete_models(
    client: httpx2.Client, project_id: str, name: str, *, asks: bool, n_kept: int
) -> None:
    """Delete all models but the newest and the champion; ``name`` is that of the project."""
    others = islice(pages(client, "models", project_id=project_id), n_kept, None)
    older = [model["id"] for model in others if not model["is_champion"]]
    if older and asks:
        typer.confirm(f"Delete older models of {name}: {len(older):,}?", abort=True)
    for model_id in older:
        check(client.delete(f"/models/{model_id}"))
    plain_console().print(f"Models deleted: {len(older):,}.")


def delete_documents(
    client: httpx2.Client, project_id: str, name: str, ids: list[str], *, asks: bool
) -> None:
    """Delete the documents with these ids; ``name`` is that of the project."""
    if asks:
        typer.confirm(f"Delete documents of {name}: {len(ids):,}?", abort=True)
    n_deleted, unknown = 0, list[str]()
    for start in range(0, len(ids), IDS_AT_A_TIME):
        body = {"ids": ids[start : start + IDS_AT_A_TIME]}
        report = answer(client.post(f"/projects/{project_id}/deletions", json=body))
        n_deleted += report["deleted"]
        unknown += report["unknown_ids"]
    console = plain_console()
    console.print(f"Documents deleted: {n_deleted:,}.")
    if n_deleted < len(ids):
        shown = ", ".join(map(repr, unknown[:SHOWN_IDS]))
        told = f"Ids of no document: {len(ids) - n_deleted:,}, such as {shown}."
        console.print(told)


def _ids_in(file: Path) -> list[str]:
    """Return the ids in the lines of a file, each once, without the blanks around them.

    So `judge` and uploads read tables.
    """
    try:
        lines = map(str.strip, file.read_text(encoding="utf-8-sig").split("\n"))
    except (OSError, UnicodeDecodeError) as error:
        raise ServiceFailed(f"{file} cannot be read as text in UTF-8: {error}.") from error
    numbers = {id_: number for number, id_ in enumerate(lines, 1) if id_}
    if not numbers:
        raise ServiceFailed(f"{file} has no ids: write one in each line.")
    for id_, number in numbers.items():
        if len(id_) > MAX_ID_CHARACTERS or _CONTROL.search(id_):
            raise ServiceFailed(f"Line {number} of {file} is no id: {id_[:40]!r}.")
    return [*numbers]
