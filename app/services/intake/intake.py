"""Uploads of documents as rows, whatever their format, in flat memory."""

from collections.abc import Callable, Iterator
from functools import partial

from app.media_types import CSV, JSON, NBIB, NDJSON, PARQUET, PLAIN, RIS, XLSX, media_type_among
from app.services.intake.csv_columns import FOUND, TO_UTF8, left_out_note
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
    document_row,
    explained,
    id_row,
    too_long,
)
from app.services.intake.table_rows import table_rows, warn_of_id

Rows = Iterator[Row | RowError]
_Lines = Iterator[tuple[int, bytes | None]]
#: So many of the first lines of text are held at once.
_FIRST_BYTES = 2**20
_TO_KEEP = " Send extra_fields=metadata to keep it."
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
        warn_of_id(() if b'"metadata"' in given else row.metadata or (), options)
    return row


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


def _read_table(media_type: str, body: Iterator[bytes], options: Options) -> Rows:
    for row, _ in table_rows(media_type, body, options):
        yield row


READERS: dict[str, Callable[[Iterator[bytes], Options], Rows]] = {
    JSON: _read_json,
    NDJSON: _read_ndjson,
    CSV: partial(_read_table, CSV),
    XLSX: partial(_read_table, XLSX),
    PARQUET: partial(_read_table, PARQUET),
    PLAIN: _read_plain,
    RIS: partial(read_references, RIS),
    NBIB: partial(read_references, NBIB),
}
