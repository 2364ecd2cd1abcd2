"""References to literature, as databases and reference managers export them."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from rispy import RisParser
from rispy.config import LIST_TYPE_TAGS, TAG_KEY_MAPPING

from app.errors import InvalidRequest
from app.media_types import NBIB, RIS
from app.services.intake.csv_columns import TO_UTF8, unnamed_id
from app.services.intake.decoding import numbered_lines
from app.services.intake.options import Options
from app.services.intake.rows import Row, RowError, checked_row, too_long

#: The fields that are the text unless others are named.
TEXT_FIELDS = ("title", "abstract")
#: Addresses of all kinds, of which the DOI is kept.
_LOCATIONS = "locations"
#: However it is written: alone, as an address, or by PubMed with [doi] behind it.
_DOI = re.compile(r"\b10\.\d{4,9}/\S+")


class _RisParser(RisParser):
    """RIS, of whose tags some mean one thing in one database and another in the next."""

    DEFAULT_MAPPING: ClassVar[dict[str, str]] = {
        **TAG_KEY_MAPPING,
        "T1": "title",
        "N2": "abstract",
        # Often the number of the reference in that file: another file has another such one.
        "ID": "reference_id",
    }
    # As lists, their further lines and values are kept apart.
    DEFAULT_LIST_TAGS: ClassVar[list[str]] = [*LIST_TYPE_TAGS, "AB", "N2", "T1", "TI"]
    # An address may have semicolons in it.
    DEFAULT_DELIMITER_MAPPING: ClassVar[dict[str, str]] = {}


class _PubMedParser(RisParser):
    """PubMed's format: tags of up to four letters; further lines of a value are indented."""

    START_TAG = "PMID"
    DEFAULT_MAPPING: ClassVar[dict[str, str]] = {
        "PMID": "pmid",
        "PMC": "pmc",
        "TI": "title",
        "BTI": "title",
        "TT": "original_title",
        "AB": "abstract",
        "OAB": "other_abstract",
        "AU": "authors",
        "CN": "authors",
        "DP": "date",
        "JT": "journal_name",
        "VI": "volume",
        "IP": "number",
        "PG": "pages",
        "LA": "language",
        "PT": "type_of_reference",
        "MH": "subject_headings",
        "OT": "keywords",
        "LID": _LOCATIONS,
        "AID": _LOCATIONS,
    }
    DEFAULT_LIST_TAGS: ClassVar[list[str]] = ["AU", "CN", "LA", "PT", "MH", "OT", "LID", "AID"]
    DEFAULT_DELIMITER_MAPPING: ClassVar[dict[str, str]] = {}

    def parse_line(self, line: str) -> tuple[str, str] | tuple[None, str]:
        if line[4:5] == "-" and not line[0].isspace():
            return line[:4].rstrip(), line[5:].strip()
        return None, line.strip()


class Format(NamedTuple):
    """How one format is read: its parser, how a reference begins, and where its id stands."""

    name: str
    suffix: str
    parser: RisParser
    start: bytes
    id_field: str | None = None
    #: Between the lines of an abstract: they are paragraphs, or were broken to be short.
    between_lines: str = "\n"

    @property
    def fields(self) -> list[str]:
        """Return the names of what a reference may have."""
        ends = {self.parser.END_TAG, self.parser.UNKNOWN_TAG}
        named = {name for tag, name in self.parser.mapping.items() if tag not in ends}
        return sorted({*named, "doi"} - {_LOCATIONS})


FORMATS = {
    RIS: Format("RIS", ".ris", _RisParser(skip_unknown_tags=True), b"TY  -"),
    NBIB: Format(
        "PubMed's format", ".nbib", _PubMedParser(skip_unknown_tags=True), b"PMID-", "pmid", " "
    ),
}
_END = b"ER  -"


