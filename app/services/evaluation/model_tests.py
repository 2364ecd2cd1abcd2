"""Tests of models on labeled documents: predicted as they come in, in flat memory."""

from array import array
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.database import Database
from app.errors import MAX_ERRORS, RowsRejected
from app.orm import Model, utc_now
from app.repositories.documents import DocumentRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.evaluation.labeled_figures import cautions, labeled_figures
from app.services.evaluation.labeled_rows import LABELS, LabeledRow, LabelNames
from app.services.evaluation.repeated_texts import find_repeats
from app.services.evaluation.text_keys import text_key, whole_key
from app.services.intake.rows import Row, RowError
from app.services.intake.vectors import of_one_length
from app.services.prediction.prediction import Predictor
from app.services.prediction.prediction_stream import predict_rows


class _Documents(NamedTuple):
    """Those that count, each with a text of its own."""

    truth: NDArray[np.bool_]
    scores: NDArray[np.float64]
    keys: NDArray[np.uint64]
    positions: NDArray[np.uint64]
    n_without_vector: int
    #: The positions of others with the text and the label of one of them.
    again: NDArray[np.uint64]


class _Tally:
    """What is kept of each document: 42 bytes and its id."""

    def __init__(self) -> None:
        self.is_positive = bytearray()
        self.scores = array("d")
        self.keys = array("Q")
        #: Of text and vector.
        self.whole_keys = array("Q")
        self.positions = array("Q")
        #: One behind the other, and where each ends; empty where a document came without.
        self.ids = bytearray()
        self.id_ends = array("Q", [0])
        #: Whether it lacks what the model learned from.
        self.lacks_vector = bytearray()
        self.n_rejected = 0
        self.errors: list[RowError] = []

    def noted(
        self, rows: Iterator[LabeledRow | RowError], vector_sizes: set[int]
    ) -> Iterator[Row | RowError]:
        """Yield the rows without their labels, which are kept in the same order."""
        for labeled in of_one_length(rows, attrgetter("row"), known=vector_sizes):
            if isinstance(labeled, RowError):
                yield labeled
            else:
                self.is_positive.append(labeled.is_positive)
                self.keys.append(text_key(labeled.row.digest))
                self.whole_keys.append(whole_key(labeled.row))
                self.positions.append(labeled.row.position)
                self.ids += (labeled.row.own_id or "").encode()
                self.id_ends.append(len(self.ids))
                self.lacks_vector.append(bool(vector_sizes) and labeled.row.vector is None)
                yield labeled.row

    def reject(self, error: RowError) -> None:
        self.n_rejected += 1
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(error)

    def labeled_once(self, position_name: str) -> _Documents:
        """Return each text once, and reject those whose labels contradict each other."""
        keys, positions = (np.frombuffer(a, np.uint64) for a in (self.keys, self.positions))
        truth = np.frombuffer(self.is_positive, dtype=bool)
        repeats = find_repeats(np.frombuffer(self.whole_keys, np.uint64), truth)
        for place in map(int, np.flatnonzero(repeats.contradicting >= 0)):
            contradicting = int(repeats.contradicting[place])
            other = f"{position_name} {positions[contradicting]}"
            if (other_id := self._id(contradicting)) is not None:
                other += f", id {other_id!r}"
            label, contrary = LABELS[:: 1 if truth[place] else -1]
            told = f"The text is {label} here, but {contrary} at {other}."
            reason = f"{told} Keep the label that is right."
            position, id_ = int(positions[place]), self._id(place)
            self.reject(RowError(position, "contradictory_label", reason, id_))
        kept = repeats.is_counted
        lacks_vector = np.frombuffer(self.lacks_vector, dtype=bool)
        return _Documents(
            truth[kept],
            np.frombuffer(self.scores)[kept],
            keys[kept],
            positions[kept],
            int(lacks_vector[kept].sum()),
            positions[repeats.is_again],
        )

    def _id(self, place: int) -> str | None:
        return self.ids[self.id_ends[place] : self.id_ends[place + 1]].decode() or None


def run_test(
    database: Database,
    predictor: Predictor,
    model: Model,
    rows: Iterator[LabeledRow | RowError],
    *,
    position_name: str,
    names: LabelNames,
) -> dict[str, Any]:
    """Return the figures of a model on labeled documents and keep them with it.

    ``names`` are those of the labels of the rows.

    Raises
    ------
    RowsRejected
        If no row is valid.
    ModelNotFound, ProjectNotFound, ArtifactUnavailable, and whatever ``rows`` raises
    """
    tally = _Tally()
    noted = tally.noted(rows, predictor.vector_sizes(model))
    for block in predict_rows(database, predictor, model, noted, explain=False):
        for predicted in block:
            if isinstance(predicted, RowError):
                tally.reject(predicted)
            else:
                tally.scores.append(predicted.score)
    documents = tally.labeled_once(position_name)
    errors = [error.to_dict(position_name) for error in tally.errors]
    if not len(documents.truth):
        first = tally.errors[0] if tally.errors else None
        told = f" The first, {position_name} {first.position}: {first.reason}" if first else ""
        needed = names.advice() or "Each needs a text and a label, positive or negative."
        raise RowsRejected(
            f"The upload has no valid document, so nothing was tested.{told} {needed}",
            report={"rejected": tally.n_rejected, "errors": errors},
        )
    found = {
        "model_id": model.id,
        "tested_at": utc_now().isoformat().replace("+00:00", "Z"),
        "n_rejected": tally.n_rejected,
        **_found(database, model, documents, position_name),
    }
    with database.writing.begin() as session:
        # The lock keeps an evaluation that ends now from writing the card in between.
        ProjectRepository(session).lock(model.project_id)
        kept = ModelRepository(session).get(model.id)
        kept.card = {**kept.card, "test": found}
    return {**found, "errors": errors}


def _found(
    database: Database, model: Model, documents: _Documents, position_name: str
) -> dict[str, Any]:
    truth, cut = documents.truth, model.card["offset"]
    known = documents.positions[_are_known(database, model.project_id, documents.keys)]
    return {
        "n_positive": int(truth.sum()),
        "n_negative": int((~truth).sum()),
        "n_in_project": len(known),
        "cut": cut,
        **labeled_figures(truth, documents.scores, cut),
        "warnings": cautions(
            truth, known, documents.again, position_name, documents.n_without_vector
        ),
    }


def _are_known(database: Database, project_id: str, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which texts a document of the project has too."""
    is_known = np.zeros(len(keys), dtype=bool)
    with database.reading() as session:
        for block in DocumentRepository(session).digests(project_id):
            theirs = np.fromiter(map(text_key, block), dtype=np.uint64, count=len(block))
            is_known |= np.isin(keys, theirs)
    return is_known
