"""``seedbed champion``: the model that answers for its project."""

import httpx2
import typer

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    find_model,
    newest_id,
    plain_console,
)


def run(url: str, name: str) -> None:
    """Let a model, or the newest of a project, answer for its project.

    Raises
    ------
    ServiceFailed
    """
    with connected(url, "Run the command again.") as client:
        model_id = find_model(client, name)
        project_id = answer(client.get(f"/models/{model_id}"))["project_id"]
        path = f"/projects/{project_id}/champion"
        answer(client.put(path, json={"model_id": model_id}))
        project = answer(client.get(f"/projects/{project_id}"))["name"]
        plain_console().print(f"Model {model_id} answers for {project} now.")


def champion_of(client: httpx2.Client, project_id: str) -> str | None:
    """Return the model that answers for a project, and tell of one that is newer.

    Raises
    ------
    ServiceFailed
        If the model that did was deleted.
    """
    champion = answer(client.get(f"/projects/{project_id}"))["champion_id"]
    newest = newest_id(client, project_id)
    if champion is None and newest is not None:
        raise ServiceFailed(
            "The champion of the project, which answered for it, was deleted. `seedbed champion "
            f"{newest}` lets the newest model answer."
        )
    if champion != newest:
        typer.echo(
            f"By the champion of the project, {champion}. There is a newer model, {newest}: give "
            "its id in place of the project, or let it answer for the project: seedbed champion "
            f"{newest}",
            err=True,
        )
    return None if champion is None else str(champion)
