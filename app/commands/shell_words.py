"""Advice of the service, which names routes and fields, in words of the shell."""

import re
from functools import partial

#: Routes and fields, as messages of the service name them, and the command or option for each.
COMMANDS = (
    (
        r"POST /projects/(\w+)/(positives|unlabeled)",
        r"`seedbed upload FILE --project \1 --label \2`",
    ),
    (r"GET /projects/ID/documents", "`seedbed ranking PROJECT --label all`"),
    (r"POST /train", "`seedbed train PROJECT`"),
    (r"POST /models/(\w+)/ranking", r"`seedbed ranking \1 --update`"),
    (r"GET /projects/(\w+)/next", r"`seedbed next \1`"),
    (r"PUT /projects/(\w+)/labels", r"`seedbed judge \1 FILE`"),
    (r"GET /projects/(\w+)/review", r"`seedbed review \1`"),
    (r"PUT /projects/(\w+)/champion", r"`seedbed champion \1`"),
    (r"GET /projects lists all", "`seedbed projects` lists all"),
    (r"GET /jobs lists all", "/jobs of the service lists all"),
    (r"GET /models\?project_id=(\w+) lists", r"`seedbed models \1` lists"),
    (r"GET /models lists all", "`seedbed projects` lists the newest"),
    (r"GET /review of the project", "`seedbed review PROJECT`"),
    (
        r"GET /documents of the project( lists them with \?label=unsure)?",
        "`seedbed ranking PROJECT --label unsure` lists them",
    ),
    (r"or convert it[^;]+; for the command, (--encoding [\w-]+)", r"or add \1"),
    (r"send it with the header [^;]+; for the command, ", ""),
    (r"what is not compressed without [^;]+; for the command, ", "what is not compressed "),
    (r"send one document per line as application/x-ndjson", "write one a line into a .ndjson"),
    (r"Send NDJSON as [^;]+; for the command, end", "End"),
    (r"Send \w+=\S+; for the command, (--.+?)(?=\.( |$))", r"Add \1"),
    (r"send \w+=\S+; for the command, (--.+?)(?=\.( |$))", r"add \1"),
    (r"send \w+=.+? \(seedbed upload (--.+?)\)(?=, into)", r"add \1"),
    (r"send language=\w+ with PATCH [^;]+; for the command, (.+?)(?=\.( |$))", r"run `\1`"),
    (r"send positive=LABEL", "add --positive LABEL"),
    (r"send on_conflict=error", "add --on-conflict error"),
    (r"(^|; )/name(?=: )", r"\1The name of the project"),
    (r"(^|; )/params(?=: )", r"\1--param"),
    (r"(^|; )/(algorithm|cut|language|vectorizer)(?=: )", r"\1--\2"),
    (r"(^|; )/(class|time)_(prior|budget)(?=: )", r"\1--\2-\3"),
    (
        r"params belong to an algorithm: name it in algorithm",
        "--param belongs to an algorithm: name it with --algorithm",
    ),
    (r"class_prior is (\S+) and (\S+) in params", r"--class-prior is \1, and \2 by --param"),
    (r"needs calibrate to be true", "does not go with --no-calibrate"),
    (r'"calibrate": false needs an algorithm by name', "--no-calibrate needs --algorithm"),
    (r"(^|; )/calibrate(?=: )", r"\1--no-calibrate"),
    (r'"calibrate": false', "--no-calibrate"),
    (r"a smaller time_budget", "a smaller --time-budget"),
    (r"fewer terms \((.+?)\)", r"fewer terms (--vectorizer with \1)"),
    (
        r"name them as extra_stop_words of the vectorizer, or",
        "leave them out (--vectorizer 'extra_stop_words=[\"WORD\"]'), or",
    ),
    (
        r"train with the vectorizer analyzer=char_wb, ngram_range=\[2, 4\]",
        "train with --vectorizer analyzer=char_wb --vectorizer 'ngram_range=[2, 4]'",
    ),
)


def in_shell(message: str, project: str = "PROJECT") -> str:
    """Return what the service says with commands for its routes and options for its fields.

    Parameters
    ----------
    message : str
        A problem, a reason or a warning.
    project : str, default="PROJECT"
        The project as the shell takes it, where the message does not name it.
    """
    for route, command in COMMANDS:
        message = re.sub(route, partial(_command, command, project), message)
    return message


def _command(command: str, project: str, found: re.Match[str]) -> str:
    return found.expand(command).replace("PROJECT", project)
