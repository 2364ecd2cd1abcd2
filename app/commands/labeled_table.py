"""Labeled documents in a table: a CSV, a workbook or Parquet, as an upload reads it."""

from collections import Counter
from collections.abc import Iterator

import typer

from app.commands.collection_file import CollectionFile, LabeledDocument, UnusableCollection
from app.commands.document_file import (
    check_charset,
    headers_of,
    read_options,
    row_params,
    unpacked,
)
from app.commands.shell_words import in_shell
from app.errors import AppError
from app.media_types import CSV
from app.services.intake.rows import RowError
from app.services.intake.table_rows import table_rows


def read_table(file: CollectionFile) -> Iterator[LabeledDocument]:
    """Yield the documents; those without a text or label are left out, which is told.

    A document without an id gets one from its text.

    Raises
    ------
    UnusableCollection, ServiceFailed, OSError
    """
    headers = headers_of(file.path)
    media_type = headers["content-type"]
    params = row_params(file.path, headers, file.columns())
    check_charset(file.charset, headers)
    options = read_options(params)
    left_out: Counter[str] = Counter()
    with file.path.open("rb") as stream:
        body = unpacked(stream, headers, file.charset)
        try:
            for row, told in table_rows(media_type, body, options, beside=file.label_column):
                label = told.strip()
                if isinstance(row, RowError) and row.code != "empty_text":
                    place = f"line {row.position}" if media_type == CSV else f"row {row.position}"
                    raise UnusableCollection(f"{file.path}, {place}: {in_shell(row.reason)}")
                if isinstance(row, RowError) or row.text is None:
                    left_out["text"] += 1
                elif not label:
                    left_out["label"] += 1
                else:
                    yield LabeledDocument(row.id, row.text, label, row.vector)
        except AppError as error:
            raise UnusableCollection(
                f"{file.path}: {in_shell(error.detail)} Labels come from the column "
                f"{file.label_column!r} (--label-column)."
            ) from error
    if left_out:
        told = ", ".join(f"without a {lack} ({n:,})" for lack, n in left_out.items())
        typer.echo(f"Left out: rows {told}.", err=True)
