"""How much of a page a document takes: the characters of its text and of its metadata."""

import json
from typing import Any

from sqlalchemy import Text, cast, func

from app.tables import Document

#: By the database, of rows that are not read yet.
STORED_CHARACTERS = func.length(Document.text) + func.coalesce(
    func.length(cast(Document.metadata_, Text)), 0
)


def n_characters(document: Any) -> int:
    """Return the same of a row, or of what was made of one."""
    metadata = document.metadata
    return len(document.text) + (0 if metadata is None else len(json.dumps(metadata)))
