"""Projects: made, changed, counted, deleted with everything in them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from app.orm import Project
from app.repositories.document_counts import document_counts
from app.repositories.documents import DocumentRepository
from app.repositories.files import FileRepository
from app.repositories.idempotency import IdempotencyRepository
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.counting.vectorising import check_vectorizer


def create(session: Session, **values: Any) -> Project:
    """Add a project.

    Raises
    ------
    InvalidParameter
    """
    check_vectorizer(values.get("vectorizer", {}))
    return ProjectRepository(session).add(Project(**values))


def change(session: Session, project_id: str, **values: Any) -> Project:
    """Change columns of a project.

    Raises
    ------
    ProjectNotFound, InvalidParameter
    """
    check_vectorizer(values.get("vectorizer", {}))
    project = ProjectRepository(session).lock(project_id)
    for name, value in values.items():
        setattr(project, name, value)
    return project


def contents(session: Session, project: Project) -> dict[str, Any]:
    """Return how many documents of each label a project has, and the id of its champion."""
    champion = ModelRepository(session).champion_file(project.id)
    return {
        "counts": DocumentRepository(session).counts(project.id),
        "champion_id": None if champion is None else champion.id,
    }


def overview(session: Session, projects: Sequence[Project]) -> list[dict[str, Any]]:
    """Return of each project how many documents of each label it has, and its newest model."""
    counts = document_counts(session, [project.number for project in projects])
    newest = ModelRepository(session).newest_ids([project.id for project in projects])
    return [
        {"counts": counts[project.number], "newest_model_id": newest.get(project.id)}
        for project in projects
    ]


def delete(session: Session, project_id: str) -> list[str]:
    """Delete a project with everything in it and return the keys of its files, now without rows.

    Its running jobs end by themselves: their next sign of life finds no row.

    Raises
    ------
    ProjectNotFound
    """
    repository = ProjectRepository(session)
    repository.lock(project_id)
    JobRepository(session).lock_all(project_id=project_id)
    keys = sorted(FileRepository(session).keys(project_id))
    repository.delete(project_id)
    IdempotencyRepository(session).delete_of(project_id)
    return keys
