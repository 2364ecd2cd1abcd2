"""The documents of a training that texts are near to, under their ids."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline
from sqlalchemy.orm import Session

from app.repositories.documents import DocumentRepository
from app.tables import Label
from core.nearest_documents import Neighbor

N_NEAREST = 5
#: Some of those found may have been deleted since, and one be the document that is asked about.
_N_FOUND = 2 * N_NEAREST
_LABELS = {1: Label.POSITIVE, 0: Label.UNLABELED, -1: Label.NEGATIVE}


class NearDocument(Struct, frozen=True, gc=False):
    """A document of the training near to a text, with label and score as they were then."""

    number: int
    similarity: float
    label: Label
    score: float | None
    id: str | None = None


class Nearest(Struct, frozen=True, kw_only=True, gc=False):
    """What is near to a text; None with a reason where it cannot be had."""

    neighbors: list[NearDocument] | None = None
    neighbors_reason: str | None = None
    positives: list[NearDocument] | None = None
    positives_reason: str | None = None


NOT_ASKED = Nearest(neighbors_reason="not_asked", positives_reason="not_asked")

Found = TypeVar("Found", bound=Nearest)


def nearest_documents(pipeline: Pipeline, counts: csr_array) -> list[Nearest]:
    """Return what is near to each text, from counts of its terms; ids are still missing."""
    neighbors, positives = pipeline["classifier"].nearest_.find(pipeline, counts, _N_FOUND)
    if neighbors is None:
        return [
            Nearest(neighbors_reason="rows_not_kept", positives=_documents(near))
            for near in positives
        ]
    return [
        Nearest(neighbors=_documents(near), positives=_documents(near_positives))
        for near, near_positives in zip(neighbors, positives, strict=True)
    ]


def _documents(found: list[Neighbor]) -> list[NearDocument]:
    return [
        NearDocument(near.number, near.similarity, _LABELS[near.label], near.score)
        for near in found
    ]


def named(session: Session, found: Sequence[Found], *, without: int | None = None) -> list[Found]:
    """Return the same with ids; deleted documents, and the one with this number, are left out."""
    numbers = {
        near.number for each in found for near in (*(each.neighbors or []), *(each.positives or []))
    }
    if not numbers:
        return list(found)
    ids = DocumentRepository(session).ids(sorted(numbers - {without}))
    return [
        replace(
            each,
            neighbors=_with_ids(each.neighbors, ids),
            positives=_with_ids(each.positives, ids),
        )
        for each in found
    ]


def _with_ids(found: list[NearDocument] | None, ids: dict[int, str]) -> list[NearDocument] | None:
    if found is None:
        return None
    known = [near for near in found if near.number in ids]
    return [replace(near, id=ids[near.number]) for near in known[:N_NEAREST]]
