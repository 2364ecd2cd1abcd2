"""What an answer was made from, to tell later whether the project has changed."""

import hashlib

from sqlalchemy.orm import Session

from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from app.tables import Label


def data_state(session: Session, project_id: str) -> str:
    """Return a SHA-256 of the project's revision and labels; it walks the labeled documents alone.

    Take it before the documents are read: what changes in between then counts as a change.

    Raises
    ------
    ProjectNotFound
    """
    revision = ProjectRepository(session).get(project_id).revision
    labeled = DocumentRepository(session).labeled_numbers(project_id)
    digest = hashlib.sha256(f"{revision} {len(labeled[Label.POSITIVE])} ".encode())
    for label in (Label.POSITIVE, Label.NEGATIVE):
        digest.update(labeled[label].astype("<i8").tobytes())
    return digest.hexdigest()
