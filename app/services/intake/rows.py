"""One row of an upload: a document, or why it is refused."""

import json
import re
from hashlib import blake2b
from sys import float_info
from typing import Any, NamedTuple, NoReturn
from unicodedata import normalize

import msgspec

from app.document_sizes import DIGEST_BYTES, MAX_ID_CHARACTERS, MAX_VECTOR_NUMBERS
from app.services.intake.csv_columns import AS_IN_UTF16, TO_UTF8, shown_names

MAX_METADATA_DEPTH = 32
ODD_VECTOR = "The vector is no list of finite numbers."
_ODD_ID = "The id is neither a string nor an integer."
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PATH_STEPS = {".", ".."}


class Row(msgspec.Struct, gc=False):
    """A valid row; without text it only names a document that is there already."""

    position: int
    id: str
    text: str | None
    digest: bytes
    metadata: dict[str, Any] | None
    #: Bytes it came in.
    size: int
    #: Whether it came with its id, and none was made from its text.
    has_own_id: bool = True
    #: As it came.
    vector: list[float] | None = None
    #: What is kept of it, from when it is encoded; see ``core.text.vector_coding``.
    vector_code: str | None = None

    @property
    def own_id(self) -> str | None:
        return self.id if self.has_own_id else None


class RowError(NamedTuple):
    """Why the row at a line (from 1) or an index (from 0) is refused."""

    position: int
    code: str
    reason: str
    #: That of the document, if one can be read.
    id: str | None = None

    def to_dict(self, position_name: str) -> dict[str, Any]:
        """Return it as clients see it."""
        own_id = {} if self.id is None else {"id": self.id}
        return {position_name: self.position, **own_id, "code": self.code, "reason": self.reason}


