"""What a reference says, by names that are the same whatever database it comes from."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import unquote

#: Where databases write one thing: the first place that has it is taken.
SOURCES = {
    "title": (
        *("title", "primary_title", "book_title", "conference_title", "original_title"),
        *("short_title", "secondary_title"),
    ),
    "abstract": ("abstract", "notes_abstract", "other_abstract"),
    "authors": ("authors", "first_authors"),
    "year": ("year", "publication_year", "date"),
    # Full names come before short ones.
    "journal": (
        *("alternate_title3", "journal_name", "secondary_title", "alternate_title2"),
        "alternate_title1",
    ),
    "doi": ("doi", "locations", "urls", "type_of_work"),
}
#: What other fields are made of, and never stands for itself.
PARTS = ("locations", "start_page", "end_page")
#: What is made of a field, so that it need not stay itself; addresses do.
_MADE = {
    source: [name for name in SOURCES if source in SOURCES[name]]
    for source in {source for sources in SOURCES.values() for source in sources} - {"urls"}
}
#: What stands there where there is nothing.
_NOTHING = re.compile(r"\W*(no abstract|abstract not|not)( is)? available\W*", re.IGNORECASE)
#: However it is written: alone, behind doi:, or in an address of doi.org; those of publishers have
#: more behind it.
_DOI = re.compile(
    r"(?:^|[\s:;,(\[]|\bdoi\.org/)(10\.\d{4,9}(?:\.\d+)*/[^\s\"]+)", flags=re.IGNORECASE
)
_BEFORE_DOI = re.compile(r"^\s*(https?://)?((dx\.|www\.)?doi\.org/)?(doi\b:?)?", re.IGNORECASE)
#: Dates may have no signs between year and month.
_YEAR = re.compile(r"(?<!\d)(?:1[4-9]|2[01])\d\d")
#: Tags that databases leave in titles and abstracts, within words and between them.
_WITHIN = re.compile(
    r"</?(jats:)?(b|bold|em|i|inf|italic|sc|span|strong|sub|sup|u)(\s[^<>=]*=[^<>]*)?/?>",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(</?(jats:)?(abstract|br|div|h\d|label|li|list|list-item|ol|p|sec|title|ul)(\s[^<>=]*=[^<>]*)?/?>\s*)+",
    re.IGNORECASE,
)


def fields_of(record: dict[str, Any]) -> dict[str, str]:
    """Return the fields of a reference that are not empty, each a text; lists have semicolons.

    Parameters
    ----------
    record : dict
        What it says by the names of rispy: texts, or lists of texts.

    Returns
    -------
    dict
        The names of ``SOURCES`` first. What these are made of stays only where it says more.
    """
    joined = {name: _joined(name, value) for name, value in record.items()}
    told = {name: text for name, text in joined.items() if text and not _NOTHING.fullmatch(text)}
    fields: dict[str, str] = {}
    for name, sources in SOURCES.items():
        clean = _CLEAN.get(name, str)
        found = next(filter(None, (clean(told[s]) for s in sources if s in told)), None)
        if found is not None:
            fields[name] = found
    more = {name: text for name, text in told.items() if _says_more(name, text, fields)}
    if pages := _pages(told.get("start_page", ""), told.get("end_page", "")):
        fields["pages"] = pages
    # Such as a year that is a whole date.
    return fields | {f"{n}_as_written" if n in SOURCES else n: text for n, text in more.items()}


def _joined(name: str, value: str | list[str]) -> str:
    # Lines of an abstract may be paragraphs.
    between = "\n" if name in SOURCES["abstract"] else "; "
    return value if isinstance(value, str) else between.join(filter(None, value))


def _says_more(name: str, text: str, fields: dict[str, str]) -> bool:
    """Tell whether a field has more than what was made of it."""
    made = [fields[each] for each in _MADE.get(name, ()) if each in fields]
    return name not in PARTS and not any(
        text == each or _letters(text) == _letters(each) for each in made
    )


def _letters(text: str) -> str:
    """Return what two ways of writing one thing have in common."""
    return re.sub(r"[\W_]+", "", _BEFORE_DOI.sub("", _readable(unquote(text))).casefold())


def _pages(start: str, end: str) -> str:
    return start if "-" in start else "-".join(dict.fromkeys(filter(None, (start, end))))


def _readable(text: str) -> str:
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _BETWEEN.sub(" ", _WITHIN.sub("", text))
    return text.strip()


def doi_of(text: str) -> str:
    """Return a DOI in one form, as files of several databases are joined by it; "" of none."""
    found = _DOI.search(unescape(unquote(text)))
    if found is None:
        return ""
    doi = found[1].rstrip(".,;:'").lower()
    return doi if "(" in doi else doi.rstrip(")]")


def is_other_doi(text: str) -> bool:
    """Tell whether a text is a DOI, and nothing more, in another form than ``doi_of`` returns."""
    doi = doi_of(text)
    return doi not in {"", text} and _letters(text) == _letters(doi)


def _year(text: str) -> str:
    found = _YEAR.search(text)
    return "" if found is None else found[0]


_CLEAN: dict[str, Callable[[str], str]] = {
    "title": _readable,
    "abstract": _readable,
    "doi": doi_of,
    "year": _year,
}
