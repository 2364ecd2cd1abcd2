"""The commands that talk to a running service; others are in model_commands and review_commands."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.commands.command import loaded
from app.commands.document_file import Piped
from app.commands.named_values import named_values
from app.commands.options import (
    TRAINING_DEFAULTS,
    Charset,
    ColumnDelimiter,
    IdColumn,
    Project,
    Quiet,
    TextColumn,
    Url,
    file_folder_or_dash,
    project_name,
)


def upload(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Documents: .csv, .tsv, .xlsx, .parquet, .ndjson, .json, .ris, .nbib or .txt (one "
            "a line), or these as .gz or .zst. Rows have a text and maybe an id; in a CSV the "
            "first line names the columns `text` and `id`. Of a folder each .txt is one document, "
            "its name without .txt the id. `-` is standard input, whose format --stdin tells.",
            parser=file_folder_or_dash,
        ),
    ],
    project: Annotated[
        str,
        typer.Option(
            help="Name or id of the project; a new name makes a new project.",
            metavar="NAME",
            parser=project_name,
        ),
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
    stdin: Annotated[
        Piped | None, typer.Option(help="What `-` holds: lines of text, or rows as in a file.")
    ] = None,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    charset: Charset = "utf-8",
    on_conflict: Annotated[
        Literal["replace", "keep", "error"],
        typer.Option(
            help="What to do with a known id that comes with another text or vector: put it in the "
            "place of the old one, keep the old one, or reject the row."
        ),
    ] = "replace",
    *,
    url: Url,
) -> None:
    """Upload documents to a project of a running service.

    A project needs a few positives and a pile of unlabeled documents:

        seedbed upload seeds.csv --project floods --label positives

        seedbed upload pile.ndjson.gz --project floods --label unlabeled

        seedbed upload letters/ --project floods --label unlabeled

        cat a.csv | seedbed upload - --stdin csv --project a --label unlabeled

        seedbed train floods

    Several files come in one after the other, until one cannot be uploaded. The same file may be
    uploaded again, with the same options: nothing is added twice. Documents are told apart by their
    ids or, without ids, by their texts. The exit code is 3 where rows with a text were rejected.
    """
    with loaded("app.commands.upload") as command:
        columns = {"text_column": text_column, "id_column": id_column, "delimiter": delimiter}
        command.run(
            url,
            files,
            project=project,
            label=label,
            language=language,
            columns=columns,
            charset=charset,
            on_conflict=on_conflict,
            stdin=stdin,
        )


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
            help="Rule of the cut, the score from which documents are predicted positive: own, "
            "f1, prior, lee_liu, conductance, mixture or budget:N. Default: f1, in a review "
            "prior; own without calibration, or where --param sets it (cut, quantile, threshold).",
        ),
    ] = TRAINING_DEFAULTS["cut"],
    class_prior: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Share of positives among the unlabeled documents, if you know it; otherwise "
            "algorithms and cuts that need one estimate it.",
        ),
    ] = TRAINING_DEFAULTS["class_prior"],
    calibrate: Annotated[
        bool,
        typer.Option(
            help="Train five more times with positives hidden, for probabilities, the class prior "
            "and what to expect of a cut; not to do so needs --algorithm, as `auto` always does."
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
        bool, typer.Option(help="Show progress until the training ends, or queue it and return.")
    ] = True,
    quiet: Quiet = False,
    *,
    url: Url,
) -> None:
    """Train a model on the documents of a project.

    Values are JSON or plain words; /algorithms of the service lists the parameters:

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


def projects(
    name: Annotated[
        str | None,
        typer.Argument(help="Only projects whose name contains this, in any case.", metavar="NAME"),
    ] = None,
    *,
    url: Url,
) -> None:
    """List the projects, their documents and their newest models.

    Documents are counted by label. `seedbed ranking` and `seedbed predict` take the name of a
    project or the id of a model.
    """
    with loaded("app.commands.projects") as command:
        command.run(url, name)


def models(project: Project, url: Url) -> None:
    """List the models of a project, the newest first.

    `seedbed ranking`, `seedbed predict` and `seedbed champion` take the id of any:

        seedbed models floods
    """
    with loaded("app.commands.models") as command:
        command.run(url, project)


def change(
    project: Project,
    language: Annotated[
        str | None, typer.Option(help="Language of its texts, as for `seedbed upload`.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="Its name from now on.", metavar="NAME", parser=project_name),
    ] = None,
    *,
    url: Url,
) -> None:
    """Change the language or the name of a project.

    What is in it stays.

    Models that are there go on skipping the function words of the old language:

        seedbed change floods --language german
    """
    with loaded("app.commands.change") as command:
        command.run(url, project, language=language, name=name)


def delete(
    project: Project,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    models_but: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Delete nothing but models: all but the N newest and the champion.",
        ),
    ] = None,
    documents: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Delete nothing but documents: those whose ids are in the file, one in a line.",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ] = None,
    *,
    url: Url,
) -> None:
    """Delete a project, its older models, or documents."""
    with loaded("app.commands.delete") as command:
        command.run(url, project, asks=not yes, models_but=models_but, documents=documents)
