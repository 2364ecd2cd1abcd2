"""How an upload of documents is to be read."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from app.services.intake.csv_columns import Delimiter


class Options(NamedTuple):
    """How to read an upload; without a column's name the usual one is taken, if it is there."""

    max_text_bytes: int
    #: The texts of several columns are joined, each on a line of its own.
    text_columns: Sequence[str] = ()
    id_column: str | None = None
    delimiter: Delimiter = "comma"
    #: Whether other fields of JSON become metadata; None: where fields are named.
    keeps_extra_fields: bool | None = None
    #: What to say where the first line of NDJSON is none.
    other_formats: str = ""
    #: Takes what to be careful about, of many rows alike many times.
    warn: Callable[[str], object] = lambda _: None
    #: Most bytes that the parts of a workbook or of Parquet unpack to; None: any number.
    max_bytes: int | None = None
    #: Where a workbook or Parquet waits to be read; None: where temporary files usually are.
    folder: Path | None = None

    @property
    def names_fields(self) -> bool:
        """Whether a document of JSON has text or id under another name."""
        return bool(self.text_columns) or self.id_column is not None

    @property
    def max_row_bytes(self) -> int:
        """Most of one row that is held: escapes make text in JSON up to three times as long."""
        return 3 * self.max_text_bytes + 2**20
