"""The fields of a JSON document: its text and id may come under other names."""

from collections.abc import Sequence
from typing import Any

import msgspec

from app.services.intake.csv_columns import FOUND, shown_names
from app.services.intake.rows import DECODE_ERRORS, not_read_within

_UNNAMED = ("text",)
#: What each line of a ranking has that Seedbed wrote.
_RANKED = {"rank", "id", "score", "predicted", "label", "text"}


class NoSuchField(Exception):
    """A document lacks the field that was named for its id."""


class UnknownField(Exception):
    """A document has a field that is neither named nor of documents."""


def as_document(
    raw: bytes, text_fields: Sequence[str], id_field: str | None, *, keeps_others: bool = True
) -> bytes:
    """Give a document its text and id from the fields named, and move others into its metadata.

    Where a field and the metadata have a name, that of the metadata stays. Of several fields the
    texts are joined, each on a line of its own. What is no such JSON is given back.

    Raises
    ------
    NoSuchField
        For the id: a name misspelt would give odd ids. What has no text either is given back.
    UnknownField
        If others are not to be kept.
    """
    try:
        value = msgspec.json.decode(raw)
        if not isinstance(value, dict):
            return raw
        named = list(dict.fromkeys(text_fields or _UNNAMED))
        texts = [value[name] for name in named if name in value]
        known: dict[str, Any] = {"text": joined(texts)} if texts else {}
        if texts and id_field is not None and id_field not in value:
            raise NoSuchField(_lacking([id_field], value, "id_column"))
        named.append("id" if id_field is None else id_field)
        if named[-1] in value:
            known["id"] = value[named[-1]]
        others = {name: part for name, part in value.items() if name not in named}
        if "metadata" in others:
            known["metadata"] = others.pop("metadata")
        if isinstance(others.get("vector"), list):
            known["vector"] = others.pop("vector")
        metadata = known.get("metadata")
        if others and not keeps_others:
            raise UnknownField(
                f"The field {min(others)!r} is none of those that were named, and neither metadata "
                "nor vector."
            )
        if others and isinstance(metadata, dict | None):
            known["metadata"] = others | (metadata or {})
        return msgspec.json.encode(known)
    except DECODE_ERRORS:
        return raw


def without_findings(raw: bytes) -> bytes | None:
    """Return a line of a ranking without what the model found; None for any other JSON."""
    if b'"predicted"' not in raw:  # saves reading the others twice
        return None
    try:
        value = msgspec.json.decode(raw)
    except DECODE_ERRORS:
        return None
    if not isinstance(value, dict) or not _RANKED.issubset(value):
        return None
    return msgspec.json.encode({name: part for name, part in value.items() if name not in FOUND})


def joined(texts: list[Any]) -> Any:
    """Return texts, each on a line of its own; of others the first, which is none."""
    told = [text for text in texts if text is not None]
    odd = [text for text in told if not isinstance(text, str)]
    return odd[0] if odd else "\n".join(text for text in told if text and not text.isspace())


def lacking_text(raw: bytes, text_fields: Sequence[str]) -> str:
    """Say which fields a row has where it has none of those of the text."""
    try:
        row = msgspec.json.decode(raw, type=dict[str, Any])
    except DECODE_ERRORS:
        row = {}
    return _lacking(text_fields or _UNNAMED, row, "text_column")


def _lacking(wanted: Sequence[str], row: dict[str, Any], parameter: str) -> str:
    told = f"The row has no field {shown_names(wanted)}"
    if not row:
        return f"{told}."
    what = parameter.removesuffix("_column")
    if any(isinstance(row.get(name.partition(".")[0]), dict) for name in wanted):
        return f"{told}. {not_read_within(what)}"
    more = " If it stands in several, name each." if what == "text" else ""
    return (
        f"{told}; its fields are: {shown_names(list(row))}. If the {what} stands in another, send "
        f"{parameter}=NAME; for the command, --{what}-column NAME.{more}"
    )
