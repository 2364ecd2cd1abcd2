"""References for Zotero, EndNote and their kin: RIS of documents, most of which came as such."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any

from rispy import RisWriter
from rispy.config import TYPE_OF_REFERENCE_MAPPING

from app.media_types import RIS
from app.services.intake.reference_fields import doi_of
from app.services.intake.reference_formats import FORMATS
from app.services.intake.rows import composed
from app.services.intake.spreadsheet_cells import CUT

ROWS_AT_A_TIME = 500
#: Of a document without a title its first line is one, up to here.
TITLE_LENGTH = 200
#: Those that are missing in rispy come from EndNote.
TYPES = {*TYPE_OF_REFERENCE_MAPPING, "GRNT", "UNBILL", "UNPD", "WEB"}
#: What stands first, in this order.
FIRST = (
    *("title", "authors", "year", "journal_name", "secondary_title", "volume", "number"),
    *("start_page", "end_page", "doi", "accession_number", "urls", "abstract", "keywords"),
    *("notes", "reference_id"),
)
#: Fields that have no tag of their own, and the place that is theirs if it is free.
PLACES = {"pmid": "accession_number", "pmc": "custom2", "year_as_written": "date"}
#: Each value on a line of its own.
LISTS = {
    *("authors", "first_authors", "secondary_authors", "tertiary_authors", "subsidiary_authors"),
    *("keywords", "urls"),
}
#: What columns of spreadsheets may be called, capitals aside, that are fields of references ...
COLUMNS = {"title", "abstract", "authors", "year", "journal", "volume", "pages", "doi", "keywords"}
#: ... and how Scopus, Web of Science and Zotero call some of them.
OTHER_COLUMNS = {
    **{"author": "authors", "publication year": "year", "issue": "number", "url": "urls"},
    **{"source title": "journal", "publication title": "journal", "abstract note": "abstract"},
}
#: What some reader takes for the tag of another field.
_TAG = re.compile(r"[A-Z][A-Z0-9] {1,2}-|..  -")


class _Writer(RisWriter):
    def set_header(self, count: int) -> str:
        """Return nothing: readers know no numbers before references."""
        return ""


# Tags mean what they mean where the file is read again.
_TAGS = FORMATS[RIS].parser.mapping
_WRITER = _Writer(mapping=_TAGS, delimiter_tags_mapping={}, enforce_list_tags=False)
_NAMES = {name for tag, name in _TAGS.items() if tag not in {"ER", "UK"}}


def write_references(file: IO[str], rows: Iterable[dict[str, Any]]) -> int:
    """Write rows of a ranking as references and return how many they were."""
    left = iter(rows)
    n_rows = 0
    while block := list(islice(left, ROWS_AT_A_TIME)):
        file.write(references(block))
        n_rows += len(block)
    return n_rows


def references(rows: Iterable[dict[str, Any]]) -> str:
    """Return the rows as RIS, which others may follow."""
    told: str = _WRITER.formats([reference_of(row) for row in rows])
    return told + "\n"


def reference_of(row: dict[str, Any]) -> dict[str, str | list[str]]:
    """Return what a document says by rispy's names: its type, and the lines of each other field."""
    told = _told(row)
    title, rest = _title_and_rest(told.get("title"), row["text"])
    abstract = told.get("abstract", rest)
    notes = [
        told.get("notes", ""),
        f"Subject headings: {told['subject_headings']}" if "subject_headings" in told else "",
        # Where other fields than the abstract are the text.
        rest if rest != abstract else "",
        _place_in_ranking(row),
    ]
    type_, fields = _type_and_fields(told)
    fields |= {"title": title, "reference_id": row["id"]}
    lines = {name: _values(name, fields.get(name, "")) for name in dict.fromkeys((*FIRST, *fields))}
    lines |= {"abstract": ["\n".join(_lines(abstract))], "notes": [*map(_one_line, notes)]}
    found = {name: list(filter(None, lines[name])) for name in lines if name in _NAMES}
    return {"type_of_reference": type_, **found}


def _told(row: dict[str, Any]) -> dict[str, str]:
    """Return the metadata that say something, those of a spreadsheet as fields of references too.

    An id that is a DOI is that field.
    """
    metadata = row["metadata"] or {}
    told = {name: text for name, value in metadata.items() if (text := _text(value).strip())}
    for name, text in list(told.items()):
        column = name.strip().lower()
        if column in COLUMNS or column in OTHER_COLUMNS:
            told.setdefault(OTHER_COLUMNS.get(column, column), text)
    if (doi := doi_of(row["id"])) and row["id"].lower().removeprefix("https://doi.org/") == doi:
        told.setdefault("doi", doi)
    return told


def _title_and_rest(title: str | None, text: str) -> tuple[str, str]:
    """Return the title and what the text has beside it."""
    if title is None:
        title, *others = list(_lines(text)) or [""]
        if len(title) <= TITLE_LENGTH:
            return title, "\n".join(others)
        return title[: TITLE_LENGTH - 1].rstrip() + CUT, text
    behind = text.removeprefix(composed(title))
    return title, behind.strip() if not behind or behind.startswith("\n") else text


def _type_and_fields(told: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return the type, and fields under the names that have tags."""
    fields = dict(told)
    type_ = fields.pop("type_of_reference", "")
    if type_.upper() not in TYPES:
        fields.setdefault("type_of_work", type_)
        type_ = "JOUR" if "journal" in told else "GEN"
    for name, place in PLACES.items():
        if name in told:
            fields.setdefault(place, told[name])
    if "pages" in told:
        fields["start_page"], _, fields["end_page"] = told["pages"].partition("-")
    if "journal" in told:
        if "journal_name" in told:  # another one, which came second
            fields["alternate_title3"] = told["journal"]
        # Zotero takes the former for an abbreviation.
        for name in ("journal_name", "secondary_title"):
            fields.setdefault(name, told["journal"])
    return type_.upper(), fields


def _place_in_ranking(row: dict[str, Any]) -> str:
    probability = row["probability"]
    sure = "" if probability is None else f"probability {probability:.3f}, "
    return f"Seedbed: rank {row['rank']}, {sure}label {row['label']}"


def _values(name: str, text: str) -> list[str]:
    return [_one_line(value) for value in (text.split("; ") if name in LISTS else [text])]


def _text(value: Any) -> str:
    """Return any value of JSON as a text."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, list):
        return "; ".join(filter(None, map(_text, value)))
    if isinstance(value, float) and value.is_integer():  # such as a year of pandas
        value = int(value)
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(filter(None, map(str.strip, text.splitlines())))


def _lines(text: str) -> Iterator[str]:
    """Yield lines that have something on them; one like a tag is part of the line before it."""
    line = ""
    for one in filter(None, map(str.strip, text.splitlines())):
        if line and not _TAG.match(one):
            yield line
            line = one
        else:
            line = f"{line} {one}".lstrip()
    if line:
        yield line
