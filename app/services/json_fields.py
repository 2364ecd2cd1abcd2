"""The fields of a JSON document: text, id and metadata, under whatever names they come."""

from collections.abc import Sequence
from typing import Any

import msgspec

from app.services.csv_columns import shown_names
from app.services.rows import DECODE_ERRORS

_UNNAMED = ("text",)


def as_document(raw: bytes, text_fields: Sequence[str], id_field: str | None) -> bytes:
    """Give a document its text and id from the fields named, and move others into its metadata.

    Where a field and the metadata have a name, that of the metadata stays. Of several fields the
    texts are joined, each on a line of its own. What is no such JSON is given back.
    """
    try:
        value = msgspec.json.decode(raw)
        if not isinstance(value, dict):
            return raw
        texts = [value.pop(name) for name in text_fields or _UNNAMED if name in value]
        known: dict[str, Any] = {"text": _joined(texts)} if texts else {}
        if id_field is not None:
            known["id"] = value.pop(id_field, "")  # refused: a name misspelt would give odd ids
        elif "id" in value:
            known["id"] = value.pop("id")
        if "metadata" in value:
            known["metadata"] = value.pop("metadata")
        metadata = known.get("metadata")
        if value and isinstance(metadata, dict | None):
            known["metadata"] = value | (metadata or {})
        return msgspec.json.encode(known)
    except DECODE_ERRORS:
        return raw


def _joined(texts: list[Any]) -> Any:
    told = [text for text in texts if text is not None]
    odd = [text for text in told if not isinstance(text, str)]
    return odd[0] if odd else "\n".join(text for text in told if text and not text.isspace())


def lacking_text(raw: bytes, text_fields: Sequence[str]) -> str:
    """Say which fields a row has where it has none of those of the text."""
    try:
        fields = list(msgspec.json.decode(raw, type=dict[str, Any]))
    except DECODE_ERRORS:
        fields = []
    wanted = shown_names(text_fields or _UNNAMED)
    if not fields:
        return f"The row has no field {wanted}."
    return (
        f"The row has no field {wanted}; its fields are: {shown_names(fields)}. Where the text "
        "stands in another, send text_column=NAME; with the command: seedbed upload --text-column "
        "NAME. Where it stands in several, name each."
    )
