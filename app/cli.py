"""The command line: ``seedbed --help``."""

import os
import sys
from importlib.metadata import version as metadata_version
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from app.commands import client_commands, model_commands, review_commands
from app.commands.collection_file import CollectionFile
from app.commands.command import Commands, loaded
from app.commands.options import (
    ROUND_DEFAULTS,
    Charset,
    ColumnDelimiter,
    IdColumn,
    LabelColumn,
    Strategy,
    TextColumn,
)
from app.logs import configure_logging
from app.settings import PREFIX, Settings

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Rich keeps the line ends of the source, and loses the indent of examples.
    rich_markup_mode=None,
    help=(
        "Find more of something in a pile of text, from a few examples and no counter-examples. "
        "Start with `seedbed demo`. `seedbed serve` runs the service; `seedbed upload`, `train`, "
        "`ranking`, `show`, `predict`, `test`, `champion`, `projects`, `models`, `change` and "
        "`delete` use it; `next`, `judge` and `review` are for reading what is found. Every "
        "setting is an environment variable: `seedbed settings` lists them."
    ),
)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(metadata_version("seedbed"))
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """What comes before any command."""
    # A text may have signs that the terminal has not.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


for command in (
    client_commands.upload,
    client_commands.train,
    model_commands.ranking,
    model_commands.show,
    model_commands.predict,
    model_commands.champion,
    client_commands.projects,
    client_commands.models,
    client_commands.change,
    client_commands.delete,
    review_commands.judge,
    review_commands.review,
):
    app.command()(command)
app.command(name="next")(review_commands.read_next)
app.command(name="test")(model_commands.check_model)


def _begin(**options: object) -> Settings:
    """Read the settings of the service, whose files only its user may read; options go before.

    Ends with a line for each setting that is wrong.
    """
    os.umask(0o077)
    given = {
        PREFIX + name.upper(): str(value) for name, value in options.items() if value is not None
    }
    try:
        return Settings.from_environment({**os.environ, **given})
    except ValidationError as error:
        for problem in error.errors():
            name = PREFIX + "_".join(str(part) for part in problem["loc"]).upper()
            typer.echo(f"{name}: {_reason(problem['type'], problem['msg'])}", err=True)
        raise typer.Exit(2) from error


def _reason(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "there is no such setting; `seedbed settings` lists all"
    return message


def _check_store(settings: Settings) -> None:
    with loaded("app.kernel_cache") as kernel_cache:
        kernel_cache.refuse_missing_cache()
        kernel_cache.remove_damaged_kernels()
    with loaded("app.worker.store_check") as store_check:
        store_check.refuse_unusable_store(settings)


Host = Annotated[str | None, typer.Option(help="Address to listen on, instead of SEEDBED_HOST.")]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, help="Port to listen on, instead of SEEDBED_PORT.")
]


@app.command()
def serve(host: Host = None, port: Port = None) -> None:
    """Run the whole service on this machine. API and worker are restarted when they fail."""
    settings = _begin(host=host, port=port)
    _check_store(settings)
    with loaded("app.serving.supervisor") as supervisor:
        supervisor.serve(settings)


@app.command()
def api(host: Host = None, port: Port = None) -> None:
    """Run the API alone. Workers run elsewhere, on the same database and artifacts."""
    settings = _begin(host=host, port=port)
    _check_store(settings)
    with loaded("app.serving.address") as address:
        address.refuse_taken_address(settings)
    configure_logging(settings)
    with loaded("app.serving.api_server") as api_server:
        api_server.serve(settings)


@app.command(name="worker")
def run_worker() -> None:
    """Run a worker alone. It takes jobs from the database until it is stopped."""
    settings = _begin()
    _check_store(settings)
    with loaded("app.worker.worker") as worker:
        worker.run(settings)


@app.command(name="migrate")
def run_migrate() -> None:
    """Bring the database to the schema of this version."""
    settings = _begin()
    with loaded("app.migrate") as migrate:
        told = migrate.run(settings)
    typer.echo(told)


