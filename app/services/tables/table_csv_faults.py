"""What is wrong with the rows of a CSV that is a table, in the words of uploads of documents."""

from functools import partial, reduce
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc

from app.errors import MAX_ERRORS
from app.services.intake.csv_columns import AS_UTF8, is_unicode, no_name
from app.services.intake.csv_records import CsvRecords, Record
from app.services.intake.decoding import PIECE_BYTES
from app.services.intake.rows import RowError
from app.services.tables.table_faults import Fault, fault


def faults_of_rows(file: IO[bytes], n_columns: int, delimiter: str, max_bytes: int) -> list[Fault]:
    """Return the first faults with their lines, which the fast reader does not know.

    Raises
    ------
    InvalidRequest, UnreadableBody
        If the header, or a row of more than ``max_bytes``, cannot be read.
    """
    file.seek(0)
    records = CsvRecords(iter(partial(file.read, PIECE_BYTES), b""), delimiter, max_bytes)
    records.header()
    faults: list[Fault] = []
    for row, record in enumerate(records.rows(n_columns), 1):
        error = record if isinstance(record, RowError) else _error(record, n_columns)
        if error is not None:
            told = fault(error.code, f"Line {error.position}: {error.reason}", row=row)
            faults.append({**told, "line": error.position})
        if len(faults) == MAX_ERRORS:
            break
    return faults


def named(header: list[str]) -> list[str]:
    """Return the names of a header but for empty ones at its end, which spreadsheets write."""
    n_named = max((i for i, name in enumerate(header, 1) if name.strip()), default=len(header))
    return header[:n_named]


def faults_of_unnamed(table: pa.Table, n_named: int) -> list[Fault]:
    """Return the first rows that have a cell behind the columns with names."""
    unnamed = table.columns[n_named:]
    if not unnamed:
        return []
    are_filled = [pc.not_equal(pc.utf8_trim_whitespace(texts), "") for texts in unnamed]
    rows = pc.indices_nonzero(reduce(pc.or_, are_filled))[:MAX_ERRORS].to_pylist()
    return [fault("invalid_row", f"Row {i + 1}: {no_name(n_named)}", row=i + 1) for i in rows]


def _error(record: Record, n_columns: int) -> RowError | None:
    if len(record.fields) != n_columns:
        reason = f"The row has {len(record.fields)} fields; the header has {n_columns}."
        return RowError(record.position, "ragged_row", reason)
    if not is_unicode(record.fields):
        return RowError(record.position, "invalid_unicode", f"The row is not UTF-8. {AS_UTF8}.")
    return None
