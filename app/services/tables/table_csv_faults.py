"""What is wrong with the rows of a CSV that is a table, in the words of uploads of documents."""

from functools import partial
from typing import IO

from app.errors import MAX_ERRORS
from app.services.intake.csv_columns import AS_UTF8, is_unicode
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


def _error(record: Record, n_columns: int) -> RowError | None:
    if len(record.fields) != n_columns:
        reason = f"The row has {len(record.fields)} fields; the header has {n_columns}."
        return RowError(record.position, "ragged_row", reason)
    if not is_unicode(record.fields):
        return RowError(record.position, "invalid_unicode", f"The row is not UTF-8. {AS_UTF8}.")
    return None
