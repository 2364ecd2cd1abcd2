"""What an answer was made from, to tell later whether the project has changed."""

import hashlib

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.orm import Label, Model
from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.labels import Labels
from app.services.documents.text_counts import Counted


def data_state(session: Session, project_id: str) -> str:
    """Return the project's revision and the digest of its labels, as they are now.

    It walks the labeled documents alone.

    Raises
    ------
    ProjectNotFound
    """
    revision = ProjectRepository(session).get(project_id).revision
    return f"{revision}:{_digest(DocumentRepository(session).labeled_numbers(project_id))}"


def state_of(counted: Counted, labels: Labels) -> str:
    """Return what ``data_state`` would have, of the documents and labels that a job read."""
    labeled = {
        Label.POSITIVE: counted.numbers[labels.is_positive],
        Label.NEGATIVE: counted.numbers[labels.is_negative],
    }
    return f"{counted.revision}:{_digest(labeled)}"


def labels_changed(model: Model, labeled: dict[Label, NDArray[np.int64]]) -> bool:
    """Tell whether positives or negatives are others than those that the model learned from."""
    _, _, known = model.card["data_state"].partition(":")
    return bool(known != _digest(labeled))


def texts_changed(session: Session, model: Model) -> bool:
    """Tell whether texts were replaced or removed since the ranking of a model was made.

    Raises
    ------
    ProjectNotFound
    """
    project = ProjectRepository(session).get(model.project_id)
    return bool(project.rewritten_revision > model.card["ranking"]["revision"])


def _digest(labeled: dict[Label, NDArray[np.int64]]) -> str:
    """Return the SHA-256 of which documents have which label; their numbers ascend."""
    digest = hashlib.sha256(np.int64(len(labeled[Label.POSITIVE])).tobytes())
    for label in (Label.POSITIVE, Label.NEGATIVE):
        digest.update(labeled[label].astype(np.int64).tobytes())
    return digest.hexdigest()
