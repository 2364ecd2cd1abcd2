"""``seedbed delete``: a project with all that belongs to it."""

import typer

from app.commands.client import answer, check, connected, existing_project, plain_console


def run(url: str, project: str, *, asks: bool) -> None:
    """Delete a project, once it is confirmed where that is asked for.

    Raises
    ------
    ServiceFailed, typer.Abort
    """
    with connected(url, "`seedbed projects` tells whether the project is there still.") as client:
        project_id = existing_project(client, project)
        if asks:
            n_documents = answer(client.get(f"/projects/{project_id}"))["counts"]["total"]
            question = f"Delete {project}, its {n_documents:,} documents, labels, jobs and models?"
            typer.confirm(question, abort=True)
        check(client.delete(f"/projects/{project_id}"))
        plain_console().print(f"Deleted {project}.", soft_wrap=True)
