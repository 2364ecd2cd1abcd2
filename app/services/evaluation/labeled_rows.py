"""Uploads of documents whose labels are known, as rows, in flat memory."""

import json
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from app.errors import InvalidRequest
from app.media_types import JSON
from app.services.intake.csv_columns import shown_names
from app.services.intake.decoding import numbered_lines
from app.services.intake.json_elements import json_elements
from app.services.intake.label_names import NEGATIVE, OTHER_NAMES, POSITIVE, label_in
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
LABELS = (POSITIVE, NEGATIVE)
_AS_OTHERS = f"({'; '.join(', '.join(OTHER_NAMES[label]) for label in LABELS)})"
#: Of labels that are told.
SHOWN_LABELS, SHOWN_CHARACTERS = 10, 40


class LabeledRow(NamedTuple):
    row: Row
    is_positive: bool


class LabelNames:
    """What the labels of an upload mean, and the first others than the one that is positive.

    Parameters
    ----------
    positive : str or None, default=None
        The label that is positive; any other is negative then. None: they are called that.
    """

    def __init__(self, positive: str | None = None) -> None:
        self.positive = positive and positive.strip()
        self._has_positive = False
        self._others = dict[str, None]()

    def truth(self, label: str) -> bool | None:
        """Return whether a label, or one of several with | between them, is positive.

        None: it is neither that nor negative.
        """
        if self.positive is None:
            if label in LABELS:
                return label == POSITIVE
        elif self.positive in map(str.strip, label.split("|")):
            self._has_positive = True
            return True
        if len(self._others) < SHOWN_LABELS:
            self._others[label[:SHOWN_CHARACTERS]] = None
        return None if self.positive is None else False

    def check(self) -> None:
        """Refuse a positive label that none of the labels was.

        Raises
        ------
        InvalidRequest
        """
        if self.positive is not None and self._others and not self._has_positive:
            raise InvalidRequest(
                f"No document has the label {self.positive!r}. Labels are: {self._told()}.",
                pointer="?positive",
            )

    def advice(self) -> str:
        """Return what to do where labels are neither positive nor negative; "" where all are."""
        if self.positive is not None or not self._others:
            return ""
        return f"Labels are: {self._told()}. Name the one that is positive: send positive=LABEL."

    def _told(self) -> str:
        more = " and maybe others" if len(self._others) == SHOWN_LABELS else ""
        return ", ".join(map(repr, self._others)) + more


class _LabeledBody(DocumentBody, forbid_unknown_fields=True, gc=False, kw_only=True):
    label: str | int | float | bool


_decode = msgspec.json.Decoder(_LabeledBody).decode


def read_labeled_rows(
    body: Iterator[bytes],
    *,
    media_type: str,
    options: Options,
    names: LabelNames | None = None,
) -> Iterator[LabeledRow | RowError]:
    """Yield the rows of an upload that is decoded, each checked; ``names`` of their labels.

    Raises
    ------
    UnreadableBody, InvalidRequest, and whatever ``body`` raises
    """
    names = names or LabelNames()
    yield from _rows(body, media_type, options, names)
    names.check()


def _rows(
    body: Iterator[bytes], media_type: str, options: Options, names: LabelNames
) -> Iterator[LabeledRow | RowError]:
    if media_type in TABLES:
        if "label" in options.text_columns:
            raise InvalidRequest("The column 'label' has the labels, so it is no text to predict.")
        for row, told in table_rows(media_type, body, options, beside="label"):
            yield row if isinstance(row, RowError) else _told_row(row, told, names)
        return
    read = _json_rows if media_type == JSON else numbered_lines
    for position, raw in read(body, max_bytes=options.max_row_bytes):
        if raw is None:
            yield too_long(position, options.max_row_bytes)
        elif raw.strip():
            yield _labeled_row(position, raw, options.max_text_bytes, names)


def _told_row(row: Row, told: str, names: LabelNames) -> LabeledRow | RowError:
    label = told.strip() if names.positive else label_in(told)
    if not label:
        return _missing_label(row.position)._replace(id=row.own_id)
    truth = names.truth(label)
    if truth is None:
        return _unknown_label(row.position, label, f" {_AS_OTHERS}")._replace(id=row.own_id)
    return LabeledRow(row, truth)


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


def _labeled_row(
    position: int, raw: bytes, max_text_bytes: int, names: LabelNames
) -> LabeledRow | RowError:
    try:
        body = _decode(raw)
    except DECODE_ERRORS:
        return _explained(position, raw, names)
    label = body.label if isinstance(body.label, str) else json.dumps(body.label)
    if names.positive and not label.strip():
        return _missing_label(position)
    truth = names.truth(label)
    if truth is None:
        return _unknown_label(position, body.label)
    row = document_row(position, body, len(raw), max_text_bytes)
    return row if isinstance(row, RowError) else LabeledRow(row, truth)


def _explained(position: int, raw: bytes, names: LabelNames) -> RowError:
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
    if not isinstance(label, str | int | float):
        if names.positive:
            return _missing_label(position, "The label is no text, number or boolean.")
        return _unknown_label(position, label)
    return explained(position, json.dumps(value).encode())
