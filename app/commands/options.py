"""Options that several commands have."""

import codecs
import os
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from app.commands.command import loaded
from app.services.intake.csv_columns import DELIMITERS, WINDOWS
from app.settings import CLIENT_URL

#: What `seedbed train` asks for unless options say otherwise.
TRAINING_DEFAULTS: dict[str, Any] = {
    "algorithm": "auto",
    "params": {},
    "vectorizer": {},
    "cut": None,
    "class_prior": None,
    "calibrate": True,
    "time_budget": 600.0,
}

#: The same of `seedbed next`.
ROUND_DEFAULTS: dict[str, Any] = {"n": 20, "strategy": "mixed"}


def _here() -> str:
    with loaded("app.commands.service_address") as service_address:
        return str(service_address.checked_here())


Project = Annotated[str, typer.Argument(help="Name or id of the project.")]
Url = Annotated[
    str,
    typer.Option(
        help=f"Where the service is. Default: {CLIENT_URL}, else SEEDBED_HOST and SEEDBED_PORT.",
        metavar="URL",
        envvar=CLIENT_URL,
        default_factory=_here,
        show_default=False,  # it may have a password
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        help="Print the id of the model alone, or of a job that is not followed, and no progress."
    ),
]


def _since(told: str) -> str:
    """Return a day or time of here as the service takes it."""
    midnight = datetime.combine(datetime.now().date(), time.min)
    days = {"today": midnight, "yesterday": midnight - timedelta(days=1)}
    try:
        return (days.get(told) or datetime.fromisoformat(told)).astimezone().isoformat()
    except (ValueError, OverflowError):
        raise typer.BadParameter(
            f"{told!r} is no day or time: give today, yesterday, 2026-11-27 or 2026-11-27T08:30."
        ) from None


Since = Annotated[
    str | None,
    typer.Option(
        help="Only documents from the first upload on that began then or later, not those whose "
        "text was replaced: today, yesterday, a day or a time, as 2026-11-27T08:30.",
        metavar="TIME",
        parser=_since,
    ),
]

Strategy = Annotated[
    Literal["mixed", "relevance", "uncertainty"],
    typer.Option(
        help="Which documents to read next. `relevance`: the highest scores; `uncertainty`: those "
        "near the cut, to teach the model, after which what is left can hardly be told; `mixed`: a "
        "tenth by uncertainty."
    ),
]


def project_name(told: str) -> str:
    """Return the name of a project; one like an option is mostly a slip, and no argument."""
    if told.startswith("-"):
        raise typer.BadParameter(
            f"{told!r} begins as options do: give another name, or the id of the project."
        )
    return told


def file_or_dash(told: str) -> Path:
    """Return a file that is there, or -: a path of typer does not take that."""
    file = Path(told)
    if told != "-" and not file.exists():
        raise typer.BadParameter(f"file {told!r} does not exist.")
    if file.is_dir():
        raise typer.BadParameter(f"file {told!r} is a directory.")
    if told != "-" and not os.access(file, os.R_OK):
        raise typer.BadParameter(f"file {told!r} is not readable.")
    return file


def file_folder_or_dash(told: str) -> Path:
    """Return what ``file_or_dash`` does, or a folder that is there."""
    return Path(told) if Path(told).is_dir() else file_or_dash(told)


TextColumn = Annotated[
    list[str] | None,
    typer.Option(
        help="The column of a CSV, or field of JSON, with the texts, if not `text`; repeatable: "
        "texts of several are joined.",
        metavar="NAME",
    ),
]
IdColumn = Annotated[
    str | None,
    typer.Option(
        help="The column of a CSV, or field of JSON, with the ids, if not `id`.", metavar="NAME"
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option(help="The column with the labels, if not `label`.", metavar="NAME"),
]


def _delimiter(told: str) -> str:
    """Return the name of a delimiter that is given by name or sign."""
    signs = {sign: name for name, sign in DELIMITERS.items()} | {"\\t": "tab"}
    name = signs.get(told, told)
    if name not in DELIMITERS:
        known = ", ".join(f"{name} ({sign!a})" for name, sign in DELIMITERS.items())
        raise typer.BadParameter(f"{told!r} separates no columns; give one of {known}.")
    return name


ColumnDelimiter = Annotated[
    str | None,
    typer.Option(
        help="What separates columns, by name or as a sign such as ';'. Default: comma, in a .tsv "
        "tab.",
        metavar=f"[{'|'.join(DELIMITERS)}]",
        parser=_delimiter,
    ),
]


def _sheet_delimiter(default: str) -> Any:
    return typer.Option(
        "--delimiter",
        help="What separates columns of the .csv: semicolon for spreadsheets of countries that "
        f"write numbers with a comma. Default: {default}.",
    )


_OfSheets = Literal["comma", "semicolon", "tab"] | None
SheetDelimiter = Annotated[_OfSheets, _sheet_delimiter("comma")]
RoundDelimiter = Annotated[_OfSheets, _sheet_delimiter("that of the round before, else comma")]


def _charset(told: str) -> str:
    """Return the one name that UTF-8 has here, of its many; others as they are."""
    try:
        "".encode(told)  # codecs that are not of texts, such as base64, have no encoding
        return "utf-8" if codecs.lookup(told).name == "utf-8" else told
    except (LookupError, UnicodeError):
        raise typer.BadParameter(
            f"There is no encoding {told!r} of texts; try cp1252 or utf-16."
        ) from None


Charset = Annotated[
    str,
    typer.Option(
        "--encoding",
        help=f"Encoding of the file, such as {WINDOWS} or utf-16.",
        metavar="TEXT",
        parser=_charset,
    ),
]
