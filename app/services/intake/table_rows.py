"""Rows of a table of texts, a CSV, a workbook or Parquet: a document each."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from app.media_types import CSV, PARQUET, XLSX
from app.services.intake.csv_columns import (
    DELIMITERS,
    TO_UTF8,
    Columns,
    TableName,
    column_of,
    find_columns,
    is_unicode,
    no_name,
    unnamed_id,
)
from app.services.intake.csv_records import CsvRecords, Record
from app.services.intake.options import Options
from app.services.intake.reference_fields import is_other_doi
from app.services.intake.rows import (
    DECODE_ERRORS,
    Row,
    RowError,
    checked_row,
    decode_metadata,
    with_vector,
)
from app.services.intake.spool import spooled
from app.services.intake.spreadsheet_cells import is_cut, unprotected

_CUT = (
    "The text or its metadata was cut when the file was written, to fit into a spreadsheet cell. "
    "An .ndjson of the ranking has it whole: seedbed ranking --output FILE.ndjson."
)
_UNQUOTED = " Put quotation marks around a text that has what separates columns in it."
_VECTOR = (
    "'vector' was kept as metadata: vectors count as lists of numbers, in JSON, NDJSON and Parquet."
)
_OTHER_DOIS = (
    "DOIs of this table have capitals, an address, or a full stop or the like behind them, and "
    "stay as they are. Those of references (.ris, .nbib) become 10.1000/abc: together with such "
    "files, a paper would be there twice. Write them so in the column, or upload what its database "
    "exports as RIS."
)


class Records(Protocol):
    """The header of a table, then its records."""

    name: TableName

    def header(self) -> list[str]:
        """Return the names of the columns; none where the table is empty."""

    def rows(self, n_columns: int) -> Iterator[Record | RowError]:
        """Yield what follows the header."""


def table_rows(
    media_type: str, body: Iterator[bytes], options: Options, beside: str | None = None
) -> Iterator[tuple[Row | RowError, str]]:
    """Yield the rows of a table, each with what it has in the column ``beside``.

    Raises
    ------
    InvalidRequest
        If there is no such column, or none with texts.
    UnreadableBody, and whatever ``body`` raises
    """
    with RECORDS[media_type](body, options) as records:
        delimiter = options.delimiter if media_type == CSV else None
        named = options.text_columns, options.id_column
        columns = find_columns(records.header(), *named, delimiter, records.name)
        if columns.warning is not None:
            options.warn(columns.warning)
        if "vector" in columns.metadata.values():
            options.warn(_VECTOR)
        if columns.id is None:
            warn_of_id(columns.metadata.values(), options)
        place = None if beside is None else column_of(columns, beside)
        for record in records.rows(len(columns.names) + columns.n_unnamed):
            if isinstance(record, RowError):
                yield record, ""
            else:
                row = _row(record, columns, options.max_text_bytes)
                if columns.id is not None and isinstance(row, Row) and is_other_doi(row.id):
                    options.warn(_OTHER_DOIS)
                # A row whose fields are fewer than the columns is refused.
                is_told = place is not None and isinstance(row, Row)
                yield row, record.fields[place or 0] if is_told else ""


def warn_of_id(names: Iterable[str], options: Options) -> None:
    warning = unnamed_id(names)
    if warning is not None:
        options.warn(warning)


def _row(record: Record, columns: Columns, max_text_bytes: int) -> Row | RowError:
    position, fields, size, vector = record
    unnamed = fields[len(columns.names) :]
    if len(unnamed) <= columns.n_unnamed:
        if any(map(str.strip, unnamed)):
            return RowError(position, "invalid_row", no_name(len(columns.names)))
        del fields[len(columns.names) :]
    if len(fields) != len(columns.names):
        reason = f"The row has {len(fields)} fields; the header has {len(columns.names)}."
        hint = _UNQUOTED if len(fields) > len(columns.names) else ""
        return RowError(position, "invalid_csv", reason + hint)
    if not is_unicode(fields):
        return RowError(position, "invalid_unicode", f"The row is not UTF-8. {TO_UTF8}")
    for i in columns.protected:
        if is_cut(fields[i]):
            return RowError(position, "cut_text", _CUT)
        fields[i] = unprotected(fields[i])
    # Blanks around an id cannot be seen in a table, as those around the name of a column.
    id_ = None if columns.id is None else fields[columns.id]
    if id_ is not None and columns.id not in columns.protected:
        id_ = id_.strip()
    metadata: dict[str, Any] = {name: fields[i] for i, name in columns.metadata.items()}
    told = "" if columns.all_metadata is None else fields[columns.all_metadata]
    if told:
        try:
            metadata |= decode_metadata(told)
        except DECODE_ERRORS:
            return RowError(position, "invalid_metadata", "The metadata is not a JSON object.")
    given = metadata if metadata or told else None
    texts = (fields[i] for i in columns.texts)
    text = "\n".join(text for text in texts if text and not text.isspace())
    row = checked_row(position, id_ or None, text, given, size, max_text_bytes)
    return with_vector(row, vector)


def _csv_records(body: Iterator[bytes], options: Options) -> AbstractContextManager[Records]:
    delimiter = DELIMITERS[options.delimiter]
    return nullcontext(CsvRecords(body, delimiter, options.max_row_bytes, options.warn))


@contextmanager
def _spooled_records(
    module: str, name: str, body: Iterator[bytes], options: Options
) -> Iterator[Records]:
    """Keep a table in a file while its records are read, by a class that is loaded when needed."""
    # openpyxl takes .3 s to load, pyarrow .2 s.
    records_of = getattr(import_module(f"app.services.intake.{module}"), name)
    with spooled(body, options.folder) as file:
        yield records_of(file, options)


#: Opens those of a table, by its media type.
RECORDS: dict[str, Callable[[Iterator[bytes], Options], AbstractContextManager[Records]]] = {
    CSV: _csv_records,
    XLSX: partial(_spooled_records, "workbook_records", "WorkbookRecords"),
    PARQUET: partial(_spooled_records, "parquet_records", "ParquetRecords"),
}
TABLES = frozenset(RECORDS)
