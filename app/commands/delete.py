"""``seedbed delete``: a project with all that belongs to it, or its older models."""

from itertools import islice

import httpx2
import typer

from app.commands.client import answer, check, connected, existing_project, plain_console
from app.commands.models import models_of


def run(url: str, project: str, *, asks: bool, models_but: int | None) -> None:
    """Delete a project or its older models, once it is confirmed where that is asked for.

    Raises
    ------
    ServiceFailed, typer.Abort
    """
    with connected(url, "`seedbed projects` tells whether the project is there still.") as client:
        project_id = existing_project(client, project)
        if models_but is None:
            _delete_project(client, project_id, project, asks=asks)
        else:
            delete_models(client, project_id, project, asks=asks, n_kept=models_but)


def _delete_project(client: httpx2.Client, project_id: str, name: str, *, asks: bool) -> None:
    if asks:
        n_documents = answer(client.get(f"/projects/{project_id}"))["counts"]["total"]
        question = f"Delete {name}, its {n_documents:,} documents, labels, jobs and models?"
        typer.confirm(question, abort=True)
    check(client.delete(f"/projects/{project_id}"))
    plain_console().print(f"Deleted {name}.", soft_wrap=True)


def delete_models(
    client: httpx2.Client, project_id: str, name: str, *, asks: bool, n_kept: int
) -> None:
    """Delete all models but the newest and the champion; ``name`` is that of the project."""
    others = islice(models_of(client, project_id), n_kept, None)
    older = [model["id"] for model in others if not model["is_champion"]]
    if older and asks:
        typer.confirm(f"Delete older models of {name}: {len(older):,}?", abort=True)
    for model_id in older:
        check(client.delete(f"/models/{model_id}"))
    plain_console().print(f"Models deleted: {len(older):,}.", soft_wrap=True)
