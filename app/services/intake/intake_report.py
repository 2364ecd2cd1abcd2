"""What became of the rows of an upload."""

import re
import time
from bisect import insort
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from app.errors import MAX_ERRORS
from app.services.intake.rows import RowError
from app.services.intake.text_language import TextLanguage

MAX_EXAMPLES = 5
#: How spreadsheets write long numbers; digits are lost, and ids become alike.
_ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+")
#: Words in brackets that begin as one, such as <I hope so>, have no attribute.
_TAG = re.compile(
    r"</?(a|b|body|br|code|div|em|font|h[1-6]|head|html|i|img|li|ol|p|pre|script|span|strong|style"
    r"|table|td|th|tr|ul)(\s+[\w:-]+=[^<>]*)?\s*/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-f]+);", re.IGNORECASE)

_REPEATED = (
    "{n:,} of {received:,} rows have the id of an earlier row of this upload and another text or "
    "vector; only the last of each id was kept. {advice}, or send on_conflict=error to refuse such "
    "rows. For example: {shown}."
)
_OWN_IDS = "Give each document an id of its own"
_IDS_AS_TEXT = (
    "The ids look rounded by a spreadsheet: format their column as text and fill it again from the "
    "source"
)
_LEFT = (
    "{n:,} of {received:,} rows have the id of a document with another text or vector, which was "
    "left as it is. For example: {shown}."
)
_REWRITTEN = (
    "{n:,} of {received:,} rows gave a labeled document another text; its label stays, though it "
    "was given to the earlier text. Check whether it still holds, or send on_conflict=error to "
    "refuse such rows. For example: {shown}."
)
_OVERTURNED = (
    "{n:,} of {received:,} rows made a document positive that was judged negative. If that "
    "judgement was right, send the label negative to PUT /projects/{project_id}/labels. For "
    "example: {shown}."
)
_LABELED = (
    "{n:,} of {received:,} rows name a labeled document, which keeps its label: an upload of "
    "unlabeled documents takes none away. To take it away, send the label unlabeled to PUT "
    "/projects/{project_id}/labels. For example: {shown}."
)
_ENTITIES = (
    "{n:,} of {received:,} texts have HTML entities such as {first}, whose letters and digits are "
    "counted as words. Decode them before the upload, in Python with html.unescape(text)."
)
_TAGS = (
    "{n:,} of {received:,} texts have HTML tags such as {first:.50}, whose names and attributes "
    "are counted as words. Where only some documents have tags, these seem to be of one kind. Take "
    "the tags out before the upload, and decode entities first."
)


@dataclass
class Found:
    """Rows of one kind: how many, and examples of what was found in them."""

    n: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, example: str) -> None:
        self.n += 1
        if len(self.examples) < MAX_EXAMPLES and example not in self.examples:
            self.examples.append(example)


@dataclass
class Kept:
    """Counts of the rows that a transaction keeps; of some of them the ids are examples."""

    inserted: int = 0
    replaced: int = 0
    unchanged: int = 0
    #: Made a positive of a document that was none.
    relabeled: int = 0
    #: Of the documents that were inserted. Others, of other projects too, may lie in between.
    numbers: list[range] = field(default_factory=list)
    #: With the id of an earlier row of the same upload, and another text or vector.
    repeated: Found = field(default_factory=Found)
    #: Had the id of a document with another text or vector, and left it as it was.
    left: Found = field(default_factory=Found)
    #: Gave a labeled document another text, though they came as unlabeled.
    rewritten: Found = field(default_factory=Found)
    #: Made a positive of a document that was judged negative.
    overturned: Found = field(default_factory=Found)
    #: Came as unlabeled and named a labeled document, by its id alone.
    still_labeled: Found = field(default_factory=Found)
    #: Came as unlabeled with the text of a labeled document.
    known: Found = field(default_factory=Found)

    def add_numbers(self, before: int, last: int) -> None:
        """Note that a transaction inserted documents with numbers behind ``before``."""
        first = before + 1
        if self.numbers and self.numbers[-1].stop == first:
            first = self.numbers.pop().start
        self.numbers.append(range(first, last + 1))

    def has_inserted(self, number: int) -> bool:
        return any(number in some for some in self.numbers)


