"""The command that tests a model."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.client import HERE
from app.commands.command import loaded
from app.commands.options import Charset, ColumnDelimiter, IdColumn, TextColumn, Url


def check_model(
    model: Annotated[
        str, typer.Argument(help="Name or id of a project for its newest model, or id of a model.")
    ],
    file: Annotated[
        Path,
        typer.Argument(
            help="Documents as `seedbed upload` takes them, but .txt, with a column or field "
            "`label`: `positive` or `negative`.",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ],
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    delimiter: ColumnDelimiter = None,
    charset: Charset = "utf-8",
    url: Url = HERE,
) -> None:
    """Tell how good a model is on documents whose labels you know.

    Take documents that the model has not seen, drawn as those it is for; they are not kept, and
    nothing is learned from them:

        seedbed test floods labeled.csv
    """
    with loaded("app.commands.model_tests") as command:
        columns = {"text_column": text_column, "id_column": id_column, "delimiter": delimiter}
        command.run(url, model, file, columns=columns, charset=charset)
