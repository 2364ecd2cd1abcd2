"""Formats of references to literature: how each reference begins and ends, and what it says."""

import re
from codecs import BOM_UTF8
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from rispy import RisParser
from rispy.config import LIST_TYPE_TAGS, TAG_KEY_MAPPING

from app.media_types import NBIB, RIS
from app.services.intake.reference_fields import PARTS, SOURCES


class _RisParser(RisParser):
    """RIS, of whose tags some mean one thing in one database and another in the next."""

    DEFAULT_MAPPING: ClassVar[dict[str, str]] = {
        **TAG_KEY_MAPPING,
        "BT": "book_title",
        "CT": "conference_title",
        # Often the number of the reference in that file: another file has another such one.
        "ID": "reference_id",
    }
    # As lists, further lines and values are kept apart.
    DEFAULT_LIST_TAGS: ClassVar[list[str]] = [*LIST_TYPE_TAGS, "AB", "N2"]
    # An address may have semicolons in it.
    DEFAULT_DELIMITER_MAPPING: ClassVar[dict[str, str]] = {}


class _PubMedParser(RisParser):
    """PubMed's format: tags of up to four letters; further lines of a value are indented."""

    START_TAG = "PMID"
    DEFAULT_MAPPING: ClassVar[dict[str, str]] = {
        "PMID": "pmid",
        "PMC": "pmc",
        "TI": "title",
        "BTI": "book_title",
        "TT": "original_title",
        "AB": "abstract",
        "OAB": "other_abstract",
        "FAU": "authors",
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
        "LID": "locations",
        "AID": "locations",
    }
    DEFAULT_LIST_TAGS: ClassVar[list[str]] = [
        *("FAU", "AU", "CN", "LA", "PT", "MH", "OT", "LID", "AID")
    ]
    DEFAULT_DELIMITER_MAPPING: ClassVar[dict[str, str]] = {}

    def parse_line(self, line: str) -> tuple[str, str] | tuple[None, str]:
        if line[4:5] == "-" and not line[0].isspace():
            return line[:4].rstrip(), line[5:].strip()
        return None, line.strip()


class Format(NamedTuple):
    """How one format is read; ``id_field`` has ids that are no other document's anywhere."""

    name: str
    media_type: str
    suffix: str
    parser: RisParser
    #: What the first line of a reference has before its value; the group is its tag.
    start: re.Pattern[bytes]
    #: The tag as the parser wants it.
    start_tag: bytes
    id_field: str | None
    #: Whether a further line of a list is a value of its own.
    keeps_lines: bool

    @property
    def fields(self) -> set[str]:
        """Return the names of what a reference may have."""
        ends = {self.parser.END_TAG, self.parser.UNKNOWN_TAG}
        named = {name for tag, name in self.parser.mapping.items() if tag not in ends}
        return {*named, *SOURCES, "pages"}.difference(PARTS)

    def record(self, lines: list[bytes]) -> dict[str, Any]:
        """Return what a reference says: texts, or lists of texts, by the names of its fields.

        Parameters
        ----------
        lines : list of bytes
            From the one that ``start`` matches.

        Raises
        ------
        UnicodeDecodeError
        """
        begun = self.start.match(lines[0])
        assert begun is not None
        others = lines[1:]
        if begun[1] != self.start_tag:  # then its other tags are odd, too
            others = [_ODD_TAG.sub(rb"\1  -", line) for line in others]
        told = [self.start_tag + lines[0][begun.end() :], *filter(bytes.strip, others)]
        whole = _without_short_names(self._joined([line.decode() for line in told]))
        (record,) = self.parser.parse_lines(iter([*whole, "ER  - "]))
        return dict(record)

    def _joined(self, lines: list[str]) -> list[str]:
        """Return each value on one line: the parser would copy a value for each line of it.

        Further lines of lists of RIS stay, as they may be paragraphs or values.
        """
        values: list[list[str]] = []
        tag = None
        for line in lines:
            its_tag, content = self.parser.parse_line(line)
            if its_tag is None and not (self.keeps_lines and tag in self.parser.list_tags):
                values[-1].append(content)
            else:
                values.append([line])
                tag = its_tag or tag
        return [" ".join(parts) for parts in values]


# Files that were put together have a byte order mark where each of them began, and its first line
# behind the last one of the file before.
FORMATS = {
    RIS: Format(
        "RIS",
        RIS,
        ".ris",
        _RisParser(skip_unknown_tags=True),
        re.compile(rb"(?:\s*ER {1,2}-\s*+)?(?:\xef\xbb\xbf)?(\s*+TY {1,2}-)"),
        b"TY  -",
        None,
        keeps_lines=True,
    ),
    NBIB: Format(
        "PubMed's format",
        NBIB,
        ".nbib",
        _PubMedParser(skip_unknown_tags=True),
        re.compile(rb"(?:\xef\xbb\xbf)?(PMID-)"),
        b"PMID-",
        "pmid",
        keeps_lines=False,
    ),
}
#: Of RIS; no line of PubMed's begins so. An abstract may have a line that begins with "ER -".
END = re.compile(rb"\s*ER {1,2}-\s*$")
#: Tags that are indented, or have one blank before the hyphen.
_ODD_TAG = re.compile(rb"^\s*((?!ER)[A-Z][A-Z\d]) {1,2}-(?=\s|$)")
#: What follows the tag that begins a reference, where it may be a text as well.
_START_VALUE = re.compile(rb"\s*[A-Z\d]+\s*$")
#: How lines of formats begin that are not read.
_OTHERS = {
    "BibTeX": re.compile(rb"\s*@\w+\s*\{\s*[^\s,{}]+,"),
    "EndNote's own format": re.compile(rb"%0 [A-Z]"),
    "Web of Science's own format": re.compile(rb"FN (?:Clarivate|Thomson|ISI)\b|PT [A-Z]\s*$"),
}


def _without_short_names(lines: list[str]) -> list[str]:
    """Return lines without "AU  - Oda K" where PubMed has "FAU - Oda, Kenji" before it.

    Of a name without a comma reference managers cannot tell which part is the family's.
    """
    return [
        line
        for before, line in pairwise(["", *lines])
        if not (line.startswith("AU  -") and before.startswith("FAU -"))
    ]


def told_format(line: bytes) -> str | None:
    """Say of a line that begins a reference in which format it is, and what to do."""
    for form in FORMATS.values():
        begun = form.start.match(line)
        if begun is not None and _START_VALUE.match(line, begun.end()):
            return (
                f"This looks like references, in {form.name}: send them as {form.media_type}; for "
                f"the command, end the file name in {form.suffix}."
            )
    for name, start in _OTHERS.items():
        if start.match(line.removeprefix(BOM_UTF8)):
            return (
                f"This looks like references, in {name}, which is not read: export them as RIS, or "
                "as PubMed's .nbib."
            )
    return None
