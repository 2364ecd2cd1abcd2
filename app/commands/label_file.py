"""The labels in a table: that of a round or a ranking, or one that somebody wrote."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from app.commands.byte_order import with_byte_order
from app.commands.client import ServiceFailed, meant
from app.commands.document_file import UTF8
from app.commands.own_labels import LABELS, UNLABELED, OwnLabels
from app.document_sizes import NO_LIMIT
from app.errors import AppError
from app.media_types import PARQUET, XLSX
from app.services.intake.csv_columns import (
    COPY_OF,
    DELIMITERS,
    EXPORTED,
    WINDOWS,
    Delimiter,
    shown_names,
)
from app.services.intake.csv_records import CsvRecords, Record
from app.services.intake.decoding import PAR1, ZIP
from app.services.intake.options import Options
from app.services.intake.rows import RowError
from app.services.intake.spreadsheet_cells import unprotected
from app.services.intake.table_rows import RECORDS, Records

#: What `seedbed ranking --output` writes and `next` does not, beside ids, ranks and labels.
RANKING_COLUMNS = {"rank", "score", "predicted"}
USED = ("id", "label", "rank", "judgement", COPY_OF)
UNCHANGED = "Nothing was changed."
OF_SPREADSHEETS: tuple[Delimiter, ...] = ("semicolon", "tab")
COMMA: Delimiter = "comma"
QUOTED = re.compile('"[^"]*"')
#: Tables that are no text, by how they begin.
BINARY = {ZIP: XLSX, PAR1: PARQUET}
#: In which ASCII is itself, as in most encodings that spreadsheets write beside Unicode.
GUESS = "cp1252"


class Line(NamedTuple):
    """A line with a label; its rank and judgement are None where none can be read."""

    number: int
    label: str
    rank: int | None
    #: Its place in the order of reading, by a ranking.
    judgement: int | None = None


#: By id.
Lines = dict[str, Line]


class Columns(NamedTuple):
    """The places of those that are used, by name, and which file has such columns.

    An export is a round or a ranking.
    """

    places: dict[str, int]
    is_export: bool
    is_ranking: bool

    def cell(self, fields: list[str], name: str) -> str:
        """Return what a row has there; "" where it ends before."""
        place = self.places.get(name, len(fields))
        return fields[place] if place < len(fields) else ""


class Found(NamedTuple):
    """What is in a file. In a ranking each row has a label, before anybody judged it."""

    lines: Lines
    n_blank: int
    #: Lines that have the label of the document that they say nearly the same as.
    n_alike: int
    columns: Columns
    #: None: a workbook or Parquet.
    delimiter: Delimiter | None
    #: Whether the order is that of the ranks throughout.
    is_ranked: bool


def as_labels(lines: Lines) -> list[dict[str, str]]:
    """Return what is sent of lines."""
    return [{"id": id_, "label": line.label} for id_, line in lines.items()]


def read_lines(
    file: Path,
    charset: str = UTF8,
    rest: str | None = None,
    positive: str | None = None,
    **columns_called: str | None,
) -> Found:
    """Return the lines that have a label, in the order in which they were read.

    That is the order of the judgements, then of the ranks, where these tell rows apart, else of the
    lines. ``rest`` is the label of lines that have none; without it, these are left out.
    ``positive`` is the label that is, where they have names of their own. ``id`` and ``label`` name
    the columns, if those are not their names.

    Raises
    ------
    ServiceFailed
    """
    content = file.read_bytes()
    is_guess, delimiter = False, None
    opened: AbstractContextManager[Records]
    media_type = next((BINARY[mark] for mark in BINARY if content.startswith(mark)), None)
    if media_type is not None:
        opened = RECORDS[media_type](iter([content]), Options(NO_LIMIT))
    else:
        text, is_guess = _decoded(content, file, charset)
        delimiter = _delimiter(text)
        opened = nullcontext(CsvRecords(iter([text.encode()]), DELIMITERS[delimiter], NO_LIMIT))
    called = {used: name or used for used, name in columns_called.items()}
    try:
        with opened as records:
            header = records.header()
            columns = _columns(header, file.name, called)
            kind = "Row" if records.name == "Parquet" else "Line"
            rows = (
                (f"{kind} {row.position} of {file.name}", row) for row in records.rows(len(header))
            )
            of_project = columns.is_export and called.get("label", "label") == "label"
            labels = OwnLabels(positive, of_project=of_project)
            lines, n_blank, n_alike = _lines(rows, columns, rest, labels)
    except AppError as error:
        raise ServiceFailed(f"{file.name}: {error.detail} {UNCHANGED}") from error
    if is_guess and not "".join(lines).isascii():
        raise _undecoded(file, charset)
    labels.check(file.name)
    is_ranked = all(line.judgement is None for line in lines.values()) and _has_ranks(lines)
    return Found(_in_order_of_reading(lines), n_blank, n_alike, columns, delimiter, is_ranked)


def _delimiter(text: str) -> Delimiter:
    # Spreadsheets of some countries write semicolons, and tabs in UTF-16; names have fewer of them.
    head = QUOTED.sub("", StringIO(text.lstrip(), newline=None).readline())
    times = {name: head.count(DELIMITERS[name]) for name in (*OF_SPREADSHEETS, COMMA)}
    return max(filter(times.get, times), key=times.__getitem__, default=COMMA)


def _decoded(content: bytes, file: Path, charset: str) -> tuple[str, bool]:
    """Return what is in a file, and whether more than its ASCII is guessed."""
    if charset == UTF8:
        # Spreadsheets begin Unicode with a byte order mark.
        is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        charset = "utf-16" if is_utf16 else "utf-8-sig"
    try:
        return content.decode(with_byte_order(charset, content)), False
    except UnicodeError as error:
        if charset != "utf-8-sig":
            raise _undecoded(file, charset) from error
    # Only ids and labels count here, and these are mostly ASCII.
    return content.decode(GUESS, errors="replace"), True


def _undecoded(file: Path, charset: str) -> ServiceFailed:
    return ServiceFailed(
        f"{file.name} is not in {charset.upper()}. Save it as CSV in UTF-8, or name its encoding "
        f"to `seedbed judge`: --encoding {WINDOWS} or utf-16. {UNCHANGED}"
    )


def _columns(header: Sequence[str], name: str, called: dict[str, str]) -> Columns:
    """Find the columns that are used, by what they are called, however capitalised."""
    names = [column.strip().lower() for column in header]
    wanted = {used: called.get(used, used).strip().lower() for used in USED}
    if not {wanted["id"], wanted["label"]} <= set(names):
        if header and header[0].startswith(("{", "[")):
            raise ServiceFailed(
                f"{name} is not a CSV; it looks like JSON. Write the round or the ranking as .csv, "
                f"fill in its column label and send that. {UNCHANGED}"
            )
        found = f"its columns are {shown_names(header)}" if header else "it is empty"
        raise ServiceFailed(
            f"{name} needs the columns {called.get('id', 'id')} and "
            f"{called.get('label', 'label')}; {found}. Name others: "
            f"--id-column NAME --label-column NAME. {UNCHANGED}"
        )
    counts = Counter(names)
    twice = next((each for each in wanted.values() if counts[each] > 1), None)
    if twice is not None:
        raise ServiceFailed(
            f"{counts[twice]} columns of {name} are called {twice}: rename all but one. {UNCHANGED}"
        )
    places = {used: names.index(each) for used, each in wanted.items() if each in names}
    return Columns(places, set(names) >= EXPORTED, set(names) >= RANKING_COLUMNS)


def _lines(
    rows: Iterator[tuple[str, Record | RowError]],
    columns: Columns,
    rest: str | None,
    labels: OwnLabels,
) -> tuple[Lines, int, int]:
    """Return the lines of rows, each of which comes with its place in words.

    With them come how many have no label, and how many that of what they repeat.
    """
    lines, n_blank, n_alike = Lines(), 0, 0
    copies: list[tuple[str, str, str, Record]] = []

    def add(id_: str, label: str, place: str, row: Record) -> None:
        _check(lines, id_, label, place)
        rank, judgement = (_number(columns.cell(row.fields, n)) for n in ("rank", "judgement"))
        lines.setdefault(id_, Line(row.position, label, rank, judgement))

    for place, row in rows:
        if isinstance(row, RowError):
            raise ServiceFailed(f"{place}: {row.reason} {UNCHANGED}")
        label = labels.label(columns.cell(row.fields, "label"))
        id_, first = (columns.cell(row.fields, name) for name in ("id", COPY_OF))
        # As an upload takes it: blanks around it cannot be seen in a table.
        id_ = unprotected(id_ if columns.is_export else id_.strip())
        if first and id_ and not label and columns.is_export:
            copies.append((unprotected(first), id_, place, row))
            continue
        if rest and id_ and (not label or (columns.is_ranking and label == UNLABELED)):
            label = rest
        if label:
            add(id_, label, place, row)
        n_blank += not label
    for first, id_, place, row in copies:
        alike = lines.get(first)
        label = alike.label if alike else rest or ""
        if label:
            add(id_, label, place, row)
        n_blank += not label
        n_alike += alike is not None
    return lines, n_blank, n_alike


def _number(cell: str) -> int | None:
    try:
        return int(cell)
    except ValueError:
        return None


def _check(lines: Lines, id_: str, label: str, place: str) -> None:
    """Refuse a label that cannot be sent.

    Raises
    ------
    ServiceFailed
    """
    if not id_:
        raise ServiceFailed(f"{place} has a label and no id. {UNCHANGED}")
    if label not in LABELS:
        raise ServiceFailed(
            f"{place}: {label!r} is no label.{meant(label, LABELS)} Write "
            f"{', '.join(LABELS)}, or nothing; --positive LABEL names the one that is positive, if "
            f"they have names of their own. {UNCHANGED}"
        )
    first = lines.get(id_)
    if first is not None and first.label != label:
        raise ServiceFailed(
            f"{place} labels {id_!r} {label}, but line {first.number} labels it {first.label}. "
            f"Keep one of them. {UNCHANGED}"
        )


def _in_order_of_reading(lines: Lines) -> Lines:
    """Return those that were judged by their judgements, then the others by rank.

    Whatever a spreadsheet sorted them by; each if all of them have a number of their own.
    """
    judged = {id_: line for id_, line in lines.items() if line.judgement is not None}
    others = {id_: line for id_, line in lines.items() if line.judgement is None}
    if len({line.judgement for line in judged.values()}) < len(judged):
        judged, others = {}, lines
    in_order = dict(sorted(judged.items(), key=lambda item: item[1].judgement or 0))
    if _has_ranks(others):
        others = dict(sorted(others.items(), key=lambda item: item[1].rank or 0))
    return in_order | others


def _has_ranks(lines: Lines) -> bool:
    """Tell whether each line has a rank of its own."""
    ranks = {line.rank for line in lines.values()}
    return None not in ranks and len(ranks) == len(lines)
