"""Documents are removed, one or many at once."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository

#: Ids without a document that are listed.
LISTED = 100


def remove(session: Session, project_id: str, document_id: str) -> None:
    """Remove a document.

    Raises
    ------
    ProjectNotFound, DocumentNotFound
    """
    ProjectRepository(session).lock(project_id)
    DocumentRepository(session).delete(project_id, document_id)
    ProjectRepository(session).advance_revision(project_id, is_rewritten=True)


def remove_all(session: Session, project_id: str, ids: Sequence[str]) -> dict[str, Any]:
    """Remove the documents with these ids; return how many are gone, and which ids are of none.

    Raises
    ------
    ProjectNotFound
    """
    ProjectRepository(session).lock(project_id)
    asked = dict.fromkeys(ids)
    found = DocumentRepository(session).delete_all(project_id, [*asked])
    if found:
        ProjectRepository(session).advance_revision(project_id, is_rewritten=True)
    unknown = [id_ for id_ in asked if id_ not in found]
    return {"deleted": len(found), "unknown": len(unknown), "unknown_ids": unknown[:LISTED]}
