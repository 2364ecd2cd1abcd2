"""``seedbed change``: another language or name for a project that is there."""

from shlex import quote

import httpx2

from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    existing_project,
    newest_id,
    next_command,
    pages,
    plain_console,
)

_SHARED = (
    "Another project has this name, too, so commands take neither of them by it. Name this one by "
    "its id, {id}, or choose another name."
)


def run(url: str, project: str, *, language: str | None, name: str | None) -> None:
    """Change a project and print what it is now.

    Raises
    ------
    ServiceFailed
    """
    asked = {"language": language, "name": name}
    body = {field: value for field, value in asked.items() if value is not None}
    if not body:
        raise ServiceFailed("Say what is to change, with --language or --name.")
    console = plain_console()
    with connected(url, "Run the command again.") as client:
        project_id = existing_project(client, project)
        before = answer(client.get(f"/projects/{project_id}"))
        after = answer(client.patch(f"/projects/{project_id}", json=body))
        console.print(f"Project {after['name']}, language {after['language']}.")
        is_shared = name is not None and _is_shared(client, after["name"])
        if is_shared:
            console.print(_SHARED.format(id=project_id))
        if before["language"] != after["language"] and newest_id(client, project_id) is not None:
            console.print("Its models were trained with the old language: train a new one.")
            told = project_id if is_shared or project == project_id else after["name"]
            console.print(next_command(client, f"train {quote(told)}"))


def _is_shared(client: httpx2.Client, name: str) -> bool:
    return [each["name"] for each in pages(client, "projects", name=name)].count(name) > 1