class DocumentBody(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A document as clients write it."""

    text: str
    id: str | int | None = None
    metadata: dict[str, Any] | None = None
    vector: list[float] | None = None


_DECODER = msgspec.json.Decoder(DocumentBody | str)
decode_document = _DECODER.decode
decode_documents = _DECODER.decode_lines
decode_metadata = msgspec.json.Decoder(dict[str, Any]).decode
#: What the decoder raises, the latter two beside its own errors.
DECODE_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def document_row(
    position: int, body: DocumentBody | str, size: int, max_text_bytes: int
) -> Row | RowError:
    """Check a document."""
    if isinstance(body, str):
        return checked_row(position, None, body, None, size, max_text_bytes)
    id_ = str(body.id) if isinstance(body.id, int) else body.id
    row = checked_row(position, id_, body.text, body.metadata, size, max_text_bytes)
    return with_vector(row, body.vector)


def with_vector(row: Row | RowError, vector: Any) -> Row | RowError:
    """Give a row its vector, which is checked."""
    if vector is None or isinstance(row, RowError):
        return row
    if fault := _fault_of_vector(vector):
        return RowError(row.position, "invalid_vector", fault, row.own_id)
    row.vector = vector
    return row


def checked_row(
    position: int,
    document_id: str | None,
    text: str,
    metadata: dict[str, Any] | None,
    size: int,
    max_text_bytes: int,
) -> Row | RowError:
    """Check the parts of a document; a row without id gets one from its text."""
    fault = None if document_id is None else _fault_of_id(document_id)
    checked = checked_text(position, text, max_text_bytes)
    if isinstance(checked, RowError):
        return checked._replace(id=None if fault else document_id)
    if fault:
        return RowError(position, "invalid_id", fault)
    if metadata is not None and _depth(metadata) > MAX_METADATA_DEPTH:
        reason = f"The metadata nests more than {MAX_METADATA_DEPTH} levels."
        return RowError(position, "invalid_metadata", reason, document_id)
    digest = blake2b(checked.encode(), digest_size=DIGEST_BYTES).digest()
    has_own_id = document_id is not None
    id_ = digest.hex() if document_id is None else document_id
    return Row(position, id_, checked, digest, metadata, size, has_own_id)


def checked_text(position: int, text: str, max_bytes: int) -> str | RowError:
    """Return a text as it is kept, or why it is refused."""
    if not text or text.isspace():
        return RowError(position, "empty_text", "The text is empty.")
    if "\0" in text:
        return RowError(position, "nul_character", f"The text has {AS_IN_UTF16}")
    text = composed(text)
    n_bytes = len(text) if text.isascii() else len(text.encode())
    if n_bytes > max_bytes:
        reason = (
            f"The text has {n_bytes} bytes of UTF-8; the limit is {max_bytes}. Send a part of it, "
            "or raise SEEDBED_MAX_DOCUMENT_BYTES."
        )
        return RowError(position, "text_too_long", reason)
    return text


def _fault_of_vector(vector: list[float]) -> str | None:
    if not 0 < len(vector) <= MAX_VECTOR_NUMBERS:
        return f"A vector has 1 to {MAX_VECTOR_NUMBERS:,} numbers; not {len(vector):,}."
    return None if any(vector) else "The vector is 0 throughout: it has no direction."


def composed(text: str) -> str:
    """Return a text in NFC: macOS and PDF write letters apart from their marks, where they end."""
    return text if text.isascii() else normalize("NFC", text)


def id_row(position: int, raw: bytes) -> Row | RowError:
    """Check the id of a document that is there already."""
    try:
        given = str(msgspec.json.decode(raw, type=str | int))
    except msgspec.ValidationError:
        return RowError(position, "invalid_id", _ODD_ID)
    except DECODE_ERRORS:
        return explained(position, raw)
    if fault := _fault_of_id(given):
        return RowError(position, "invalid_id", fault)
    return Row(position, given, None, b"", None, len(raw))


def _fault_of_id(value: str) -> str | None:
    if not value:
        return "The id is empty."
    if len(value) > MAX_ID_CHARACTERS:
        return f"The id has more than {MAX_ID_CHARACTERS} characters."
    if _CONTROL.search(value):
        return "The id contains a control character."
    # Clients shorten /projects/1/documents/.. to the path of the project.
    if not _PATH_STEPS.isdisjoint(value.split("/")):
        return "The id has . or .. as a step of a path, which leads elsewhere. Rename it."
    return None


def is_vector(value: Any) -> bool:
    """Tell whether a value of JSON is a list of finite numbers."""
    return isinstance(value, list) and all(
        # Compared as it is: an integer may be too large to become a float.
        type(one) in {int, float} and abs(one) <= float_info.max
        for one in value
    )


def _depth(value: Any) -> int:
    """Count levels of nesting, at most one more than is allowed."""
    depth, level = 0, [value]
    while level and depth <= MAX_METADATA_DEPTH:
        depth += 1
        inner = [i for v in level for i in (v.values() if isinstance(v, dict) else v)]
        level = [v for v in inner if isinstance(v, dict | list)]
    return depth


def too_long(position: int, max_bytes: int) -> RowError:
    reason = (
        f"The row has more than {max_bytes} bytes. Send a part of it, or raise "
        "SEEDBED_MAX_DOCUMENT_BYTES."
    )
    return RowError(position, "row_too_long", reason)


def explained(
    position: int, raw: bytes, *, keeps_extra_fields: bool = False, other_formats: str = ""
) -> RowError:
    """Say what is wrong with JSON that did not decode into a document."""
    try:
        value = loads(raw.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        return RowError(position, "invalid_unicode", f"The row is not UTF-8. {TO_UTF8}")
    except ValueError as error:
        is_header = position == 1 and not raw.lstrip().startswith((b"{", b"[", b'"'))
        hint = f" Each is an object or a text in quotes.{other_formats}" if is_header else ""
        return RowError(position, "invalid_json", f"The row is not JSON: {error}.{hint}")
    except RecursionError:
        return RowError(position, "invalid_json", "The row nests too deep.")
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        return RowError(position, "invalid_json", "The row is neither an object nor a string.")
    unknown = sorted(value.keys() - set(DocumentBody.__struct_fields__))
    # Without a text that is told first: the unknown field may be the text.
    if unknown and "text" in value and not keeps_extra_fields:
        known = ", ".join(DocumentBody.__struct_fields__)
        reason = f"The field {unknown[0]!r} is unknown; there are: {known}."
        return RowError(position, "unknown_field", reason, _readable_id(value.get("id")))
    code, reason = _fault_of_object(value)
    return RowError(position, code, reason, _readable_id(value.get("id")))


def _readable_id(value: object) -> str | None:
    is_id = isinstance(value, str | int) and not isinstance(value, bool)
    # Half of a surrogate pair could not be answered.
    is_readable = is_id and not _fault_of_id(str(value)) and not _SURROGATE.search(str(value))
    return str(value) if is_readable else None


def loads(raw: str | bytes, **options: Any) -> Any:
    """Read JSON with integers of any length: thousands of digits, which Python refuses, are cut."""
    return json.loads(raw, parse_int=lambda digits: int(digits[:1000]), **options)


def not_read_within(what: str) -> str:
    return f"Fields within others are not read: write the {what} as a field of the row itself."


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _fault_of_object(value: dict[str, Any]) -> tuple[str, str]:
    if "text" not in value:
        fields = f"; its fields are: {shown_names(list(value))}" if value else ""
        return "missing_text", f"The row has no field 'text'{fields}."
    if value["text"] is None:
        return "empty_text", "The text is empty."
    if not isinstance(value["text"], str):
        more = f" {not_read_within('text')}" if isinstance(value["text"], dict) else ""
        return "invalid_text", f"The text is not a string.{more}"
    document_id = value.get("id")
    if not isinstance(document_id, str | int | None) or isinstance(document_id, bool):
        return "invalid_id", _ODD_ID
    if document_id is not None and (fault := _fault_of_id(str(document_id))):
        return "invalid_id", fault
    if not isinstance(value.get("metadata"), dict | None):
        return "invalid_metadata", "The metadata is not an object."
    if value.get("vector") is not None and not is_vector(value["vector"]):
        return "invalid_vector", ODD_VECTOR
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return "invalid_unicode", "The row contains half of a surrogate pair."
    except (ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        pass
    return "invalid_metadata", "The metadata holds a number out of range or nests too deep."
