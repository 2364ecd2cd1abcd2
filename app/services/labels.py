"""What is known of a project's documents."""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.database import Database
from app.errors import NoPositives, NoUnlabeled
from app.repositories.documents import DocumentRepository
from app.tables import Label


@dataclass(frozen=True)
class Labels:
    """Two masks of shape (n_documents,); what is in neither is learned from as unlabeled."""

    is_positive: NDArray[np.bool_]
    is_negative: NDArray[np.bool_]

    @property
    def digest(self) -> str:
        """SHA-256 of both masks."""
        packed = np.packbits([self.is_positive, self.is_negative])
        return hashlib.sha256(packed.tobytes()).hexdigest()


def numbers_digest(positive: NDArray[np.int64], negative: NDArray[np.int64]) -> str:
    """Return the SHA-256 of which documents have which label, whatever other ones there are."""
    digest = hashlib.sha256(np.int64(len(positive)).tobytes())
    for numbers in (positive, negative):
        digest.update(np.sort(numbers).astype(np.int64).tobytes())
    return digest.hexdigest()


def read_labels(database: Database, project_id: str, numbers: NDArray[np.int64]) -> Labels:
    """Return the labels of the documents with these numbers, as they are now."""
    with database.reading() as session:
        found = DocumentRepository(session).labeled_numbers(project_id)
    return Labels(
        is_positive=np.isin(numbers, found[Label.POSITIVE]),
        is_negative=np.isin(numbers, found[Label.NEGATIVE]),
    )


def check_labels(
    session: Session, project_id: str, *, needs_unlabeled: bool, needs_unjudged: bool = False
) -> int:
    """Return the number of positives of a project that has the documents to learn from.

    Raises
    ------
    NoPositives, NoUnlabeled
    """
    counts = DocumentRepository(session).counts(project_id)
    if not counts["positive"]:
        raise NoPositives(
            "The project has no positive document to learn from. Add some with "
            f"POST /projects/{project_id}/positives."
        )
    n_others = counts["unlabeled"] + counts["unsure"]
    if not needs_unjudged:
        n_others += counts["negative"]
    if needs_unlabeled and not n_others:
        raise NoUnlabeled(
            "The project has no unlabeled document to learn from. Add the pile to search with "
            f"POST /projects/{project_id}/unlabeled, or choose an algorithm that needs none."
        )
    return counts["positive"]
