"""Projects: made, changed, counted, deleted with everything in them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.repositories.documents import DocumentRepository
from app.repositories.files import FileRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.vectorising import check_vectorizer
from app.tables import Project


@dataclass(frozen=True)
class Details:
    """A project and what is in it."""

    id: str
    name: str
    description: str
    language: str
    vectorizer: dict[str, Any]
    created_at: datetime
    counts: dict[str, int]
    champion_id: str | None


def create(session: Session, **values: Any) -> Project:
    """Add a project.

    Raises
    ------
    InvalidParameter
    """
    check_vectorizer(values.get("vectorizer", {}))
    return ProjectRepository(session).add(Project(**values))


def change(session: Session, project_id: str, **values: Any) -> Details:
    """Change columns of a project.

    Raises
    ------
    ProjectNotFound, InvalidParameter
    """
    check_vectorizer(values.get("vectorizer", {}))
    project = ProjectRepository(session).lock(project_id)
    for name, value in values.items():
        setattr(project, name, value)
    return details(session, project_id)


def details(session: Session, project_id: str) -> Details:
    """Return a project with its counts.

    Raises
    ------
    ProjectNotFound
    """
    project = ProjectRepository(session).get(project_id)
    champion = ModelRepository(session).champion(project_id)
    return Details(
        id=project.id,
        name=project.name,
        description=project.description,
        language=project.language,
        vectorizer=project.vectorizer,
        created_at=project.created_at,
        counts=DocumentRepository(session).counts(project_id),
        champion_id=None if champion is None else champion.id,
    )


def delete(session: Session, project_id: str) -> list[str]:
    """Delete a project with everything in it and return the keys of its files, now without rows.

    Its running jobs end by themselves: their next sign of life finds no row.

    Raises
    ------
    ProjectNotFound
    """
    repository = ProjectRepository(session)
    repository.lock(project_id)
    keys = sorted(FileRepository(session).keys(project_id))
    repository.delete(project_id)
    return keys