def read_references(
    media_type: str, body: Iterator[bytes], options: Options
) -> Iterator[Row | RowError]:
    """Yield each reference as a row; what is neither its text nor its id becomes metadata.

    A reference without the field that has the ids gets one that is made from its text.

    Raises
    ------
    InvalidRequest
        If references of this format have no field of that name, or there are lines and no
        reference among them.
    """
    form = FORMATS[media_type]
    text_fields = options.text_columns or TEXT_FIELDS
    id_field = options.id_column or form.id_field
    _check_fields(form, text_fields, "text_column")
    _check_fields(form, [id_field] if id_field else [], "id_column")
    for position, lines in _references(body, form, options.max_row_bytes):
        if lines is None:
            yield too_long(position, options.max_row_bytes)
            continue
        raw = b"\n".join(lines)
        try:
            fields = _parsed(raw.decode(), form)
        except UnicodeDecodeError:
            reason = f"The reference is not UTF-8. {TO_UTF8}"
            yield RowError(position, "invalid_unicode", reason)
            continue
        text = "\n".join(_joined(fields.pop(name, "")) for name in text_fields).strip("\n")
        id_ = _joined(fields.pop(id_field, "")) if id_field else ""
        row = checked_row(
            position, id_ or None, text, fields or None, len(raw), options.max_text_bytes
        )
        if isinstance(row, RowError) and row.code == "empty_text":
            row = row._replace(reason=f"The reference has no {' and no '.join(text_fields)}.")
        elif isinstance(row, Row) and options.id_column is None and not row.has_own_id:
            warning = unnamed_id(fields)
            if warning is not None:
                options.warn(warning)
        yield row


def refuse_references(line: bytes) -> None:
    """Refuse a first line of text that begins a reference: PubMed calls its file .txt.

    Raises
    ------
    InvalidRequest
    """
    for media_type, form in FORMATS.items():
        if line.startswith(form.start):
            raise InvalidRequest(
                f"This looks like references, in {form.name}: send it as {media_type}; for the "
                f"command, end the file name in {form.suffix}."
            )


def _check_fields(form: Format, names: Sequence[str], parameter: str) -> None:
    unknown = next((name for name in names if name not in form.fields), None)
    if unknown is not None:
        raise InvalidRequest(
            f"References of {form.name} have no field {unknown!r}; they may have: "
            f"{', '.join(form.fields)}.",
            pointer=f"?{parameter}",
        )


def _references(
    body: Iterator[bytes], form: Format, max_bytes: int
) -> Iterator[tuple[int, list[bytes] | None]]:
    """Yield the lines of each reference, and the number of its first; None: too many bytes.

    Between references some databases write of themselves and of the search.
    """
    first, size, has_lines, has_references = 0, 0, False, False
    lines: list[bytes] = []
    for number, line in numbered_lines(body, max_bytes=max_bytes):
        begins = line is not None and line.startswith(form.start)
        if first and (begins or (line is not None and line.startswith(_END))):
            yield first, lines if size <= max_bytes else None
            first = 0
        if begins:
            first, size, lines, has_references = number, 0, [], True
        has_lines = has_lines or line is None or bool(line.strip())
        if first:
            size += max_bytes + 1 if line is None else len(line) + 1
            if line is not None and size <= max_bytes:
                lines.append(line)
    if first:
        yield first, lines if size <= max_bytes else None
    if has_lines and not has_references:
        raise InvalidRequest(
            f"There are no references: in {form.name} each begins with {form.start.decode()!r}, at "
            "the start of a line."
        )


def _parsed(text: str, form: Format) -> dict[str, Any]:
    """Return the fields of a reference that are not empty."""
    lines = [line for line in text.split("\n") if line.strip()]
    (record,) = form.parser.parse_lines(iter([*lines, _END.decode()]))
    for name, separator in (("title", " "), ("abstract", form.between_lines)):
        if isinstance(record.get(name), list):
            record[name] = separator.join(dict.fromkeys(filter(None, record[name])))
    for told in [record.get("doi", ""), *record.pop(_LOCATIONS, [])]:
        doi = _DOI.search(told)
        if doi is not None:
            record["doi"] = doi[0].lower()
            break
    return {name: value for name, value in record.items() if value}


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "; ".join(value)