@app.command(name="settings")
def list_settings() -> None:
    """List every setting, its default and what it does."""
    for name, field in Settings.model_fields.items():
        default = "unset" if field.default is None else field.default
        typer.echo(f"{PREFIX}{name.upper()}  (default: {default})")
        if field.description:
            typer.echo(f"    {field.description}")


Collection = Annotated[
    Path | None,
    typer.Option(
        help="A labeled collection: a .csv, .tsv, .xlsx or .parquet with text, label and maybe id, "
        "or NDJSON. Several labels of a document have | between them. "
        "Default: the docstrings of the installed packages.",
        exists=True,
        dir_okay=False,
    ),
]
Positive = Annotated[
    str | None,
    typer.Option(help="The label to look for; by default scipy.stats, for the docstrings."),
]


def _collection(
    path: Path | None,
    label_column: str | None,
    text_columns: list[str] | None,
    id_column: str | None,
    delimiter: str | None,
    charset: str,
) -> CollectionFile | None:
    if path is None:
        if label_column or text_columns or id_column or delimiter or charset != "utf-8":
            raise typer.BadParameter("Options for columns and their encoding need --data.")
        return None
    texts = text_columns or ()
    return CollectionFile(path, label_column or "label", texts, id_column, delimiter, charset)


RandomState = Annotated[int, typer.Option(min=0, help="Decides which seeds are drawn.")]


@app.command(name="demo")
def run_demo(
    data: Collection = None,
    positive: Positive = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many examples to give.")] = 10,
    algorithm: Annotated[
        str, typer.Option(help="Which algorithm to train; `auto` lets several race.")
    ] = "auto",
    label_column: LabelColumn = None,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    charset: Charset = "utf-8",
    random_state: RandomState = 0,
    keep: Annotated[
        bool, typer.Option(help="Leave the service running until Ctrl-C, to go on in a browser.")
    ] = False,
) -> None:
    """Hide documents of one kind in a pile and watch them be found.

    The real service does it, in a temporary folder.
    """
    with loaded("app.commands.demo") as demo:
        demo.run(
            data=_collection(data, label_column, text_column, id_column, delimiter, charset),
            positive=positive,
            n_seeds=seeds,
            algorithm=algorithm,
            random_state=random_state,
            keep=keep,
        )


@app.command(name="simulate")
def run_simulation(
    data: Collection = None,
    positive: Positive = None,
    seeds: Annotated[
        int, typer.Option(min=0, help="How many examples to start with; 0 only with --words.")
    ] = 5,
    words: Annotated[
        str | None,
        typer.Option(help="A few words that name what is looked for, as one more example."),
    ] = None,
    algorithm: Annotated[
        str, typer.Option(help="Which algorithm to train; `auto` changes as judgements come in.")
    ] = "auto",
    strategy: Strategy = ROUND_DEFAULTS["strategy"],
    batch: Annotated[
        int, typer.Option(min=1, help="Documents read between two trainings; later there are more.")
    ] = 10,
    copies: Annotated[
        bool,
        typer.Option(
            "--copies",
            help="Give those that say nearly the same as a document its label, unread.",
        ),
    ] = False,
    label_column: LabelColumn = None,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    charset: Charset = "utf-8",
    random_state: RandomState = 0,
    target: Annotated[
        float, typer.Option(min=0.01, max=0.999, help="The recall wanted, seeds left out.")
    ] = 0.95,
) -> None:
    """Replay a review of a labeled collection.

    In rounds: train, read what ranks first, judge by the labels, train again. Prints how much of
    the pile is read until the recall wanted is reached, what the review itself could tell of its
    recall, and when it would have suggested to stop. No server is needed.
    """
    with loaded("app.commands.simulation") as simulation:
        simulation.run(
            data=_collection(data, label_column, text_column, id_column, delimiter, charset),
            positive=positive,
            n_seeds=seeds,
            words=words,
            algorithm=algorithm,
            strategy=strategy,
            batch=batch,
            copies=copies,
            random_state=random_state,
            target=target,
        )
