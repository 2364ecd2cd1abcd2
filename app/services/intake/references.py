"""References to literature, as databases and reference managers export them."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from io import IncrementalNewlineDecoder

from app.errors import InvalidRequest
from app.services.intake.csv_columns import TO_UTF8
from app.services.intake.decoding import numbered_lines
from app.services.intake.options import Options
from app.services.intake.reference_fields import SOURCES, fields_of
from app.services.intake.reference_formats import END, FORMATS, Format, told_format
from app.services.intake.rows import Row, RowError, checked_row, too_long

#: The fields that are the text unless others are named.
TEXT_FIELDS = ("title", "abstract")
#: Some files begin with lines about the search.
FIRST_LINES = 50
#: What is told of fields that nobody has: they are mostly these.
_USUAL = (*SOURCES, "pmid", "keywords", "urls", "volume", "number", "pages")
#: What a tag means, if not a field of its own.
_MADE_OF = {
    source: name for name in SOURCES if name != "doi" for source in SOURCES[name]
} | dict.fromkeys(("start_page", "end_page"), "pages")
_SOME_WITHOUT = (
    "Some references have no {!r}: their ids are PubMed's numbers, or were made from their texts. "
    "If another file has them, too, they are two documents."
)


def read_references(
    media_type: str, body: Iterator[bytes], options: Options
) -> Iterator[Row | RowError]:
    """Yield each reference as a row; what is not its text becomes metadata, its title as well.

    A reference without the field that has the ids gets that of its database, or one that is made
    from its text.

    Raises
    ------
    InvalidRequest
        If references of this format have no field of that name, or there are lines and no
        reference among them.
    """
    form = FORMATS[media_type]
    text_fields = options.text_columns or TEXT_FIELDS
    _check_fields(form, text_fields, "text_column")
    _check_fields(form, filter(None, [options.id_column]), "id_column")
    for position, lines in _references(body, form, options.max_row_bytes):
        if lines is None:
            yield too_long(position, options.max_row_bytes)
            continue
        try:
            fields = fields_of(form.record(lines))
        except UnicodeDecodeError:
            reason = f"The reference is not UTF-8. {TO_UTF8}"
            yield RowError(position, "invalid_unicode", reason)
            continue
        yield _row(position, fields, text_fields, form.id_field, sum(map(len, lines)), options)


def _row(
    position: int,
    fields: dict[str, str],
    text_fields: Sequence[str],
    id_field: str | None,
    size: int,
    options: Options,
) -> Row | RowError:
    text = "\n".join(fields[name] for name in dict.fromkeys(text_fields) if name in fields)
    id_ = next((fields[n] for n in (options.id_column, id_field) if n in fields), None)
    # In a spreadsheet the title is a column of its own.
    others = {n: value for n, value in fields.items() if n == "title" or n not in text_fields}
    row = checked_row(position, id_, text, others or None, size, options.max_text_bytes)
    if isinstance(row, RowError) and row.code == "empty_text":
        return row._replace(reason=f"The reference has no {' and no '.join(text_fields)}.")
    if options.id_column is not None and options.id_column not in fields:
        options.warn(_SOME_WITHOUT.format(options.id_column))
    return row


def refuse_references(line: bytes) -> None:
    """Refuse a line of text that begins a reference: PubMed calls its file .txt.

    Raises
    ------
    InvalidRequest
    """
    told = told_format(line)
    if told is not None:
        raise InvalidRequest(told)


def _check_fields(form: Format, names: Iterable[str], parameter: str) -> None:
    unknown = next((name for name in names if name not in form.fields), None)
    if unknown is None:
        return
    alike = _alike(form, unknown)
    meant = "" if alike is None else f" Did you mean {alike!r}?"
    usual = ", ".join(name for name in _USUAL if name in form.fields)
    raise InvalidRequest(
        f"References of {form.name} have no field {unknown!r}; they mostly have: {usual}.{meant}",
        pointer=f"?{parameter}",
    )


def _alike(form: Format, name: str) -> str | None:
    """Return the field that a name or a tag may mean: never the numbers of one file."""
    fields = form.fields - {"reference_id"}
    field: str = form.parser.mapping.get(name.upper(), "")
    meant = field if field in _USUAL else _MADE_OF.get(field, field)
    if meant in fields:
        return meant
    return next(iter(get_close_matches(name.lower(), sorted(fields), n=1, cutoff=0.7)), None)


def _references(
    body: Iterator[bytes], form: Format, max_bytes: int
) -> Iterator[tuple[int, list[bytes] | None]]:
    """Yield the lines of each reference, and the number of its first; None: too many bytes.

    Between references some databases write of themselves and of the search.
    """
    first, size = 0, 0
    lines: list[bytes] = []
    for number, line, begins in _begun_lines(body, form, max_bytes):
        if first and (begins or (line is not None and END.match(line))):
            yield first, lines if size <= max_bytes else None
            first = 0
        if begins:
            first, size, lines = number, 0, []
        if first:
            size += max_bytes + 1 if line is None else len(line) + 1
            if line is not None and size <= max_bytes:
                lines.append(line)
    if first:
        yield first, lines if size <= max_bytes else None


def _begun_lines(
    body: Iterator[bytes], form: Format, max_bytes: int
) -> Iterator[tuple[int, bytes | None, bool]]:
    """Yield numbered lines, each with whether a reference begins there; refuse them if none does.

    Raises
    ------
    InvalidRequest
    """
    has_lines, has_references = False, False
    # Old Macs ended lines by a carriage return alone.
    newlines = IncrementalNewlineDecoder(None, translate=True)
    body = (newlines.decode(chunk.decode("latin-1")).encode("latin-1") for chunk in body)
    told: str | None = None
    for number, line in numbered_lines(body, max_bytes=max_bytes):
        begins = line is not None and form.start.match(line) is not None
        has_references = has_references or begins
        yield number, line, begins
        if not has_references:
            has_lines = has_lines or line is None or bool(line.strip())
            if line is not None and told is None and number <= FIRST_LINES:
                told = told_format(line)
    if has_lines and not has_references:
        raise InvalidRequest(
            told
            or f"There are no references: in {form.name} each begins with "
            f"{form.start_tag.decode()!r}, at the start of a line."
        )
