"""The documents of a training that texts are near to, under their ids."""

from typing import TypeVar

from msgspec.structs import replace
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline
from sqlalchemy.orm import Session

from app.repositories.documents import DocumentRepository
from app.services.prediction_json import Nearest, NearPositive, Neighbor, Prediction
from app.tables import Label
from core.nearest_documents import Neighbor as NearDocument

N_NEAREST = 5
#: Some of those found may have been deleted since, and one be the document that is asked about.
_N_FOUND = 2 * N_NEAREST
_LABELS = {1: Label.POSITIVE, 0: Label.UNLABELED, -1: Label.NEGATIVE}


NOT_ASKED = Nearest(neighbors_reason="not_asked", positives_reason="not_asked")

Near = TypeVar("Near", bound=NearPositive)


def nearest_documents(pipeline: Pipeline, counts: csr_array) -> list[Nearest]:
    """Return what is near to each text, from counts of its terms; ids are still missing."""
    neighbors, positives = pipeline["classifier"].nearest_.find(pipeline, counts, _N_FOUND)
    if neighbors is None:
        return [
            Nearest(neighbors_reason="rows_not_kept", positives=_positives(near))
            for near in positives
        ]
    return [
        Nearest(neighbors=_neighbors(near), positives=_positives(near_positives))
        for near, near_positives in zip(neighbors, positives, strict=True)
    ]


def _positives(found: list[NearDocument]) -> list[NearPositive]:
    return [NearPositive(near.number, near.similarity) for near in found]


def _neighbors(found: list[NearDocument]) -> list[Neighbor]:
    return [
        Neighbor(near.number, near.similarity, _LABELS[near.label], near.score) for near in found
    ]


def named(
    session: Session, found: list[Prediction], *, without: int | None = None
) -> list[Prediction]:
    """Return the same with ids; deleted documents, and the one with this number, are left out."""
    numbers = {
        int(near.id)
        for each in found
        for near in (*(each.neighbors or []), *(each.positives or []))
    }
    if not numbers:
        return found
    ids = DocumentRepository(session).ids(sorted(numbers - {without}))
    return [
        replace(
            each,
            neighbors=_with_ids(each.neighbors, ids),
            positives=_with_ids(each.positives, ids),
        )
        for each in found
    ]


def _with_ids(found: list[Near] | None, ids: dict[int, str]) -> list[Near] | None:
    if found is None:
        return None
    known = [near for near in found if near.id in ids]
    return [replace(near, id=ids[int(near.id)]) for near in known[:N_NEAREST]]
