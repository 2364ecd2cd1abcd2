"""The documents of a project sorted by a model's score: a page is a slice of a file."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.database import Database
from app.repositories.documents import DocumentRepository
from app.tables import Label, Model

Numbers = NDArray[np.int64]

#: Positions that a filter looks at in one step.
_SCAN = 100_000
#: Rows of an export that are read in one session.
_EXPORT = 1000


@dataclass(frozen=True)
class RankedDocument:
    """A row of the ranking; ``rank`` counts from 1 over the whole of it, whatever the filter."""

    rank: int
    id: str
    score: float
    probability: float | None
    predicted: bool
    label: Label
    text: str
    metadata: dict[str, Any] | None


def page(
    session: Session,
    artifacts: Artifacts,
    model: Model,
    *,
    label: Label | None = None,
    min_score: float | None = None,
    start: int = 0,
    limit: int,
) -> tuple[list[RankedDocument], int | None]:
    """Return ``limit`` rows from position ``start`` on, and where the next ones start.

    Documents deleted since the training are passed over; ``label`` is that of today.

    Raises
    ------
    ArtifactUnavailable
    """
    ranking = _Ranking(artifacts, model, min_score)
    labeled = _labeled(session, model, label)
    return ranking.page(session, label=label, labeled=labeled, start=start, limit=limit)


def rows(
    database: Database,
    artifacts: Artifacts,
    model: Model,
    *,
    label: Label | None = None,
    min_score: float | None = None,
) -> Iterator[RankedDocument]:
    """Yield all rows of the ranking, some in memory at a time and with no long transaction.

    Raises
    ------
    ArtifactUnavailable
    """
    # Not mapped: a file that is cut short while a slow client reads would kill the process.
    ranking = _Ranking(artifacts, model, min_score, mmap_mode=None)
    with database.reading() as session:
        labeled = _labeled(session, model, label)
    return ranking.rows(database, label=label, labeled=labeled)


def find(
    session: Session, artifacts: Artifacts, model: Model, number: int
) -> RankedDocument | None:
    """Return the row of the document with this number; None where it was not in the training.

    Raises
    ------
    ArtifactUnavailable
    """
    return _Ranking(artifacts, model, None).find(session, number)


def is_predicted(score: float, cut: float, label: Label) -> bool:
    """Tell whether a document counts as positive."""
    # What a person said of a document counts for more than its score.
    return label == Label.POSITIVE or (score >= cut and label != Label.NEGATIVE)


def _labeled(session: Session, model: Model, label: Label | None) -> Numbers:
    """Return the numbers that a filter on ``label`` lets pass, or holds back if unlabeled."""
    if label is None:
        return np.empty(0, dtype=np.int64)
    found = DocumentRepository(session).labeled_numbers(model.project_id)
    return np.concatenate(list(found.values())) if label == Label.UNLABELED else found[label]


class _Ranking:
    """The file of a ranking; memory-mapped, only what is looked at is read."""

    def __init__(
        self,
        artifacts: Artifacts,
        model: Model,
        min_score: float | None,
        mmap_mode: str | None = "r",
    ) -> None:
        arrays = artifacts.load_arrays(model.ranking_file, mmap_mode=mmap_mode)
        self._numbers: Numbers = arrays["numbers"]
        self._scores: NDArray[np.float64] = arrays["scores"]
        self._probabilities: NDArray[np.float32] | None = arrays.get("probabilities")
        self._cut: float = model.card["offset"]
        self._end = len(self._scores)
        if min_score is not None:
            self._end = bisect_right(self._scores, -min_score, key=lambda score: -score)

    def page(
        self, session: Session, *, label: Label | None, labeled: Numbers, start: int, limit: int
    ) -> tuple[list[RankedDocument], int | None]:
        found: list[RankedDocument] = []
        for positions in self._positions(label, labeled, start, limit + 1):
            found.extend(self._read(session, positions))
            if len(found) > limit:
                return found[:limit], found[limit].rank - 1
        return found, None

    def find(self, session: Session, number: int) -> RankedDocument | None:
        positions = np.flatnonzero(self._numbers == number)
        return next(self._read(session, positions), None)

    def rows(
        self, database: Database, *, label: Label | None, labeled: Numbers
    ) -> Iterator[RankedDocument]:
        start: int | None = 0
        while start is not None:
            with database.reading() as session:
                found, start = self.page(
                    session, label=label, labeled=labeled, start=start, limit=_EXPORT
                )
            yield from found

    def _positions(
        self, label: Label | None, labeled: Numbers, start: int, at_a_time: int
    ) -> Iterator[NDArray[np.intp]]:
        """Yield the positions that pass the filter, in parts."""
        step = at_a_time if label is None else _SCAN
        for first in range(start, self._end, step):
            block = self._numbers[first : min(first + step, self._end)]
            if label is None:
                yield np.arange(first, first + len(block))
                continue
            is_wanted = np.isin(block, labeled, invert=label == Label.UNLABELED)
            positions = first + np.flatnonzero(is_wanted)
            for i in range(0, len(positions), at_a_time):
                yield positions[i : i + at_a_time]

    def _read(self, session: Session, positions: NDArray[np.intp]) -> Iterator[RankedDocument]:
        numbers = self._numbers[positions].tolist()
        documents = DocumentRepository(session).by_numbers(numbers)
        scores = self._scores[positions].tolist()
        shares: list[float | None] = [None] * len(scores)
        if self._probabilities is not None:
            shares = self._probabilities[positions].tolist()
        rows = zip(positions.tolist(), numbers, scores, shares, strict=True)
        for position, number, score, probability in rows:
            document = documents.get(number)
            if document is None:
                continue
            yield RankedDocument(
                rank=position + 1,
                id=document.id,
                score=score,
                probability=probability,
                predicted=is_predicted(score, self._cut, document.label),
                label=document.label,
                text=document.text,
                metadata=document.metadata,
            )