@dataclass
class Report:
    """Counts of rows, the first that were rejected, and examples of odd ones."""

    #: What the position of a row is called.
    position_name: str = "line"
    project_id: str = ""
    #: That of the project, whose function words trainings leave out; "other": none.
    language: str = "other"
    received: int = 0
    rejected: int = 0
    blank: int = 0
    kept: Kept = field(default_factory=Kept)
    errors: list[RowError] = field(default_factory=list)
    #: Texts with entities of HTML, and with tags.
    with_entity: Found = field(default_factory=Found)
    with_tag: Found = field(default_factory=Found)
    warnings: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self._language = TextLanguage(self.language)

    def look_at(self, text: str | None) -> None:
        """Count a text with entities or tags of HTML, and words that tell its language."""
        if text is None:
            return
        if "&" in text and (found := _ENTITY.search(text)):
            self.with_entity.add(found[0])
        if "<" in text and (found := _TAG.search(text)):
            self.with_tag.add(found[0])
        self._language.look_at(text)

    def warn(self, warning: str | None) -> None:
        """Keep what to be careful about, if anything, once however often it comes."""
        if warning is not None and warning not in self.warnings:
            self.warnings.append(warning)

    def reject(self, error: RowError) -> None:
        self.rejected += 1
        self.blank += error.code == "empty_text"
        # Errors that only the stored documents tell of come after the others of their chunk.
        insort(self.errors, error)
        del self.errors[MAX_ERRORS:]

    def keep_nothing(self) -> None:
        self.kept = Kept()

    @contextmanager
    def undone_on_error(self) -> Iterator[None]:
        """Take back what was counted as kept, if the transaction fails."""
        before = self.kept
        self.kept = deepcopy(before)
        try:
            yield
        except BaseException:
            self.kept = before
            raise

    def to_dict(self) -> dict[str, Any]:
        """Return the report as clients see it; rows are found by their line or index."""
        seconds = time.perf_counter() - self.began
        return {
            "received": self.received,
            "inserted": self.kept.inserted,
            "replaced": self.kept.replaced,
            "unchanged": self.kept.unchanged,
            "relabeled": self.kept.relabeled,
            "repeated": self.kept.repeated.n,
            "rejected": self.rejected,
            "blank": self.blank,
            "errors": [error.to_dict(self.position_name) for error in self.errors],
            "warnings": [*self.warnings, *self._told()],
            "seconds": round(seconds, 3),
            "documents_per_second": round(self.received / seconds, 1),
        }

    def told_kept(self) -> str:
        """Say of an upload that broke off what it left, to stand behind why; "" for nothing."""
        n_kept = self.kept.inserted + self.kept.replaced + self.kept.unchanged
        if not n_kept:
            return ""
        return (
            f" Rows kept from before that: {n_kept:,}. They stay as they are when you send all of "
            "it again."
        )

    def _told(self) -> list[str]:
        kept = self.kept
        told = (
            (_REPEATED, kept.repeated),
            (_LEFT, kept.left),
            (_REWRITTEN, kept.rewritten),
            (_OVERTURNED, kept.overturned),
            (_LABELED, kept.still_labeled if kept.still_labeled.n else self._known()),
            (_ENTITIES, self.with_entity),
            (_TAGS, self.with_tag),
        )
        is_rounded = any(map(_ROUNDED.fullmatch, kept.repeated.examples))
        warnings = [
            words.format(
                n=found.n,
                received=self.received,
                shown=", ".join(found.examples),
                first=found.examples[0],
                project_id=self.project_id,
                advice=_IDS_AS_TEXT if is_rounded else _OWN_IDS,
            )
            for words, found in told
            if found.n
        ]
        return [*warnings, *filter(None, [self._language.warning(self.project_id)])]

    def _known(self) -> Found:
        # Some seeds stand in the pile; where most of it is labeled, this is no pile.
        return self.kept.known if 2 * self.kept.known.n > self.received else Found()
