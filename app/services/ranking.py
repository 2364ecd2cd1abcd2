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
from app.errors import ArtifactUnavailable, RankingReplaced
from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from app.services import current_ranking
from app.services.ranking_file import RankingFile
from app.tables import Label, Model

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
    mark: str | None = None,
    limit: int,
) -> tuple[list[RankedDocument], int | None]:
    """Return ``limit`` rows from position ``start`` on, and where the next ones start.

    Documents deleted since the training are passed over; ``label`` is that of today.

    Raises
    ------
    ArtifactUnavailable
    RankingReplaced
        If the ranking is not the one that has the ``mark``: positions in it say nothing here.
    """
    model, arrays = current_ranking.load(session, artifacts, model)
    file = RankingFile(arrays)
    if mark not in (None, mark_of(model)):
        raise RankingReplaced(
            "The ranking was brought up to date since the page before was read. Start again from "
            "the first page, without page_token."
        )
    chosen = _chosen(session, file, model, label, min_score)
    return _page(session, file, model, chosen, start, limit)


def rows(
    database: Database,
    artifacts: Artifacts,
    model: Model,
    *,
    label: Label | None = None,
    min_score: float | None = None,
    start: int = 0,
) -> Iterator[RankedDocument]:
    """Yield all rows from position ``start`` on, in flat memory and with no long transaction.

    A ranking that is replaced on the way is read to its end.

    Raises
    ------
    ArtifactUnavailable
        Also on the way, if the file is damaged.
    ProjectNotFound
        On the way, if the project is deleted.
    """
    with database.reading() as session:
        model, arrays = current_ranking.load(session, artifacts, model)
        file = RankingFile(arrays)
        chosen = _chosen(session, file, model, label, min_score)
    return _rows(database, artifacts, model, file, chosen, start)


def find(
    session: Session, artifacts: Artifacts, model: Model, number: int
) -> RankedDocument | None:
    """Return the row of the document with this number; None where it was not in the training.

    Raises
    ------
    ArtifactUnavailable
    """
    model, arrays = current_ranking.load(session, artifacts, model)
    file = RankingFile(arrays)
    positions = file.positions(np.array([number]))
    return next(_read(session, file, model, positions), None)


def mark_of(model: Model) -> str:
    """Return what tells the ranking that the model has now from others."""
    return str(model.ranking_file["sha256"][:16])


def is_predicted(score: float, cut: float, label: Label) -> bool:
    """Tell whether a document counts as positive."""
    # What a person said of a document counts for more than its score.
    return label == Label.POSITIVE or (score >= cut and label != Label.NEGATIVE)


@dataclass(frozen=True)
class _Chosen:
    """Which positions pass the filters: before ``end``, only or none of those ``listed``."""

    end: int
    listed: NDArray[np.intp] | None = None
    is_listed: bool = False

    def positions(self, start: int, n: int) -> NDArray[np.intp]:
        """Return the first ``n`` from ``start`` on."""
        if self.listed is None:
            return np.arange(start, min(start + n, self.end))
        n_before = int(np.searchsorted(self.listed, start))
        if self.is_listed:
            found = self.listed[n_before : n_before + n]
        else:
            # Counted without the listed ones; then moved by as many of them as stand before.
            found = np.arange(n) + start - n_before
            others_before = self.listed - np.arange(len(self.listed))
            found = found + np.searchsorted(others_before, found, side="right")
        return found[found < self.end]


def _chosen(
    session: Session,
    file: RankingFile,
    model: Model,
    label: Label | None,
    min_score: float | None,
) -> _Chosen:
    end = len(file)
    if min_score is not None:
        end = bisect_right(file.scores, -min_score, key=lambda score: -score)
    if label is None:
        return _Chosen(end)
    labeled = DocumentRepository(session).labeled_numbers(model.project_id)
    is_listed = label != Label.UNLABELED
    numbers = labeled[label] if is_listed else np.concatenate(list(labeled.values()))
    return _Chosen(end, file.positions(numbers), is_listed)


def _page(
    session: Session, file: RankingFile, model: Model, chosen: _Chosen, start: int, limit: int
) -> tuple[list[RankedDocument], int | None]:
    found: list[RankedDocument] = []
    while len(found) <= limit:
        positions = chosen.positions(start, limit + 1)
        if not len(positions):
            return found, None
        found.extend(_read(session, file, model, positions))
        start = int(positions[-1]) + 1
    return found[:limit], found[limit].rank - 1


def _rows(
    database: Database,
    artifacts: Artifacts,
    model: Model,
    file: RankingFile,
    chosen: _Chosen,
    first: int,
) -> Iterator[RankedDocument]:
    start: int | None = first
    while start is not None:
        _check_whole(artifacts, model)
        with database.reading() as session:
            found, start = _page(session, file, model, chosen, start, _EXPORT)
            ProjectRepository(session).get(model.project_id)  # documents go with it
        yield from found


def _check_whole(artifacts: Artifacts, model: Model) -> None:
    """Compare the file anew: one cut short while a slow client reads would kill the process."""
    try:
        artifacts.path(model.ranking_file)
    except ArtifactUnavailable as error:
        # A file that is gone is there as long as it is mapped.
        if not isinstance(error.__cause__, FileNotFoundError):
            raise


def _read(
    session: Session, file: RankingFile, model: Model, positions: NDArray[np.intp]
) -> Iterator[RankedDocument]:
    numbers = file.numbers[positions].tolist()
    documents = DocumentRepository(session).by_numbers(numbers)
    scores = file.scores[positions].tolist()
    shares: list[float | None] = [None] * len(scores)
    if file.probabilities is not None:
        shares = file.probabilities[positions].tolist()
    for position, number, score, probability in zip(
        positions.tolist(), numbers, scores, shares, strict=True
    ):
        document = documents.get(number)
        if document is None:
            continue
        yield RankedDocument(
            rank=position + 1,
            id=document.id,
            score=score,
            probability=probability,
            predicted=is_predicted(score, model.card["offset"], document.label),
            label=document.label,
            text=document.text,
            metadata=document.metadata,
        )
