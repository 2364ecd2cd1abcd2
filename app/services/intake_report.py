"""What became of the rows of an upload."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from app.services.rows import RowError

MAX_ERRORS = 100
MAX_EXAMPLES = 5
#: How spreadsheets write long numbers; digits are lost, and ids become alike.
_ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+")
_OF_KEPT_ROWS = ("inserted", "replaced", "unchanged", "repeated", "rewritten", "still_labeled")
_NOT_SHOWN = (
    *("position_name", "project_id", "repeated_ids", "rewritten", "rewritten_ids"),
    *("still_labeled", "still_labeled_ids"),
    *("n_with_entity", "entity", "began"),
)
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-f]+);", re.IGNORECASE)


@dataclass
class Report:
    """Counts of rows, the first that were rejected, and the first ids that came again."""

    #: What the position of a row is called.
    position_name: str = "line"
    project_id: str = ""
    received: int = 0
    inserted: int = 0
    replaced: int = 0
    unchanged: int = 0
    repeated: int = 0
    rejected: int = 0
    blank: int = 0
    errors: list[RowError] = field(default_factory=list)
    repeated_ids: list[str] = field(default_factory=list)
    #: Rows that gave a labeled document another text, though they came as unlabeled.
    rewritten: int = 0
    rewritten_ids: list[str] = field(default_factory=list)
    #: Rows that came as unlabeled and named a labeled document, by its id alone.
    still_labeled: int = 0
    still_labeled_ids: list[str] = field(default_factory=list)
    #: Texts with entities of HTML, and the first of these.
    n_with_entity: int = 0
    entity: str = ""
    warnings: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    def look_at(self, text: str | None) -> None:
        """Count a text with entities of HTML."""
        if text is not None and "&" in text and (found := _ENTITY.search(text)):
            self.n_with_entity += 1
            self.entity = self.entity or found[0]

    def reject(self, error: RowError) -> None:
        self.rejected += 1
        self.blank += error.code == "empty_text"
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(error)

    def repeat(self, document_id: str) -> None:
        """Count a row that took the place of an earlier row of the same upload."""
        self.repeated += 1
        if len(self.repeated_ids) < MAX_EXAMPLES and document_id not in self.repeated_ids:
            self.repeated_ids.append(document_id)

    def rewrite(self, document_id: str) -> None:
        """Count a row that gave a labeled document another text."""
        self.rewritten += 1
        if len(self.rewritten_ids) < MAX_EXAMPLES and document_id not in self.rewritten_ids:
            self.rewritten_ids.append(document_id)

    def leave(self, document_id: str, *, is_label_kept: bool) -> None:
        """Count a row that changed nothing, and one whose label may have been meant to go."""
        self.unchanged += 1
        self.still_labeled += is_label_kept
        ids = self.still_labeled_ids
        if is_label_kept and len(ids) < MAX_EXAMPLES and document_id not in ids:
            ids.append(document_id)

    def keep_nothing(self) -> None:
        vars(self).update(dict.fromkeys(_OF_KEPT_ROWS, 0))

    @contextmanager
    def undone_on_error(self) -> Iterator[None]:
        """Take back what a transaction counted as kept that does not come to its end."""
        kept = {name: getattr(self, name) for name in _OF_KEPT_ROWS}
        try:
            yield
        except BaseException:
            vars(self).update(kept)
            raise

    def to_dict(self) -> dict[str, Any]:
        """Return the report as clients see it; rows are found by their line or index."""
        errors = [
            {self.position_name: e.position, "code": e.code, "reason": e.reason}
            for e in self.errors
        ]
        seconds = time.perf_counter() - self.began
        shown = {
            **vars(self),
            "errors": errors,
            "warnings": [
                *self.warnings,
                *self._of_repeated(),
                *self._of_rewritten(),
                *self._of_still_labeled(),
                *self._of_entities(),
            ],
            "seconds": round(seconds, 3),
            "documents_per_second": round(self.received / seconds, 1),
        }
        for name in _NOT_SHOWN:
            del shown[name]
        return shown

    def told_kept(self) -> str:
        """Say of an upload that broke off what it left, to stand behind why; "" for nothing."""
        n_kept = self.inserted + self.replaced + self.unchanged
        if not n_kept:
            return ""
        return (
            f" Rows kept from before that: {n_kept:,}. Mend the upload and send all of it again: "
            "they stay as they are."
        )

    def _of_repeated(self) -> list[str]:
        if not self.repeated:
            return []
        advice = "Give each document an id of its own"
        if any(map(_ROUNDED.fullmatch, self.repeated_ids)):
            advice = (
                "The ids look rounded by a spreadsheet: format their column as text and fill it "
                "again from the source"
            )
        return [
            f"{self.repeated:,} of {self.received:,} rows came with the id of an earlier row of "
            "this upload and another text; of each id only the last text was kept. "
            f"{advice}, or send on_conflict=error to refuse such rows. For "
            f"example: {', '.join(self.repeated_ids)}."
        ]

    def _of_rewritten(self) -> list[str]:
        if not self.rewritten:
            return []
        return [
            f"{self.rewritten:,} of {self.received:,} rows gave a labeled document another text; "
            "its label stays, though it was given to the text before. Look whether it still holds, "
            "or send on_conflict=error to refuse such rows. For example: "
            f"{', '.join(self.rewritten_ids)}."
        ]

    def _of_still_labeled(self) -> list[str]:
        if not self.still_labeled:
            return []
        return [
            f"{self.still_labeled:,} of {self.received:,} rows name a labeled document, which "
            "keeps its label: an upload of unlabeled documents takes none away. To do that send "
            f"the label unlabeled to PUT /projects/{self.project_id}/labels. For example: "
            f"{', '.join(self.still_labeled_ids)}."
        ]

    def _of_entities(self) -> list[str]:
        if not self.n_with_entity:
            return []
        return [
            f"{self.n_with_entity:,} of {self.received:,} texts have HTML entities such as "
            f"{self.entity}, whose letters and digits are counted as words. Undo them before the "
            "upload, in Python by html.unescape(text)."
        ]
