"""The commands of a review: the next documents, their judgements, and how far it is."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.commands.command import loaded
from app.commands.options import (
    ROUND_DEFAULTS,
    Charset,
    LabelColumn,
    Project,
    RoundDelimiter,
    Since,
    Strategy,
    Url,
    file_or_dash,
)

File = Annotated[
    Path,
    typer.Argument(
        help="A CSV, .xlsx or .parquet with columns `id` and `label`, as `seedbed next --output` "
        "writes it, and `seedbed ranking --output`. `-` is standard input.",
        parser=file_or_dash,
    ),
]


def read_next(
    project: Project,
    n: Annotated[
        int, typer.Option("-n", min=1, max=1000, help="How many documents.")
    ] = ROUND_DEFAULTS["n"],
    strategy: Strategy = ROUND_DEFAULTS["strategy"],
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write to this .csv with an empty column `label`; if it has labels already, to "
            "round-2.csv and so on.",
            dir_okay=False,
        ),
    ] = None,
    delimiter: RoundDelimiter = None,
    copies: Annotated[
        bool,
        typer.Option(
            "--copies",
            help="Below each document in the file, those that say nearly the same: `judge` gives "
            "them its label, unless they have another.",
        ),
    ] = False,
    since: Since = None,
    model: Annotated[
        str | None, typer.Option(help="Id of the model that ranks them, if not the newest.")
    ] = None,
    *,
    url: Url,
) -> None:
    """Show which documents to judge next.

    They are chosen by the newest model unless another is named.

    A round of a review; each command prints the next one at its end:

        seedbed next floods --output round.csv

        seedbed judge floods round.csv

        seedbed train floods

        seedbed review floods

    The file of the next round is round-2.csv, and so on: no file with labels is overwritten, and
    none that is no round.
    """
    with loaded("app.commands.next") as command:
        asked = {"n": n, "strategy": strategy, "model_id": model, "since": since}
        asked["copies"] = copies or None
        command.run(url, project, asked, output, delimiter)


def judge(
    project: Project,
    file: File,
    rest: Annotated[
        Literal["positive", "negative", "unsure"] | None,
        typer.Option(
            help="Label for the rows that have none: those you read, and found not worth marking."
        ),
    ] = None,
    id_column: Annotated[
        str | None, typer.Option(help="The column with the ids, if not `id`.", metavar="NAME")
    ] = None,
    label_column: LabelColumn = None,
    positive: Annotated[
        str | None,
        typer.Option(
            help="The label that is positive, where labels have other names; any other but unsure "
            "and unlabeled is negative then. Several of a document have | between them. Files of "
            "other programs may not call anything positive beside it.",
            metavar="LABEL",
        ),
    ] = None,
    charset: Charset = "utf-8",
    *,
    url: Url,
) -> None:
    """Send the labels of a file: positive, negative or unsure.

    The label `unlabeled` takes one back. 1 and 0, yes and no, included and excluded, relevant and
    irrelevant are positive and negative: of ASReview send

        seedbed judge floods asreview.csv --id-column doi --label-column included

    Rows without a label, or that a ranking shows as unlabeled, stay as they are unless `--rest`
    gives them one. Where only a few of a round are positive, label these and send:

        seedbed judge floods round.csv --rest negative

    Either all labels are kept or, if one cannot be, none. Before the first training, a file of
    positives alone names examples that are in the pile already. A file of `seedbed ranking --label
    all` from elsewhere continues that review: its column `judgement` has the order of reading.
    """
    with loaded("app.commands.judge") as command:
        columns = {"id": id_column, "label": label_column}
        command.run(url, project, file, charset, rest, positive, **columns)


def review(
    project: Project,
    target: Annotated[
        float, typer.Option(min=0.01, max=0.999, help="The recall wanted, seeds left out.")
    ] = 0.95,
    *,
    url: Url,
) -> None:
    """Tell how far a review is, what is left and whether to stop."""
    with loaded("app.commands.review") as command:
        command.run(url, project, target)
