"""Uploads of documents whose labels are known, as rows, in flat memory."""

import json
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import msgspec

from app.errors import InvalidRequest
from app.media_types import JSON
from app.services.intake.csv_columns import shown_names
from app.services.intake.decoding import numbered_lines
from app.services.intake.json_elements import json_elements
from app.services.intake.label_names import OTHER_NAMES, label_in
from app.services.intake.options import Options
from app.services.intake.rows import (
    DECODE_ERRORS,
    DocumentBody,
    Row,
    RowError,
    document_row,
    explained,
    loads,
    too_long,
)
from app.services.intake.table_rows import TABLES, table_rows

EXPECTED = 'Expected {"documents": [...]} or a list of documents, each with text and label.'
KnownLabel = Literal["positive", "negative"]
LABELS = get_args(KnownLabel)
_AS_OTHERS = f"({'; '.join(', '.join(OTHER_NAMES[label]) for label in LABELS)})"


class LabeledRow(NamedTuple):
    row: Row
    is_positive: bool


class _LabeledBody(DocumentBody, forbid_unknown_fields=True, gc=False, kw_only=True):
    label: KnownLabel


_decode = msgspec.json.Decoder(_LabeledBody).decode


def read_labeled_rows(
    body: Iterator[bytes], *, media_type: str, options: Options
) -> Iterator[LabeledRow | RowError]:
    """Yield the rows of an upload that is decoded, each checked.

    Raises
    ------
    UnreadableBody, InvalidRequest, and whatever ``body`` raises
    """
    if media_type in TABLES:
        if "label" in options.text_columns:
            raise InvalidRequest("The column 'label' has the labels, so it is no text to predict.")
        for row, told in table_rows(media_type, body, options, beside="label"):
            yield row if isinstance(row, RowError) else _told_row(row, label_in(told))
        return
    read = _json_rows if media_type == JSON else numbered_lines
    for position, raw in read(body, max_bytes=options.max_row_bytes):
        if raw is None:
            yield too_long(position, options.max_row_bytes)
        elif raw.strip():
            yield _labeled_row(position, raw, options.max_text_bytes)


def _told_row(row: Row, label: str) -> LabeledRow | RowError:
    if label not in LABELS:
        unknown = _unknown_label(row.position, label, f" {_AS_OTHERS}")
        error = unknown if label else _missing_label(row.position)
        return error._replace(id=row.own_id)
    return LabeledRow(row, label == LABELS[0])


def _missing_label(position: int, reason: str = "The row has no label.") -> RowError:
    return RowError(position, "missing_label", reason)


def _unknown_label(position: int, label: object, others: str = "") -> RowError:
    expected = f"The label must be one of: {', '.join(LABELS)}{others}"
    return RowError(position, "unknown_label", f"{expected}; not {json.dumps(label)[:100]}.")


def _json_rows(body: Iterator[bytes], *, max_bytes: int) -> Iterator[tuple[int, bytes | None]]:
    key, elements = json_elements(body, max_bytes=max_bytes, expected=EXPECTED)
    if key != "documents":
        raise InvalidRequest(EXPECTED)
    return enumerate(elements)


def _labeled_row(position: int, raw: bytes, max_text_bytes: int) -> LabeledRow | RowError:
    try:
        body = _decode(raw)
    except DECODE_ERRORS:
        return _explained(position, raw)
    row = document_row(position, body, len(raw), max_text_bytes)
    return row if isinstance(row, RowError) else LabeledRow(row, body.label == LABELS[0])


def _explained(position: int, raw: bytes) -> RowError:
    """Say what is wrong: with the label, or else with the document."""
    try:
        value = loads(raw)
    except (ValueError, RecursionError):
        return explained(position, raw)
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        return explained(position, raw)
    if "label" not in value:
        fields = f"; its fields are: {shown_names(list(value))}" if value else ""
        return _missing_label(position, f"The row has no field 'label'{fields}.")
    label = value.pop("label")
    if label not in LABELS:
        return _unknown_label(position, label)
    return explained(position, json.dumps(value).encode())
