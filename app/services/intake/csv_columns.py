"""The columns of a table of documents: the text, the id, and those that become metadata."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from shlex import quote
from typing import Literal, NamedTuple

from app.errors import InvalidRequest

#: What a table is called in messages, as of ``Records`` in app.services.intake.table_rows.
TableName = Literal["CSV", "sheet", "Parquet"]
Delimiter = Literal["comma", "semicolon", "tab", "pipe"]
#: What may separate the columns of a CSV, by the name that the caller gives it.
DELIMITERS: dict[Delimiter, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
#: Columns of every file that Seedbed writes for spreadsheets: rankings, rounds of a review.
EXPORTED = {"id", "rank", "label", "text"}
#: Columns whose cells `protected` of app.services.intake.spreadsheet_cells changes, beside
#: metadata.
_PROTECTED = {"id", "text"}
#: The column for the id of the document that says nearly the same, in a round.
COPY_OF = "copy_of"
#: Columns for what a model or a reader found, which is no part of a document.
FOUND = ("rank", "score", "probability", "predicted", "label", "judgement")
#: The column of all metadata as JSON, and how the names of columns for single fields begin.
METADATA, METADATA_FIELD = "metadata", "metadata."
_WROTE = "Seedbed wrote this file: of its {columns}, "
#: How it begins where a table that Seedbed wrote is told to be read without its labels.
COLUMNS_LEFT_OUT = _WROTE.format(columns="columns")
_LEFT_OUT = (
    f"{_WROTE}{{names}} were left out. To send labels that you wrote into it, use "
    "{judge}PUT /projects/{{id}}/labels."
)
_NO_TEXTS = (
    "None of these has texts, which an upload, a prediction and a test need: give them a column, "
    "too. To label documents that are there, send PUT /projects/{id}/labels; for the command, take "
    "seedbed judge."
)
#: Numbers of other things than documents are none, nor is one alone, as of an issue.
_LIKE_ID = re.compile(
    r"(\b|_)(id|[Kk]ey)$|I[Dd]$"
    r"|(?i:^(?!.*(phone|fax|mobil|house|street|room|page|volume|issue|yes))"
    r"(?!.*(telefon|handy|ruf|haus|raum|zimmer|seite|band|heft))"
    r"((.*(\b|_))?no|.*nr|.+(number|nummer))\.?$)"
)
_WITHOUT_LISTS = "Columns of lists and the like are not among these: write lists as texts. "
SHOWN_COLUMNS, SHOWN_CHARACTERS = 30, 40
#: Of names that are one but for slips; "text" and "extra", a column of Zotero, are alike by .67.
ALIKE = 0.7
#: Each decodes nearly any bytes, a wrong one to other letters, so all are named.
WINDOWS = "cp1252 (Windows; in Central Europe cp1250, Cyrillic cp1251)"
_CONVERTED = (
    "Save the file as UTF-8, or convert it, from Windows mostly with: iconv -f cp1252 -t utf-8 FILE"
)
AS_UTF8 = f"{_CONVERTED} (in Central Europe cp1250, Cyrillic cp1251)"
TO_UTF8 = f"{_CONVERTED}; for the command, --encoding {WINDOWS}."
#: What is in UTF-16 without its mark passes for UTF-8 with this character in it.
AS_IN_UTF16 = (
    "the character NUL, as all texts in UTF-16 do. Save the file as UTF-8, or convert it: iconv -f "
    "utf-16 -t utf-8 FILE; for the command, --encoding utf-16."
)


class Columns(NamedTuple):
    """The names in their order, and the places of texts and id (None: there is none).

    ``metadata`` names the field of metadata for each place that has one; ``n_unnamed`` places
    behind the last name have none. In an export of Seedbed ``protected`` has the places that were
    protected from spreadsheets, ``all_metadata`` is the one that has all of it as JSON, and
    ``warning`` tells what is left out.
    """

    names: list[str]
    texts: list[int]
    id: int | None
    metadata: dict[int, str]
    n_unnamed: int = 0
    protected: Sequence[int] = ()
    all_metadata: int | None = None
    warning: str | None = None


def find_columns(
    header: list[str],
    text_columns: Sequence[str],
    id_column: str | None,
    delimiter: Delimiter | None,
    table: TableName = "CSV",
) -> Columns:
    """Find the columns, whatever blanks stand around their names; no name means the usual one.

    A table that is no CSV has no delimiter.

    Raises
    ------
    InvalidRequest
    """
    if not header:
        lists = " or has none but columns of lists: write lists as texts"
        raise InvalidRequest(f"The {table} is empty{lists if table == 'Parquet' else ''}.")
    if not is_unicode(header):
        raise InvalidRequest(f"The columns of the {table} are not in UTF-8. {TO_UTF8}")
    names = [name.strip() for name in header]
    # Spreadsheets write empty columns behind the last one.
    while delimiter and not names[-1]:
        names.pop()
    # Beside all metadata its fields are there to be seen alone.
    are_seen = METADATA in names
    counts = Counter(n for n in names if not (are_seen and n.startswith(METADATA_FIELD)))
    name, count = counts.most_common(1)[0]
    if count > 1:
        called = f"are called {name[:SHOWN_CHARACTERS]!r}: rename all but one."
        without = "have no name: give them names, or take them out."
        raise InvalidRequest(f"{count} columns of the {table} {called if name else without}")
    find = partial(_find, names, delimiter, table)
    texts = [find("text_column", name) for name in text_columns or ["text"]]
    has_ids = id_column is not None or "id" in names
    id_ = find("id_column", "id" if id_column is None else id_column) if has_ids else None
    texts = list(dict.fromkeys(texts))
    others = {i: name for i, name in enumerate(names) if i not in {*texts, id_}}
    columns = Columns(names, texts, id_, others, n_unnamed=len(header) - len(names))
    return _of_export(columns) if EXPORTED.issubset(names) else columns


def _of_export(columns: Columns) -> Columns:
    """Return the columns of a file that Seedbed wrote, those of metadata as they were before."""
    names, others = columns.names, columns.metadata
    all_metadata = next((i for i, name in others.items() if name == METADATA), None)
    protected = [i for i, name in enumerate(names) if name in _PROTECTED or i == all_metadata]
    if all_metadata is None:
        protected += [i for i, name in others.items() if name.startswith(METADATA_FIELD)]
    left_out = {i: name for i, name in others.items() if name in {*FOUND, COPY_OF}}
    metadata = {
        i: name.removeprefix(METADATA_FIELD)
        for i, name in others.items()
        if i not in {*left_out, all_metadata}
        and not (name.startswith(METADATA_FIELD) and all_metadata is not None)
    }
    warning = left_out_note("columns", left_out.values()) if left_out else None
    return columns._replace(
        metadata=metadata, protected=protected, all_metadata=all_metadata, warning=warning
    )


def left_out_note(columns: Literal["columns", "fields"], names: Iterable[str]) -> str:
    """Return what is told of a file of Seedbed of which some was left out."""
    # The command reads labels from tables alone.
    judge = "`seedbed judge` or " if columns == "columns" else ""
    return _LEFT_OUT.format(columns=columns, names=", ".join(names), judge=judge)


def _find(
    names: list[str], delimiter: Delimiter | None, table: TableName, parameter: str, name: str
) -> int:
    if name.strip() in names:
        return names.index(name.strip())
    if delimiter and names[0].startswith(("{", "[")):
        raise InvalidRequest(
            "This is no CSV; it looks like JSON. Send NDJSON as application/x-ndjson, a list as "
            "application/json; for the command, end the file name in .ndjson or .json."
        )
    if any("\0" in each for each in names):
        raise InvalidRequest(f"The columns of the {table} have {AS_IN_UTF16}")
    needed = needed_delimiter(names, delimiter) if delimiter else None
    option, value = ("delimiter", needed) if needed else (parameter, "NAME")
    known = {each.lower(): each for each in names}
    alike = get_close_matches(name.lower(), known, n=1, cutoff=ALIKE)
    meant = f" Did you mean {known[alike[0]]!r}?" if alike else ""
    told = f"The {table} has no column {name!r}; its columns are: "
    told += f"{shown_names(names)}. {_WITHOUT_LISTS if table == 'Parquet' else ''}"
    if parameter == "text_column" and known.keys() <= {"id", "label"}:
        raise InvalidRequest(f"{told}{_NO_TEXTS}", pointer=f"?{parameter}")
    more = meant
    if not meant and parameter == "text_column":
        more += " If texts stand in several columns, name each."
    if not meant and table != "Parquet":
        example = DELIMITERS[delimiter].join(["id", "text"]) if delimiter else "id and text"
        more += (
            " If the first line is a title, take it out; if it is a document already, put a line "
            f"of names before it: {example}."
        )
    raise InvalidRequest(
        f"{told}Send {option}={value}; for the command, --{option.replace('_', '-')} {value}."
        f"{'' if needed else more}",
        pointer=f"?{option}",
    )


def column_of(columns: Columns, name: str) -> int:
    """Return the place of a column.

    Raises
    ------
    InvalidRequest
    """
    if name not in columns.names:
        shown = shown_names(columns.names)
        raise InvalidRequest(f"There is no column {name!r}; its columns are: {shown}.")
    return columns.names.index(name)


def shown_names(names: Sequence[str]) -> str:
    """Return names for a message: not too many, and none too long."""
    told = ", ".join(repr(name[:SHOWN_CHARACTERS]) for name in names[:SHOWN_COLUMNS])
    n_more = len(names) - SHOWN_COLUMNS
    return f"{told} and {n_more:,} more" if n_more > 0 else told


def needed_delimiter(names: list[str], delimiter: Delimiter) -> Delimiter | None:
    """Return the delimiter that would take apart a header of one column, if one would."""
    others = (
        name for name, sign in DELIMITERS.items() if name != delimiter and sign in "".join(names)
    )
    return next(others, None) if len(names) == 1 else None


def unnamed_id(names: Iterable[str]) -> str | None:
    """Return a warning where one of these looks like the ids and was not named as such.

    They are columns or fields of documents without ids.
    """
    name = next(filter(_LIKE_ID.search, names), None)
    if name is None:
        return None
    return (
        f"{name!r} was kept as metadata; ids were made from the texts, so rows with the "
        f"same text are one document. If it has ids, send id_column={name} (seedbed upload "
        f"--id-column {quote(name)}), into a new project: what is there keeps its ids."
    )


def no_name(n_names: int) -> str:
    """Return why a row is refused that has more than the header has names for."""
    return f"A cell has no name above it: the header has {n_names} names."


def is_unicode(fields: list[str]) -> bool:
    """Tell whether no field holds bytes that were not UTF-8."""
    try:
        "".join(fields).encode()
    except UnicodeEncodeError:
        return False
    return True
