"""The commands that use a model: its ranking, predictions, tests, and which one answers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.commands.command import loaded
from app.commands.document_file import Piped
from app.commands.options import (
    Charset,
    ColumnDelimiter,
    IdColumn,
    SheetDelimiter,
    Since,
    TextColumn,
    Url,
)

MODEL_HELP = (
    "Id of the model, or name or id of a project for its newest: `seedbed projects` lists both."
)
CHAMPION_HELP = "Name or id of a project for its champion (`seedbed champion`), or id of a model."


def ranking(
    model: Annotated[str, typer.Argument(help=MODEL_HELP)],
    limit: Annotated[
        int | None, typer.Option(min=1, help="How many documents. Default: 20, with --output all.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write to this new file instead: .csv, .ndjson, or .ris for Zotero, EndNote and "
            "others.",
            dir_okay=False,
        ),
    ] = None,
    delimiter: SheetDelimiter = None,
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
    since: Since = None,
    accepted: Annotated[
        bool,
        typer.Option(
            "--accepted",
            help="Only what the model accepts. With `--label all` also what is labeled positive, "
            "and nothing labeled negative: found and accepted together.",
        ),
    ] = False,
    cut: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Only from the cut by this rule on, one of those that `seedbed show` lists.",
        ),
    ] = None,
    min_score: Annotated[
        float | None, typer.Option(help="Only from this score on.", metavar="SCORE")
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="First put in the documents that came in since.")
    ] = False,
    *,
    url: Url,
) -> None:
    """Show the pile by score, the best first.

    These are the unlabeled documents that are most likely of the kind looked for.

    What does not belong, among the documents that came in today:

        seedbed ranking tickets --last --update --since today

    What the model accepts, or accepts by another of its cuts, without another training:

        seedbed ranking floods --accepted --output accepted.csv

        seedbed ranking floods --cut prior --output accepted.csv

    What was found, for a spreadsheet:

        seedbed ranking floods --label positive --output found.csv

    The same as references, for Zotero, EndNote and others:

        seedbed ranking floods --label positive --output found.ris

    On the screen, the line "cut" parts the documents predicted positive from the others. A pipe
    gets rank, score, probability, id and text, with tabs between; --output has all columns.
    """
    with loaded("app.commands.ranking") as command:
        part = command.Part(label, last, since, command.AskedCut(accepted, cut, min_score))
        command.run(url, model, limit, output, updates=update, part=part, delimiter=delimiter)


def show(model: Annotated[str, typer.Argument(help=MODEL_HELP)], url: Url) -> None:
    """Show what a model expects of each cut, and what it goes by.

    The cuts, the race of `auto`, the strongest words, and what to be careful about:

        seedbed show floods
    """
    with loaded("app.commands.show") as command:
        command.run(url, model)


def predict(
    model: Annotated[str, typer.Argument(help=CHAMPION_HELP)],
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Texts; without any, and without a file, the lines of standard input."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="Texts as `seedbed upload` takes them: .csv, .tsv, .xlsx, .parquet, .ndjson, "
            ".json, .ris, .nbib or .txt (one a line), optionally compressed (.gz, .zst).",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ] = None,
    stdin: Annotated[
        Piped,
        typer.Option(help="What standard input holds: lines of text, or rows as in a file."),
    ] = "txt",
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    charset: Charset = "utf-8",
    form: Annotated[
        Literal["text", "ndjson"],
        typer.Option(
            "--format",
            help="text: label, score, probability and id, with tabs between; ndjson: all that the "
            "service says.",
        ),
    ] = "text",
    accepted: Annotated[
        bool, typer.Option("--accepted", help="Leave out documents below the model's cut.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write id, text, score, probability and prediction to this new .csv or .ndjson "
            "instead.",
            dir_okay=False,
        ),
    ] = None,
    *,
    url: Url,
) -> None:
    """Predict which texts are of the kind looked for.

    Prints a line for each, in their order, once all have come: a pipe is answered at its end.

    Texts come from the command line, a file or a pipe:

        seedbed predict floods 'houses under water' 'a late goal'

        seedbed predict floods --file new.csv --text-column title

        zcat new.txt.gz | seedbed predict floods | grep ^positive

        zcat new.csv.gz | seedbed predict floods --stdin csv

        seedbed predict floods --file new.csv --accepted --output accepted.csv

    A text without an id gets the number of its line as id; texts of the command line and rows of
    .json get their own number. Blank texts are skipped. Rows that cannot be predicted are listed on
    standard error, or with --format ndjson in their place; if one has a text, the exit code is 3.
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
            charset=charset,
            form=form,
            is_accepted=accepted,
            output=output,
        )


def check_model(
    model: Annotated[str, typer.Argument(help=CHAMPION_HELP)],
    file: Annotated[
        Path,
        typer.Argument(
            help="Documents as `seedbed upload` takes them, except .txt, with a column or field "
            "`label`: `positive` or `negative`, unless --positive is given.",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ],
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    charset: Charset = "utf-8",
    positive: Annotated[
        str | None,
        typer.Option(
            help="The label that is positive, where labels have other names; any other is negative "
            "then. Several of a document have | between them.",
            metavar="LABEL",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="Test this model, too, and tell which is better: its id, or the name or id of a "
            "project for its newest.",
            metavar="MODEL",
        ),
    ] = None,
    *,
    url: Url,
) -> None:
    """Tell how good a model is on documents whose labels you know.

    Use documents that the model has not seen, drawn like those it is for. They are not kept, and
    nothing is learned from them:

        seedbed test floods labeled.csv

    Is the newest model better than the champion, which answers for the project?

        seedbed test floods labeled.csv --against floods
    """
    with loaded("app.commands.model_tests") as command:
        columns = {"text_column": text_column, "id_column": id_column, "delimiter": delimiter}
        command.run(
            url,
            model,
            file,
            columns=columns,
            charset=charset,
            positive=positive,
            against=against,
        )


def champion(model: Annotated[str, typer.Argument(help=MODEL_HELP)], url: Url) -> None:
    """Let a model answer for its project.

    It does so in `seedbed predict`, `seedbed test` and over HTTP.

    The first model of a project answers until you choose another:

        seedbed train floods

        seedbed champion floods
    """
    with loaded("app.commands.champion") as command:
        command.run(url, model)
