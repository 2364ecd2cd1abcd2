"""Uploads of documents as rows, whatever their format, in flat memory."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from app.media_types import CSV, JSON, NBIB, NDJSON, PLAIN, RIS, media_type_among
from app.services.intake.csv_columns import (
    DELIMITERS,
    FOUND,
    TO_UTF8,
    Columns,
    column_of,
    find_columns,
    is_unicode,
    left_out_note,
    unnamed_id,
)
from app.services.intake.csv_records import CsvRecords
from app.services.intake.decoding import count_lines, numbered_blocks, numbered_lines
from app.services.intake.json_elements import json_elements
from app.services.intake.json_fields import (
    NoSuchField,
    UnknownField,
    as_document,
    lacking_text,
    without_findings,
)
from app.services.intake.options import Options
from app.services.intake.references import FIRST_LINES, read_references, refuse_references
from app.services.intake.rows import (
    DECODE_ERRORS,
    DocumentBody,
    Row,
    RowError,
    checked_row,
    decode_document,
    decode_documents,
    decode_metadata,
    document_row,
    explained,
    id_row,
    too_long,
)
from app.services.intake.spreadsheet_cells import is_cut, unprotected

Rows = Iterator[Row | RowError]
_Lines = Iterator[tuple[int, bytes | None]]
#: So many of the first lines of text are held at once.
_FIRST_BYTES = 2**20
#: A row of so many lines is looked at: it may be many rows.
_MANY_LINES = 20
_SWALLOWED = (
    "The row at line {} has {:,} lines, nearly all of which look like rows: a quotation mark may "
    "be open there. Write quotation marks inside a quoted text twice."
)
_CUT = (
    "The text or its metadata was cut when the file was written, to fit into a spreadsheet cell. "
    "An .ndjson of the ranking has it whole: seedbed ranking --output FILE.ndjson."
)

_TO_KEEP = " Send extra_fields=metadata to keep it."
_VECTOR_OF_CSV = "'vector' was kept as metadata: vectors count in JSON and NDJSON alone."
_FOUND_LEFT_OUT = left_out_note("fields", FOUND)


def read_rows(body: Iterator[bytes], *, media_type: str, options: Options) -> Rows:
    """Yield the rows of an upload that is decoded, each checked.

    Raises
    ------
    UnreadableBody, InvalidRequest, and whatever ``body`` raises
    """
    return READERS[media_type](body, options)


def find_media_type(content_type: str) -> str:
    """Return the media type of an upload of documents; raises as ``media_type_among``."""
    return media_type_among(READERS, content_type)


def position_name(media_type: str) -> str:
    """Return what the position of a row is called: its line, or its index in a list."""
    return "index" if media_type == JSON else "line"


def _read_json(body: Iterator[bytes], options: Options) -> Rows:
    key, elements = json_elements(body, max_bytes=options.max_row_bytes)
    for index, raw in enumerate(elements):
        if raw is None:
            yield too_long(index, options.max_row_bytes)
        elif key == "ids":
            yield id_row(index, raw)
        else:
            yield _json_row(index, raw, options)


def _json_row(position: int, raw: bytes, options: Options) -> Row | RowError:
    ranked = without_findings(raw)
    if ranked is not None:
        options.warn(_FOUND_LEFT_OUT)
        raw = ranked
    given, is_shaped = raw, options.keeps_extra_fields or options.names_fields
    if is_shaped:
        try:
            columns = options.text_columns, options.id_column
            raw = as_document(given, *columns, keeps_others=options.keeps_extra_fields is not False)
        except NoSuchField as missing:
            return RowError(position, "missing_id", str(missing))
        except UnknownField as unknown:
            return RowError(position, "unknown_field", f"{unknown}{_TO_KEEP}")
    try:
        document = decode_document(raw)
    except DECODE_ERRORS:
        error = explained(
            position,
            raw,
            keeps_extra_fields=bool(is_shaped),
            other_formats=options.other_formats,
        )
        if error.code == "missing_text":
            return error._replace(reason=lacking_text(given, options.text_columns))
        if error.code == "unknown_field":
            return error._replace(reason=f"{error.reason}{_TO_KEEP}")
        return error
    row = document_row(position, document, len(raw), options.max_text_bytes)
    if options.id_column is None and isinstance(row, Row) and not row.has_own_id:
        # No parameter can name what is inside of the row's own metadata.
        _warn_of_id(() if b'"metadata"' in given else row.metadata or (), options)
    return row


def _warn_of_id(names: Iterable[str], options: Options) -> None:
    warning = unnamed_id(names)
    if warning is not None:
        options.warn(warning)


def _read_ndjson(body: Iterator[bytes], options: Options) -> Rows:
    for line, block in numbered_blocks(body, max_bytes=options.max_row_bytes):
        if block is None:
            yield too_long(line, options.max_row_bytes)
            continue
        n_lines = count_lines(block)
        documents = [] if options.names_fields else _decode_block(block)
        if len(documents) == n_lines:
            size = len(block) // n_lines
            for position, document in enumerate(documents, line):
                yield document_row(position, document, size, options.max_text_bytes)
        else:  # a blank line or a bad one
            for position, raw in enumerate(block.split(b"\n"), line):
                if not raw.isspace() and raw:
                    yield _json_row(position, raw, options)


def _decode_block(block: bytes) -> list[DocumentBody | str]:
    try:
        return decode_documents(block)
    except DECODE_ERRORS:
        return []


def _read_plain(body: Iterator[bytes], options: Options) -> Rows:
    for line, raw in _without_references(numbered_lines(body, max_bytes=options.max_row_bytes)):
        if raw is None:
            yield too_long(line, options.max_row_bytes)
        elif raw and not raw.isspace():
            yield _plain_row(line, raw, options)


def _without_references(lines: _Lines) -> _Lines:
    """Yield lines, once it is sure that none of the first begins a reference.

    Raises
    ------
    InvalidRequest, and whatever ``lines`` raise
    """
    first: list[tuple[int, bytes | None]] = []
    n_bytes = 0
    fault: Exception | None = None
    try:
        for line, raw in lines:
            first.append((line, raw))
            n_bytes += len(raw or b"")
            if len(first) == FIRST_LINES or n_bytes > _FIRST_BYTES:
                break
    except Exception as error:
        fault = error
    for _, raw in first:
        refuse_references(raw or b"")
    yield from first
    if fault is not None:  # what came before it is read all the same
        raise fault
    yield from lines


def _plain_row(position: int, raw: bytes, options: Options) -> Row | RowError:
    try:
        text = raw.removesuffix(b"\r").decode()
    except UnicodeDecodeError:
        return RowError(position, "invalid_unicode", f"The line is not UTF-8. {TO_UTF8}")
    return checked_row(position, None, text, None, len(raw), options.max_text_bytes)


def _read_csv(body: Iterator[bytes], options: Options) -> Rows:
    for row, _ in csv_rows(body, options):
        yield row


def csv_rows(
    body: Iterator[bytes], options: Options, beside: str | None = None
) -> Iterator[tuple[Row | RowError, str]]:
    """Yield the rows of a CSV, each with what it has in the column ``beside``.

    Raises
    ------
    InvalidRequest
        If there is no such column, or none with texts.
    """
    delimiter = options.delimiter
    records = CsvRecords(body, DELIMITERS[delimiter], options.max_row_bytes)
    columns = find_columns(records.header(), options.text_columns, options.id_column, delimiter)
    if columns.warning is not None:
        options.warn(columns.warning)
    if "vector" in columns.metadata.values():
        options.warn(_VECTOR_OF_CSV)
    if columns.id is None:
        _warn_of_id(columns.metadata.values(), options)
    place = None if beside is None else column_of(columns, beside)
    n_columns, is_warned = len(columns.names), False
    for record in records.rows(n_columns):
        if isinstance(record, RowError):
            yield record, ""
        else:
            if records.n_lines >= _MANY_LINES and not is_warned:
                is_warned = records.has_swallowed_rows(n_columns)
                if is_warned:
                    options.warn(_SWALLOWED.format(record.position, records.n_lines))
            row = _csv_row(*record, columns, options.max_text_bytes)
            # A row whose fields are fewer than the columns is refused.
            is_told = place is not None and isinstance(row, Row)
            yield row, record.fields[place or 0] if is_told else ""


def _csv_row(
    position: int, fields: list[str], size: int, columns: Columns, max_text_bytes: int
) -> Row | RowError:
    if len(fields) != len(columns.names):
        reason = f"The row has {len(fields)} fields; the header has {len(columns.names)}."
        return RowError(position, "invalid_csv", reason)
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
    return checked_row(position, id_ or None, text, given, size, max_text_bytes)


READERS: dict[str, Callable[[Iterator[bytes], Options], Rows]] = {
    JSON: _read_json,
    NDJSON: _read_ndjson,
    CSV: _read_csv,
    PLAIN: _read_plain,
    RIS: partial(read_references, RIS),
    NBIB: partial(read_references, NBIB),
}
