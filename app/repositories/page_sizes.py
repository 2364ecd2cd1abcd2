"""How large documents are, and how many of them are read at once."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Text, cast, func, select
from sqlalchemy.orm import Session

from app.orm import Document
from app.repositories.documents import TABLE, in_parts

#: Of so many documents the sizes are asked for at first, then of four times as many.
FIRST_ASKED = 32
#: Characters of text and metadata, counted by the database before the rows are read.
STORED_CHARACTERS = func.length(Document.text) + func.coalesce(
    func.length(cast(Document.metadata_, Text)), 0
)


def n_characters(document: Any) -> int:
    """Return the characters of text and metadata of a row, or of what was made of one."""
    metadata = document.metadata
    return len(document.text) + (0 if metadata is None else len(json.dumps(metadata)))


def portions(session: Session, numbers: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield the numbers in their order, as many at a time as have about so many characters."""
    portion: list[int] = []
    size = 0
    for number, n_stored in _sizes(session, numbers):
        portion.append(number)
        size += n_stored
        if size > most:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _sizes(session: Session, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each number with the characters of its document, asked for as they are needed.

    SQLite reads a text to count its characters, and of long ones a page may hold few.
    """
    query = select(TABLE.c.number, STORED_CHARACTERS)
    start, n_asked = 0, FIRST_ASKED
    while start < len(numbers):
        for some in in_parts(numbers[start : start + n_asked]):
            rows = session.execute(query.where(TABLE.c.number.in_(some)))
            sizes = {number: size for number, size in rows}  # noqa: C416 - no pairs to mypy
            yield from ((number, sizes.get(number, 0)) for number in some)
        start, n_asked = start + n_asked, 4 * n_asked
