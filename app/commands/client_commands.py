"""The commands that talk to a running service; those of a review are in review_commands."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.commands.client import HERE
from app.commands.command import loaded
from app.commands.named_values import named_values
from app.commands.options import (
    TRAINING_DEFAULTS,
    ColumnDelimiter,
    Encoding,
    IdColumn,
    Quiet,
    TextColumn,
    Url,
)

MODEL_HELP = (
    "Id of the model, or name or id of a project for its newest: `seedbed projects` lists both."
)


def upload(
    file: Annotated[
        Path,
        typer.Argument(
            help="Documents: .csv, .tsv, .ndjson, .json or .txt (one a line), or these as .gz or "
            ".zst. Rows have a text and maybe an id; the first line of a CSV says `text`, `id`.",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ],
    project: Annotated[
        str, typer.Option(help="Name or id of the project; a new name makes a new project.")
    ],
    label: Annotated[
        Literal["positives", "unlabeled"],
        typer.Option(help="Examples of what you look for, or the pile to find more of it in."),
    ],
    language: Annotated[
        str | None,
        typer.Option(
            help="Language of a new project, such as german or de, if not english: its function "
            "words are skipped. `other`, for any that is not known, skips none."
        ),
    ] = None,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    encoding: Encoding = "utf-8",
    on_conflict: Annotated[
        Literal["replace", "error"],
        typer.Option(
            help="What to do with a known id that comes with another text: put it in the place of "
            "the old one, or reject the row."
        ),
    ] = "replace",
    url: Url = HERE,
) -> None:
    """Upload documents to a project of a running service.

    A project needs a few positives and a pile of unlabeled documents:

        seedbed upload seeds.csv --project floods --label positives

        seedbed upload pile.ndjson.gz --project floods --label unlabeled

        seedbed train floods

    The same file may be uploaded again, with the same options: nothing is added twice. Documents
    are told apart by their ids or, without ids, by their texts. The exit code is 3 where rows with
    a text were rejected.
    """
    with loaded("app.commands.upload") as command:
        columns = {"text_column": text_column, "id_column": id_column, "delimiter": delimiter}
        command.run(url, file, project, label, language, columns, encoding, on_conflict)


def train(
    project: Annotated[str | None, typer.Argument(help="Name or id of the project.")] = None,
    job: Annotated[
        str | None, typer.Option(help="Show the training with this id; no new one is queued.")
    ] = None,
    algorithm: Annotated[
        str, typer.Option(help="Which algorithm to train; `auto` lets several race.")
    ] = TRAINING_DEFAULTS["algorithm"],
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A parameter of the algorithm; repeatable."),
    ] = None,
    vectorizer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A parameter of the vectorizer, instead of the project's; repeatable.",
        ),
    ] = None,
    cut: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="From which score on documents are positive: own, f1, prior, lee_liu, "
            "conductance, mixture or budget:N; by default f1, and of a named algorithm own.",
        ),
    ] = TRAINING_DEFAULTS["cut"],
    class_prior: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Share of positives among the unlabeled documents, if you know it; algorithms and "
            "cuts that need one estimate it otherwise.",
        ),
    ] = TRAINING_DEFAULTS["class_prior"],
    calibrate: Annotated[
        bool,
        typer.Option(
            help="Train five times more with positives hidden, for probabilities, the class prior "
            "and what a cut is worth; `auto` does in any case."
        ),
    ] = TRAINING_DEFAULTS["calibrate"],
    time_budget: Annotated[
        float,
        typer.Option(
            min=0.1,
            max=86_400,
            metavar="SECONDS",
            help="How long the race of `auto` may take, as estimated from the documents' size.",
        ),
    ] = TRAINING_DEFAULTS["time_budget"],
    follow: Annotated[
        bool, typer.Option(help="Show how far it is until it ends, or queue it and return.")
    ] = True,
    quiet: Quiet = False,
    url: Url = HERE,
) -> None:
    """Train a model on the documents of a project; prints its id.

    Values are JSON or plain words; /algorithms of the service tells which parameters there are:

        seedbed train floods --algorithm lp_pul --param n_neighbors=30

        seedbed train floods --vectorizer stop_words=german

    Ctrl-C ends the view, not the training.
    """
    with loaded("app.commands.train") as command:
        asked = {
            "algorithm": algorithm,
            "params": named_values("--param", param or []),
            "vectorizer": named_values("--vectorizer", vectorizer or []),
            "cut": cut,
            "class_prior": class_prior,
            "calibrate": calibrate,
            "time_budget": time_budget,
        }
        command.run(url, project, job, asked, follows=follow, is_quiet=quiet)


def ranking(
    model: Annotated[str, typer.Argument(help=MODEL_HELP)],
    limit: Annotated[
        int | None, typer.Option(min=1, help="How many documents; 20, or with --output all.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="Write to this new file, .csv or .ndjson, instead.", dir_okay=False),
    ] = None,
    label: Annotated[
        Literal["unlabeled", "positive", "negative", "unsure", "all"],
        typer.Option(help="Documents with this label; `positive`: what was given and found."),
    ] = "unlabeled",
    last: Annotated[
        bool,
        typer.Option(
            "--last", help="Begin with the document that fits least: what does not belong."
        ),
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="First put in the documents that came in since.")
    ] = False,
    url: Url = HERE,
) -> None:
    """Show the unlabeled documents that are most likely of the kind looked for, best first.

    What was found, for a spreadsheet:

        seedbed ranking floods --label positive --output found.csv

    On the screen, the line "cut" stands behind the last one that is predicted positive. A pipe gets
    rank, score, probability, id and text, with tabs between; --output has all columns.
    """
    with loaded("app.commands.ranking") as command:
        part = command.Part(label, last)
        command.run(url, model, limit, output, updates=update, part=part)


def predict(
    model: Annotated[
        str,
        typer.Argument(
            help="Name or id of a project for its champion (`seedbed champion`), or id of a model."
        ),
    ],
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Texts; without any, and without a file, the lines of standard input."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="Texts as `seedbed upload` takes them: .csv, .tsv, .ndjson, .json or .txt (one a "
            "line), optionally compressed (.gz, .zst).",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ] = None,
    stdin: Annotated[
        Literal["txt", "csv", "tsv", "ndjson", "json"],
        typer.Option(help="What standard input holds: lines of text, or rows as in a file."),
    ] = "txt",
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    encoding: Encoding = "utf-8",
    form: Annotated[
        Literal["text", "ndjson"],
        typer.Option(
            "--format",
            help="text: label, score, probability and id, with tabs between; ndjson: all that the "
            "service says.",
        ),
    ] = "text",
    url: Url = HERE,
) -> None:
    """Predict which texts are of the kind looked for: a line for each, in their order.

    Texts come from the command line, a file or a pipe:

        seedbed predict floods 'houses under water' 'a late goal'

        seedbed predict floods --file new.csv --text-column title --text-column abstract

        zcat new.txt.gz | seedbed predict floods | grep ^positive

        zcat new.ndjson.gz | seedbed predict floods --stdin ndjson --format ndjson

    What has no id has the number of its line for that, texts of the command line and rows of .json
    their own number. Blank texts are skipped. Rows that cannot be predicted are told on standard
    error, or with --format ndjson at their place; the exit code is 3 where they have a text.
    """
    with loaded("app.commands.predict") as command:
        columns = {"text_column": text_column, "id_column": id_column, "delimiter": delimiter}
        command.run(
            url,
            model,
            texts or [],
            file=file,
            stdin=stdin,
            columns=columns,
            charset=encoding,
            form=form,
        )


def champion(model: Annotated[str, typer.Argument(help=MODEL_HELP)], url: Url = HERE) -> None:
    """Let a model answer for its project in `seedbed predict` and over HTTP.

    The first model of a project does until another is chosen:

        seedbed train floods

        seedbed champion floods
    """
    with loaded("app.commands.champion") as command:
        command.run(url, model)


def projects(url: Url = HERE) -> None:
    """List the projects: how many documents have which label, and the model trained last.

    `seedbed ranking` and `seedbed predict` take either.
    """
    with loaded("app.commands.projects") as command:
        command.run(url)


def delete(
    project: Annotated[str, typer.Argument(help="Name or id of the project.")],
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    url: Url = HERE,
) -> None:
    """Delete a project with its documents, labels, jobs and models."""
    with loaded("app.commands.delete") as command:
        command.run(url, project, asks=not yes)
