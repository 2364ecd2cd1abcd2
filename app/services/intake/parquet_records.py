"""Rows of Parquet as records of text, in flat memory."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, repeat
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.parquet import ParquetFile

from app.document_sizes import MAX_VECTOR_NUMBERS
from app.errors import InvalidRequest
from app.services.intake.csv_columns import TableName, is_unicode, shown_names
from app.services.intake.csv_records import Record
from app.services.intake.decoding import too_large
from app.services.intake.options import Options
from app.services.intake.parquet_types import is_bytes, is_text
from app.services.intake.rows import ODD_VECTOR, RowError, is_vector, too_long
from app.services.intake.spool import damage_told
from app.services.intake.spreadsheet_cells import cell_text

BATCH_ROWS = 1000
#: A text that many rows share stands once in the file: so many bytes of them are held at once.
BATCH_BYTES = 2**26
BUFFER_BYTES = 2**20
VECTOR = "vector"
_NO_PARQUET = (
    "The body is no Parquet, or is incomplete or damaged. Write the file again and send all of it."
)
_LEFT_OUT = (
    "Left out were columns that hold neither texts nor single values: {}. Write lists as texts to "
    "keep them; a list of numbers counts as an embedding where its column is called 'vector'."
)


class ParquetRecords:
    """The names of the columns, then the rows, numbered from 1.

    Values are read as a CSV of them would have them. A list of numbers called ``vector`` is the
    vector of a row; other lists and the like are left out, which ``options.warn`` is told.
    """

    name: TableName = "Parquet"

    def __init__(self, file: IO[bytes], options: Options) -> None:
        self._max_row_bytes = options.max_row_bytes
        with damage_told(_NO_PARQUET):
            self._parquet = _open(file)
            schema = self._parquet.schema_arrow
        metadata = self._parquet.metadata
        n_bytes = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
        if options.max_bytes is not None and n_bytes > options.max_bytes:
            raise too_large(options.max_bytes)
        kinds = {field.name: _stored(field.type) for field in schema}
        if len(kinds) < len(schema):
            raise InvalidRequest("Columns of the Parquet have one name: rename all but one.")
        self._names = [name for name, kind in kinds.items() if _is_single(kind)]
        self._vectors = [VECTOR] if VECTOR in kinds and _is_vector(kinds[VECTOR]) else []
        self._texts = [name for name in self._names if is_text(kinds[name])]
        self._shared = _open(file, read_dictionary=self._texts)
        others = kinds.keys() - {*self._names, *self._vectors}
        if others:
            options.warn(_LEFT_OUT.format(shown_names(sorted(others))))

    def header(self) -> list[str]:
        """Return the names of the columns, but for that of the vectors."""
        return self._names

    def rows(self, n_columns: int) -> Iterator[Record | RowError]:
        """Yield the rows that are not empty.

        Raises
        ------
        UnreadableBody
        """
        rows = chain.from_iterable(self._blocks())
        for position, (*fields, vector) in enumerate(rows, 1):
            if any(fields) or vector is not None:
                yield self._record(position, fields, vector)

    def _record(self, position: int, fields: list[str], vector: Any) -> Record | RowError:
        size = sum(map(len, fields))
        if size > self._max_row_bytes:
            return too_long(position, self._max_row_bytes)
        if not is_unicode(fields):
            return RowError(position, "invalid_unicode", "The row is not UTF-8.")
        if vector is not None and not is_vector(vector):
            return RowError(position, "invalid_vector", ODD_VECTOR)
        return Record(position, fields, size, vector)

    def _blocks(self) -> Iterator[Iterable[tuple[Any, ...]]]:
        """Yield rows, many at a time; each has its fields, then its vector or None."""
        with damage_told(_NO_PARQUET):
            for batch in self._batches():
                fields = [_as_texts(batch.column(name)) for name in self._names]
                vectors = batch.column(VECTOR).to_pylist() if self._vectors else repeat(None)
                yield zip(*fields, islice(vectors, len(batch)), strict=True)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        columns = [*self._names, *self._vectors]
        for group in range(self._parquet.num_row_groups):
            yield from self._parquet.iter_batches(
                self._batch_rows(group), row_groups=[group], columns=columns, use_threads=False
            )

    def _batch_rows(self, group: int) -> int:
        """Return how many rows are read at once: fewer where they may share a long text."""
        longest = 1
        if self._texts:
            one = self._shared.iter_batches(1, row_groups=[group], columns=self._texts)
            for column in next(one, pa.record_batch({})).columns:
                # The dictionary has all texts that several rows may share.
                if pa.types.is_dictionary(column.type):
                    lengths = pc.binary_length(column.dictionary)
                    longest = max(longest, pc.max(lengths).as_py() or 0)
        return max(1, min(BATCH_ROWS, BATCH_BYTES // longest))


def _open(file: IO[bytes], **options: Any) -> ParquetFile:
    # Pages are read one after another, not all of a group of rows at once.
    return ParquetFile(file, buffer_size=BUFFER_BYTES, pre_buffer=False, **options)


def _stored(kind: pa.DataType) -> pa.DataType:
    """Return how values stand in the file, without what they mean."""
    if isinstance(kind, pa.BaseExtensionType):
        return kind.storage_type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_single(kind: pa.DataType) -> bool:
    """Tell whether a CSV could have the values: texts, numbers, dates and the like."""
    is_other = pa.types.is_nested(kind) or pa.types.is_interval(kind) or is_bytes(kind)
    return is_text(kind) or not (is_other or pa.types.is_fixed_size_binary(kind))


def _is_vector(kind: pa.DataType) -> bool:
    types = pa.types
    if types.is_fixed_size_list(kind) and kind.list_size > MAX_VECTOR_NUMBERS:
        return False
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    if not is_list:
        return False
    return bool(types.is_integer(kind.value_type) or types.is_floating(kind.value_type))


def _as_texts(column: pa.Array) -> list[str]:
    """Return what a CSV has of each value."""
    if isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if is_text(column.type):
        return [value or "" for value in _decoded(column)]
    column = _with_microseconds(column)
    try:
        return [cell_text(value) for value in column.to_pylist()]
    except OverflowError:
        times = column.to_numpy(zero_copy_only=False)
        return [_as_text(value, time) for value, time in zip(column, times, strict=True)]


def _with_microseconds(column: pa.Array) -> pa.Array:
    """Return times as Python has them: without nanoseconds, and zones that it may not know."""
    types, kind = pa.types, column.type
    if types.is_timestamp(kind):
        kind = pa.timestamp("us", "UTC" if kind.tz else None)
    elif types.is_time64(kind):
        kind = pa.time64("us")
    elif types.is_duration(kind) and kind.unit == "ns":
        kind = pa.duration("us")
    return column.cast(kind, safe=False)


def _as_text(value: pa.Scalar, time: Any) -> str:
    """Return what a CSV has of a value, which may be a time that NumPy has and Python has not."""
    try:
        return cell_text(value.as_py())
    except OverflowError:  # such as one behind the year 9999
        return str(time)


def _decoded(column: pa.Array) -> list[str | None]:
    try:
        texts: list[str | None] = column.to_pylist()
    except UnicodeDecodeError:
        # Bytes that are not UTF-8 become surrogates: their row alone is refused.
        raw = column.cast(pa.large_binary()).to_pylist()
        return [None if one is None else one.decode(errors="surrogateescape") for one in raw]
    return texts
