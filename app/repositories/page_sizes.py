"""How large documents are, and how many of them are read at once."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Text, cast, func, select
from sqlalchemy.orm import Session

from app.orm import Document
from app.repositories.documents import TABLE, in_parts

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
    query = select(TABLE.c.number, STORED_CHARACTERS)
    sizes: dict[int, int] = {}
    for some in in_parts(numbers):
        rows = session.execute(query.where(TABLE.c.number.in_(some)))
        sizes |= {number: size for number, size in rows}  # noqa: C416 - rows are not pairs to mypy
    portion: list[int] = []
    size = 0
    for number in numbers:
        portion.append(number)
        size += sizes.get(number, 0)
        if size > most:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
