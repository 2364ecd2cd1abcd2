"""Advice of the service, which names routes, in words of the shell."""

import re
from functools import partial

#: Routes, as messages of the service name them, and the command for each.
COMMANDS = (
    (
        r"POST /projects/(\w+)/(positives|unlabeled)",
        r"`seedbed upload FILE --project \1 --label \2`",
    ),
    (r"POST /train", "`seedbed train PROJECT`"),
    (r"POST /models/(\w+)/ranking", r"`seedbed ranking \1 --update`"),
    (r"GET /projects/(\w+)/next", r"`seedbed next \1`"),
    (r"PUT /projects/(\w+)/labels", r"`seedbed judge \1 FILE`"),
    (r"GET /projects/(\w+)/review", r"`seedbed review \1`"),
    (r"PUT /projects/(\w+)/champion", r"`seedbed champion \1`"),
    (r"GET /projects lists all", "`seedbed projects` lists all"),
    (r"GET /models lists all", "`seedbed projects` lists the newest"),
    (r"GET /review of the project", "`seedbed review PROJECT`"),
    (r"Send \w+=\S+; with the command: seedbed upload (--.+?)(?=\.( |$))", r"Add \1"),
    (r"send \w+=\S+; with the command: seedbed upload (--.+?)(?=\.( |$))", r"add \1"),
)


def in_shell(told: str, project: str = "PROJECT") -> str:
    """Return what the service says with the commands that do what its routes do.

    Parameters
    ----------
    told : str
        A problem, a reason or a warning.
    project : str, default="PROJECT"
        The project as the shell takes it, where the message does not name it.
    """
    for route, command in COMMANDS:
        told = re.sub(route, partial(_command, command, project), told)
    return told


def _command(command: str, project: str, found: re.Match[str]) -> str:
    return found.expand(command).replace("PROJECT", project)
