"""Tests of models on labeled documents: predicted as they come in, in flat memory."""

from array import array
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.database import Database
from app.errors import MAX_ERRORS, RowsRejected
from app.orm import Model, utc_now
from app.repositories.documents import DocumentRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.evaluation.labeled_figures import cautions, labeled_figures
from app.services.evaluation.labeled_rows import LabeledRow
from app.services.intake.rows import Row, RowError
from app.services.intake.vectors import of_one_length
from app.services.prediction.prediction import Predictor
from app.services.prediction.prediction_stream import predict_rows


class _Tally:
    """What is kept of each document: 25 bytes."""

    def __init__(self) -> None:
        self.is_positive = bytearray()
        self.scores = array("d")
        #: The first half of each digest, enough to find texts that come again.
        self.digests = array("Q")
        self.positions = array("Q")
        #: Of a model that learned from vectors.
        self.n_without_vector = 0
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
                self.digests.append(_half(labeled.row.digest))
                self.positions.append(labeled.row.position)
                self.n_without_vector += bool(vector_sizes) and labeled.row.vector is None
                yield labeled.row

    def reject(self, error: RowError) -> None:
        self.n_rejected += 1
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(error)


def run_test(
    database: Database,
    predictor: Predictor,
    model: Model,
    rows: Iterator[LabeledRow | RowError],
    *,
    position_name: str,
) -> dict[str, Any]:
    """Return the figures of a model on labeled documents and keep them with it.

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
    errors = [error.to_dict(position_name) for error in tally.errors]
    if not tally.scores:
        first = tally.errors[0] if tally.errors else None
        told = f" The first, {position_name} {first.position}: {first.reason}" if first else ""
        raise RowsRejected(
            f"The upload has no valid document, so nothing was tested.{told} Each needs a text "
            "and a label, positive or negative.",
            report={"rejected": tally.n_rejected, "errors": errors},
        )
    found = {
        "model_id": model.id,
        "tested_at": utc_now().isoformat().replace("+00:00", "Z"),
        **_found(database, model, tally, position_name),
    }
    with database.writing.begin() as session:
        # The lock keeps an evaluation that ends now from writing the card in between.
        ProjectRepository(session).lock(model.project_id)
        kept = ModelRepository(session).get(model.id)
        kept.card = {**kept.card, "test": found}
    return {**found, "errors": errors}


def _found(database: Database, model: Model, tally: _Tally, position_name: str) -> dict[str, Any]:
    truth = np.frombuffer(tally.is_positive, dtype=bool)
    scores = np.frombuffer(tally.scores)
    n_positive = int(truth.sum())
    n_negative = len(truth) - n_positive
    is_known = _are_known(database, model.project_id, np.frombuffer(tally.digests, np.uint64))
    known = np.frombuffer(tally.positions, np.uint64)[is_known]
    return {
        "n_positive": n_positive,
        "n_negative": n_negative,
        "n_in_project": len(known),
        "n_rejected": tally.n_rejected,
        "cut": model.card["offset"],
        **labeled_figures(truth, scores, model.card["offset"]),
        "warnings": cautions(n_positive, n_negative, known, position_name, tally.n_without_vector),
    }


def _are_known(
    database: Database, project_id: str, digests: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Return which digests a document of the project has too."""
    is_known = np.zeros(len(digests), dtype=bool)
    with database.reading() as session:
        for block in DocumentRepository(session).digests(project_id):
            halves = np.fromiter(map(_half, block), dtype=np.uint64, count=len(block))
            is_known |= np.isin(digests, halves)
    return is_known


def _half(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "little")
