"""Files of tables, CSV or Parquet, as columns: text as it stands, or numbers."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import IO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from app.errors import BodyTooLarge, UnreadableBody
from app.media_types import CSV, PARQUET
from app.services.intake.csv_columns import AS_UTF8, DELIMITERS, Delimiter, needed_delimiter
from app.services.intake.csv_records import NO_HEADER
from app.services.intake.parquet_types import is_bytes, is_text, is_unbounded, null_bytes
from app.services.tables.table_csv_faults import faults_of_rows, faults_of_unnamed, named
from app.services.tables.table_faults import fault, parameter_fault, refuse, shown

#: What stands for a missing value in CSV, in any case.
MISSING = pa.array(["", "?", "na", "n/a", "nan", "none", "null"])
#: A record of a CSV fits into one.
BLOCK_BYTES = 2**24
_NO_PARQUET = (
    "The body is not Parquet, or is incomplete or damaged: write the file again and send all of "
    "it. Send a CSV as text/csv."
)
_NAMES_NOT_UTF8 = "The column names of the Parquet are not UTF-8: rename them, then send it again."


class TableOptions(NamedTuple):
    """What the caller says of a table."""

    label_column: str
    positive: list[str]
    unlabeled: list[str] | None = None
    exclude: list[str] | None = None
    #: What to do with text, and with missing values; None: neither is expected.
    categorical: str | None = None
    missing: str | None = None
    delimiter: Delimiter = "comma"
    #: Further texts that stand for missing values.
    missing_marker: list[str] | None = None


class Limits(NamedTuple):
    """How large a table may be: bytes as sent and as numbers of 8 bytes each, and columns."""

    max_bytes: int
    max_columns: int

    def allow(self, n_rows: int, n_columns: int) -> bool:
        return n_columns <= self.max_columns and 8 * n_rows * n_columns <= self.max_bytes

    def check(self, n_rows: int, n_columns: int) -> None:
        """Refuse a table of too many columns or values.

        Raises
        ------
        BodyTooLarge
        """
        if n_columns > self.max_columns:
            raise BodyTooLarge(
                f"The table has {n_columns} columns or features; the limit is {self.max_columns}. "
                "Leave some out with exclude=NAME, or raise SEEDBED_MAX_TABLE_COLUMNS."
            )
        if not self.allow(n_rows, n_columns):
            raise BodyTooLarge(
                f"The table has {n_rows} rows and {n_columns} columns or features, more than "
                f"{self.max_bytes} bytes as numbers. Raise SEEDBED_MAX_TABLE_BYTES."
            )


def read_columns(
    file: IO[bytes], media_type: str, limits: Limits, options: TableOptions
) -> pa.Table:
    """Return the columns of a table, their names all different.

    Columns of a CSV are text, with null for missing values.

    Raises
    ------
    UnreadableBody, BodyTooLarge, InvalidTable
    """
    try:
        table = READERS[media_type](file, limits, options)
    except UnicodeDecodeError as error:
        raise UnreadableBody(_NAMES_NOT_UTF8) from error
    except (pa.ArrowException, OSError, EOFError) as error:
        if getattr(error, "errno", None) is not None:
            raise
        raise UnreadableBody(_NO_PARQUET) from error
    if not table.num_rows:
        refuse([fault("no_rows", "The table has no rows.")])
    limits.check(table.num_rows, table.num_columns)
    return table


def _read_csv(file: IO[bytes], limits: Limits, options: TableOptions) -> pa.Table:
    delimiter = DELIMITERS[options.delimiter]
    header = _header(file, options.delimiter)
    limits.check(0, len(header))
    names = named(header)
    _check_names(names)
    file.seek(0)
    try:
        table = pa.csv.read_csv(
            file,
            pa.csv.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
            pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            pa.csv.ConvertOptions(column_types={name: pa.string() for name in header}),
        )
    except pa.ArrowInvalid as error:
        _refuse_rows(file, len(header), delimiter)
        raise UnreadableBody("The rows cannot be told apart: is a quote not closed?") from error
    if table.column_names != header:
        raise UnreadableBody("The header of the CSV cannot be read: is a quote not closed?")
    if _may_be_torn(file, table):
        _refuse_rows(file, len(header), delimiter)
    if faults := faults_of_unnamed(table, len(names)):
        refuse(faults)
    table = table.select(range(len(names)))
    _refuse_second_header(table)
    markers = options.missing_marker or []
    # Of labels, "none" is one.
    columns = [
        texts if name == options.label_column else _with_gaps(texts, markers)
        for name, texts in zip(names, table.columns, strict=True)
    ]
    return pa.table(columns, names=names)


def _may_be_torn(file: IO[bytes], table: pa.Table) -> bool:
    """Tell whether a quotation mark may not be closed: it swallows what is behind it."""
    if any(pc.any(pc.match_substring_regex(t, r"[\r\n]")).as_py() for t in table.columns):
        return True
    file.seek(0)
    blocks = iter(partial(file.read, BLOCK_BYTES), b"")
    return sum(block.count(b'"') for block in blocks) % 2 == 1


def _with_gaps(texts: pa.ChunkedArray, further: Sequence[str]) -> pa.ChunkedArray:
    # Many files have a blank behind each comma, which numbers may have, too.
    bare = pc.utf8_trim_whitespace(texts)
    markers = pa.array(map(str.strip, further), pa.string())
    is_missing = pc.or_(pc.is_in(pc.ascii_lower(bare), MISSING), pc.is_in(bare, markers))
    return pc.if_else(is_missing, pa.scalar(None, pa.string()), texts)


def _header(file: IO[bytes], delimiter: Delimiter) -> list[str]:
    start = file.read(BLOCK_BYTES).decode(errors="surrogateescape")
    if start.startswith("PAR1\x15"):
        raise UnreadableBody(
            f"The body is Parquet: send it with the header Content-Type: {PARQUET}."
        )
    # One limit for the whole process, which uploads of documents raise, too.
    csv.field_size_limit(2**31 - 1)
    try:
        rows = csv.reader(
            io.StringIO(start, newline=""), delimiter=DELIMITERS[delimiter], strict=True
        )
        names = next((row for row in rows if row), [])
    except csv.Error as error:
        # Quoted names may have other signs between them.
        _check_delimiter(start.lstrip().splitlines()[0].split(DELIMITERS[delimiter]), delimiter)
        raise UnreadableBody(NO_HEADER) from error
    if not names or len(start.strip().splitlines()) < 2:
        refuse([fault("no_rows", "The table has no rows: send a header with names, then rows.")])
    _check_delimiter(names, delimiter)
    if all(_is_number(name) for name in names):
        detail = f"The first row has numbers only ({shown(names)}): begin with the column names."
        refuse([fault("no_header", detail)])
    return names


def _check_delimiter(names: list[str], delimiter: Delimiter) -> None:
    """Refuse a header of one column that another delimiter would take apart."""
    if needed := needed_delimiter(names, delimiter):
        detail = (
            f"The header has one column, {_shortened(names[0])!r}: to split it, send "
            f"delimiter={needed}."
        )
        refuse([parameter_fault("wrong_delimiter", "delimiter", detail)])


def _shortened(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:100]} ..."


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_names(names: list[str]) -> None:
    try:
        "".join(names).encode()
    except UnicodeEncodeError as error:
        raise UnreadableBody(f"The column names are not UTF-8. {AS_UTF8}.") from error
    unnamed = [str(i) for i, name in enumerate(names, 1) if not name.strip()]
    if unnamed:
        detail = f"These columns have no name: number {', '.join(unnamed[:20])}."
        refuse([fault("no_header", detail)])
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        refuse(
            [
                fault("duplicate_column", f"The column {name!r} is there twice.", column=name)
                for name in twice
            ]
        )


def _refuse_rows(file: IO[bytes], n_columns: int, delimiter: str) -> None:
    if faults := faults_of_rows(file, n_columns, delimiter, BLOCK_BYTES):
        refuse(faults)


def _refuse_second_header(table: pa.Table) -> None:
    is_header = pc.equal(table.column(0), table.column_names[0])
    for i in pc.indices_nonzero(pc.fill_null(is_header, False)).to_pylist():
        if all(table.column(name)[i].as_py() == name for name in table.column_names):
            detail = f"Row {i + 1} repeats the header: take it out."
            refuse([fault("repeated_header", detail, row=i + 1)])


def _read_parquet(file: IO[bytes], limits: Limits, _: TableOptions) -> pa.Table:
    schema = pa.parquet.read_schema(file)
    limits.check(0, len(schema.names))
    _check_names(schema.names)
    # One text in every row takes no more room than it took in the file.
    encoded = [field.name for field in schema if is_bytes(field.type)]
    parquet = pa.parquet.ParquetFile(file, read_dictionary=encoded)
    metadata = parquet.metadata
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    # The rows of the groups are what is read, whatever is said of the whole.
    n_rows = max(metadata.num_rows, sum(group.num_rows for group in groups))
    limits.check(n_rows, metadata.num_columns)
    _check_bytes(sum(group.total_byte_size for group in groups), limits)
    # Lists and the like are no features, and nobody knows how large they would be.
    flat = {field.name for field in schema if not is_unbounded(field.type)}
    left_out = (field.type for field in schema if field.name not in flat)
    _check_bytes(n_rows * sum(map(null_bytes, left_out)), limits)
    numbers = parquet.read(columns=list(flat.difference(encoded)), use_threads=False)
    read = dict(zip(numbers.column_names, numbers.columns, strict=True))
    n_bytes = 0
    # One by one: the footer may say less of texts than a few bytes unpack to.
    for name in flat.intersection(encoded):
        read[name] = parquet.read(columns=[name], use_threads=False).column(name)
        n_bytes += _n_bytes(read[name])
        _check_bytes(n_bytes, limits)
    columns = [
        _decoded(read[field.name], field.type)
        if field.name in read
        else pa.nulls(metadata.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, names=schema.names)


def _check_bytes(n_bytes: int, limits: Limits) -> None:
    if n_bytes > limits.max_bytes:
        raise BodyTooLarge(
            f"The table has more than {limits.max_bytes} bytes. Raise SEEDBED_MAX_TABLE_BYTES."
        )


def _n_bytes(column: pa.ChunkedArray) -> int:
    """Return how many bytes the texts of a column have, each in its row."""
    if not (pa.types.is_dictionary(column.type) and is_bytes(column.type.value_type)):
        return 0
    total = 0
    for chunk in column.chunks:
        lengths = pc.binary_length(chunk.dictionary).fill_null(0).to_numpy(zero_copy_only=False)
        codes = chunk.indices.drop_null().to_numpy(zero_copy_only=False)
        # Of a damaged file codes are read as they stand, and may be of texts that are not there.
        if len(codes) and not 0 <= codes.min() <= codes.max() < len(lengths):
            raise pa.ArrowInvalid("a code without its text")
        total += int(lengths @ np.bincount(codes, minlength=len(lengths)))
    return total


def _decoded(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type) or is_text(kind):
        return column
    chunks = [chunk.dictionary_decode() for chunk in column.chunks]
    return pa.chunked_array(chunks, column.type.value_type)


READERS: dict[str, Callable[[IO[bytes], Limits, TableOptions], pa.Table]] = {
    CSV: _read_csv,
    PARQUET: _read_parquet,
}
