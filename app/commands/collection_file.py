"""A file with a labeled collection: what is in it, and how it is to be read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.command_failed import CommandFailed


class UnusableCollection(CommandFailed):
    """The collection does not allow what was asked for; the message says what to do."""


class LabeledDocument(NamedTuple):
    id: str
    text: str
    label: str
    vector: list[float] | None = None


class CollectionFile(NamedTuple):
    """Where the file is, and what its columns, or fields of JSON, are called.

    Attributes
    ----------
    delimiter : str or None
        The name of what separates the columns of a CSV; None: what its kind of file usually has.
    charset : str
        Its encoding.
    """

    path: Path
    label_column: str = "label"
    text_columns: Sequence[str] = ()
    id_column: str | None = None
    delimiter: str | None = None
    charset: str = "utf-8"

    def columns(self) -> dict[str, Any]:
        """Return what was named of the columns, as uploads have it."""
        texts = list(self.text_columns) or None
        return {"text_column": texts, "id_column": self.id_column, "delimiter": self.delimiter}
