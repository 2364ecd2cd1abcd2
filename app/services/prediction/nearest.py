"""The documents of a training that texts are near to, under their ids."""

from collections.abc import Callable

from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline

from app.database import Database
from app.orm import Label
from app.repositories.documents import DocumentRepository
from app.services.prediction.prediction_json import NearPositive, Neighbor, Prediction
from core.nearest_documents import Neighbor as NearDocument

N_NEAREST = 5
#: More than are told: some may have been deleted since, and one may be the document asked about.
_N_FOUND = 2 * N_NEAREST
_LABELS = {1: Label.POSITIVE, 0: Label.UNLABELED, -1: Label.NEGATIVE}

#: Tells the ids of documents by their numbers; those it does not know are left out.
IdsOf = Callable[[list[int]], dict[int, str]]


def ids_in(database: Database) -> IdsOf:
    """Return what tells the ids of documents that still exist."""

    def ids_of(numbers: list[int]) -> dict[int, str]:
        with database.reading() as session:
            return DocumentRepository(session).ids(numbers)

    return ids_of


def add_nearest(
    predictions: list[Prediction], pipeline: Pipeline, counts: csr_array, ids_of: IdsOf
) -> None:
    """Note in predictions what is near to each text, from counts of its terms."""
    neighbors, positives = pipeline["classifier"].nearest_.find(pipeline, counts, _N_FOUND)
    numbers = {near.number for found in (*(neighbors or []), *positives) for near in found}
    ids = ids_of(sorted(numbers)) if numbers else {}
    for i, prediction in enumerate(predictions):
        prediction.positives, prediction.positives_reason = _positives(positives[i], ids), None
        if neighbors is None:
            prediction.neighbors_reason = "rows_not_kept"
        else:
            prediction.neighbors, prediction.neighbors_reason = _neighbors(neighbors[i], ids), None


def _positives(found: list[NearDocument], ids: dict[int, str]) -> list[NearPositive]:
    return [NearPositive(ids[near.number], near.similarity) for near in _known(found, ids)]


def _neighbors(found: list[NearDocument], ids: dict[int, str]) -> list[Neighbor]:
    return [
        Neighbor(ids[near.number], near.similarity, _LABELS[near.label], near.score)
        for near in _known(found, ids)
    ]


def _known(found: list[NearDocument], ids: dict[int, str]) -> list[NearDocument]:
    return [near for near in found if near.number in ids][:N_NEAREST]
