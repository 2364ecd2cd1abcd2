"""Digests of documents; a file of its own, because all of them are walked."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.tables import Document

DIGESTS_AT_A_TIME = 10_000


class DocumentDigestRepository:
    def __init__(self, session: Session) -> None:
        self.session = session

    def blocks(self, project_id: str) -> Iterator[list[bytes]]:
        """Yield the digests of all texts of a project, some at a time."""
        query = select(Document.digest).where(Document.project_id == project_id)
        found = self.session.scalars(query, execution_options={"yield_per": DIGESTS_AT_A_TIME})
        yield from (list(block) for block in found.partitions())
