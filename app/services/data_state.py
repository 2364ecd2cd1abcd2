"""What an answer was made from, to tell later whether the project has changed."""

import hashlib

import numpy as np
from numpy.typing import NDArray
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
    return state_digest(revision, labeled[Label.POSITIVE], labeled[Label.NEGATIVE])


def state_digest(revision: int, positive: NDArray[np.int64], negative: NDArray[np.int64]) -> str:
    """Return the same from what was read: ascending numbers of the labeled documents."""
    digest = hashlib.sha256(f"{revision} {len(positive)} ".encode())
    for numbers in (positive, negative):
        digest.update(numbers.astype("<i8").tobytes())
    return digest.hexdigest()
