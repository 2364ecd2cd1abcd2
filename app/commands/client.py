"""Talking to a running service from the command line."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from shlex import quote
from typing import Any

import httpx2
from rich.console import Console

from app.command_failed import CommandFailed
from app.commands.service_address import here, without_password
from app.commands.shell_words import in_shell
from app.commands.waiting import Waiting
from app.settings import CLIENT_URL, SERVICE_HEADER

#: Of a connection and of each write; an answer may take as long as it takes.
CONNECT_SECONDS = 30.0
#: Of a proxy whose service is away.
GATEWAY_STATUSES = {502, 503, 504}
#: Where no terminal has a width: rows of tables are one line each, for pipes.
PIPE_WIDTH = 400
#: Hosts that no proxy of the environment knows: they mean this machine.
LOCAL = ("127.0.0.1", "localhost", "[::1]")
ID = re.compile("[0-9a-f]{32}")
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class ServiceFailed(CommandFailed):
    """The service did not do what was asked for; the message says what to do in the shell."""

    def __init__(self, message: str, project: str = "PROJECT") -> None:
        super().__init__(in_shell(message, project))


def plain_console(*, is_error: bool = False) -> Console:
    """Return a console that prints texts of users as they are, brackets and colons too.

    It leaves it to the terminal to break lines, so that they can be copied whole.
    """
    console = Console(stderr=is_error, highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    return console


def printable(text: str) -> str:
    """Return a text without what tells a terminal what to do."""
    return CONTROLS.sub("\ufffd", text)


@contextmanager
def connected(url: str, broken: str) -> Iterator[httpx2.Client]:
    """Give a client of the service at ``url``; ``broken`` says what to do when that breaks.

    Raises
    ------
    ServiceFailed
        If that is no address, nothing answers there, or another service, or the connection breaks.
    """
    try:
        shown = without_password(url)
    except (httpx2.InvalidURL, UnicodeEncodeError) as error:
        # Not shown: it may have a password.
        raise ServiceFailed(
            f"--url or {CLIENT_URL} is no address such as http://127.0.0.1:8000 or "
            "https://NAME:PASSWORD@HOST. In name and password write %40 for @ and %2F for /."
        ) from error
    waiting = Waiting(shown)
    try:
        with httpx2.Client(
            base_url=url,
            timeout=httpx2.Timeout(CONNECT_SECONDS, read=None),
            mounts={f"all://{host}": None for host in LOCAL},
            event_hooks={
                "request": [waiting.begin],
                "response": [waiting.end, _refuse_other_services],
            },
        ) as client:
            yield client
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        raise ServiceFailed(_unreachable(shown, str(error))) from error
    except UnicodeEncodeError as error:
        raise ServiceFailed("What was typed is not in UTF-8: type it again in UTF-8.") from error
    except httpx2.TransportError as error:
        why = str(error).rstrip(".") or type(error).__name__
        raise ServiceFailed(f"The connection to {shown} broke ({why}). {broken}") from error
    finally:
        waiting.end()


def _unreachable(url: str, why: str) -> str:
    if "[SSL" in why:
        return (
            f"No secure connection to {url} can be made: {why}. Say with --url whether it is http "
            "or https, and with SSL_CERT_FILE which certificates to trust."
        )
    return (
        f"Nothing answers at {url}. Start the service with `seedbed serve`, or say with --url or "
        f"{CLIENT_URL} where it is; if it was started just now, wait some seconds."
    )


def _refuse_other_services(response: httpx2.Response) -> None:
    name, value = SERVICE_HEADER
    if response.headers.get(name) == value:
        return
    if response.status_code in GATEWAY_STATUSES:
        raise httpx2.ConnectError(f"status {response.status_code}")
    shown = response.url.copy_with(userinfo=b"")
    if response.status_code == httpx2.codes.UNAUTHORIZED:
        raise ServiceFailed(
            f"Name and password are missing or wrong at {shown}: {CLIENT_URL} takes both, as in "
            "https://NAME:PASSWORD@HOST."
        )
    raise ServiceFailed(
        f"What answers at {shown} with status {response.status_code} does not look like "
        f"Seedbed: say with --url or {CLIENT_URL} where the service is."
    )


def answer(response: httpx2.Response, project: str = "PROJECT") -> Any:
    """Return the body of an answer; advice names ``project`` where the service does not.

    Raises
    ------
    ServiceFailed
        With what the service says is wrong.
    """
    check(response, project)
    return response.json()


def check(response: httpx2.Response, project: str = "PROJECT") -> None:
    """Refuse an answer that tells of an error, as ``answer`` does.

    Raises
    ------
    ServiceFailed
    """
    if not response.is_success:
        response.read()
        raise ServiceFailed(response.json()["detail"], project)


def lines_of(response: httpx2.Response) -> Iterator[bytes]:
    """Yield the lines of a streamed answer with their ends, as they come.

    Raises
    ------
    ServiceFailed
        With what the service says is wrong.
    """
    check(response)
    rest = b""
    for block in response.iter_bytes():
        *lines, rest = (rest + block).split(b"\n")
        yield from (line + b"\n" for line in lines)
    if rest:
        yield rest


def next_command(client: httpx2.Client, command: str) -> str:
    """Return a line that tells what to run next, at the same service."""
    return f"Next: {command_here(client, command)}"


def address_of(client: httpx2.Client) -> str:
    """Return where the service is, as paths are put behind it and may be shown."""
    return str(client.base_url.copy_with(userinfo=b"")).rstrip("/")


def command_here(client: httpx2.Client, command: str) -> str:
    """Return a command as it is typed for the same service."""
    url = client.base_url
    shown = url.copy_with(userinfo=b"NAME:PASSWORD") if url.userinfo else url
    is_default = str(url).rstrip("/") == here()
    where = "" if is_default else f" --url {quote(str(shown).rstrip('/'))}"
    name, _, rest = command.partition(" ")
    return f"seedbed {name}{where} {rest}"


def find_project(client: httpx2.Client, name: str) -> str | None:
    """Return the id of the project with this id or name; None where there is none.

    Raises
    ------
    ServiceFailed
        If several have the name.
    """
    if ID.fullmatch(name):
        return str(answer(client.get(f"/projects/{name}"))["id"])
    name = name.strip()  # as the service keeps it
    alike = pages(client, "projects", name=name)
    found = [project["id"] for project in alike if project["name"] == name]
    if len(found) > 1:
        raise ServiceFailed(
            f"{len(found)} projects have the name {name!r}: run the command with an id in its "
            f"place, one of {', '.join(found)}. `seedbed projects` shows what is in them."
        )
    return found[0] if found else None


def newest_model(client: httpx2.Client, project_id: str) -> dict[str, Any] | None:
    """Return the model of a project that was trained last, if any was."""
    newest = {"project_id": project_id, "page_size": "1"}
    models: list[dict[str, Any]] = answer(client.get("/models", params=newest))["models"]
    return models[0] if models else None


def newest_id(client: httpx2.Client, project_id: str) -> str | None:
    """Return the id of :func:`newest_model`."""
    model = newest_model(client, project_id)
    return None if model is None else model["id"]


def find_model(
    client: httpx2.Client,
    name: str,
    of_project: Callable[[httpx2.Client, str], str | None] = newest_id,
) -> str:
    """Return the id of a model as it is; of a project's name or id, that of one of its models.

    ``of_project`` chooses it.

    Raises
    ------
    ServiceFailed
    """
    if ID.fullmatch(name):
        model = client.get(f"/models/{name}")
        if model.status_code != httpx2.codes.NOT_FOUND or client.get(f"/projects/{name}").is_error:
            return str(answer(model)["id"])
    project_id = find_project(client, name)
    if project_id is None:
        raise ServiceFailed(
            f"No model has the id {name!r}, and no project that name.{_meant_project(client, name)}"
            " `seedbed projects` lists both."
        )
    model_id = of_project(client, project_id)
    if model_id is None:
        command = next_command(client, f"train {quote(name)}")
        raise ServiceFailed(f"The project {name!r} has no model yet. {command}")
    return model_id


def pages(client: httpx2.Client, name: str, /, **asked: str) -> Iterator[dict[str, Any]]:
    """Yield what is on all pages of a list of the service, such as ``projects``."""
    asked["page_size"] = "100"
    while True:
        page = answer(client.get(f"/{name}", params=asked))
        yield from page[name]
        if page["next_page_token"] is None:
            return
        asked["page_token"] = page["next_page_token"]


def meant(name: str, names: Sequence[str]) -> str:
    """Return a sentence with the nearest of the names, after a space; "" where none is near."""
    # What core.names does, without the libraries of core, which take seconds to load.
    near = get_close_matches(name, names, n=1) or [
        each for each in names if name and each.startswith(name)
    ]
    return f" Did you mean {near[0]!r}?" if near else ""


def _meant_project(client: httpx2.Client, name: str) -> str:
    return meant(name, [project["name"] for project in pages(client, "projects")])


def existing_project(client: httpx2.Client, name: str) -> str:
    """Return the id of the project with this id or name.

    Raises
    ------
    ServiceFailed
    """
    project_id = find_project(client, name)
    if project_id is None:
        raise ServiceFailed(
            f"There is no project {name!r}.{_meant_project(client, name)} `seedbed projects` lists "
            f"them, and `seedbed upload FILE --project {quote(name)} --label positives` makes one."
        )
    return project_id
