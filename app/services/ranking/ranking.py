"""The documents of a project sorted by a model's score: a page is a slice of a file."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.database import Database
from app.document_sizes import PAGE_CHARACTERS
from app.errors import ArtifactUnavailable, RankingReplaced
from app.orm import Label, Model
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.page_sizes import n_characters, portions
from app.repositories.projects import ProjectRepository
from app.services.ranking import current_ranking
from app.services.ranking.ranking_file import RankingFile

#: Rows of an export that are read in one session.
_EXPORT = 1000


class Part(NamedTuple):
    """Which rows of a ranking are asked for, and in which order."""

    #: As documents are labeled now.
    label: Label | None = None
    #: Only scores from this one on.
    min_score: float | None = None
    #: The position to begin at; None is the end where rows begin.
    start: int | None = None
    #: Whether the last row comes first, and so on to the top.
    from_last: bool = False
    #: Only documents from the first upload on that began then or later.
    since: datetime | None = None
    #: Only those that count as positive, or only the others, as labels are now.
    predicted: bool | None = None


WHOLE = Part()


@dataclass(frozen=True)
class RankedDocument:
    """A row of the ranking; ``rank`` counts from 1 over the whole of it, whatever the filter."""

    rank: int
    id: str
    score: float
    probability: float | None
    predicted: bool
    label: Label
    #: The lower, the earlier it was read; None for seeds and what nobody judged.
    judgement: int | None
    text: str
    metadata: dict[str, Any] | None


def page(
    session: Session,
    artifacts: Artifacts,
    model: Model,
    part: Part = WHOLE,
    *,
    mark: str | None = None,
    limit: int,
) -> tuple[list[RankedDocument], int | None]:
    """Return the first ``limit`` rows of a part, and where the next ones start.

    Documents deleted since the training are passed over.

    Raises
    ------
    ArtifactUnavailable
    RankingReplaced
        If the ranking is not the one that has the ``mark``: positions in it say nothing here.
    """
    model, file = current_ranking.load(session, artifacts, model)
    if mark not in (None, mark_of(model)):
        raise RankingReplaced(
            "The ranking was brought up to date since the page before was read. Start again from "
            "the first page, without page_token."
        )
    chosen = _chosen(session, file, model, part)
    return _page(session, file, model, chosen, part.start, limit)


def rows(
    database: Database, artifacts: Artifacts, model: Model, part: Part = WHOLE
) -> Iterator[RankedDocument]:
    """Yield all rows of a part, in flat memory and with no long transaction.

    A ranking that is replaced on the way is read whole.

    Raises
    ------
    ArtifactUnavailable
        Also on the way, if the file is damaged.
    ProjectNotFound
        On the way, if the project is deleted.
    """
    with database.reading() as session:
        model, file = current_ranking.load(session, artifacts, model)
        chosen = _chosen(session, file, model, part)
    return _rows(database, artifacts, model, file, chosen, part.start)


def find(
    session: Session, artifacts: Artifacts, model: Model, number: int
) -> RankedDocument | None:
    """Return the row of the document with this number; None where it was not in the training.

    Raises
    ------
    ArtifactUnavailable
    """
    model, file = current_ranking.load(session, artifacts, model)
    positions = file.positions(np.array([number]))
    return next(_read(session, file, model, positions), None)


def mark_of(model: Model) -> str:
    """Return a mark that tells the present ranking of a model from those before."""
    return str(model.ranking_file["sha256"][:16])


def is_predicted(score: float, cut: float, label: Label) -> bool:
    """Tell whether a document counts as positive."""
    # What a person said of a document counts for more than its score.
    return label == Label.POSITIVE or (score >= cut and label != Label.NEGATIVE)


@dataclass(frozen=True)
class _Chosen:
    """Which positions pass the filters: before ``end``, only or none of those ``listed``."""

    end: int
    #: Whether they are asked for from the last one to the top.
    from_last: bool
    listed: NDArray[np.intp] | None
    is_listed: bool

    def positions(self, start: int | None, n: int) -> NDArray[np.intp]:
        """Return the first ``n`` from ``start`` on, in the direction asked for."""
        if self.from_last:
            end = self._n_before(self.end if start is None else start + 1)
            return self._between(max(end - n, 0), end)[::-1]
        first = self._n_before(start or 0)
        return self._between(first, min(first + n, self._n_before(self.end)))

    def _n_before(self, position: int) -> int:
        position = min(position, self.end)
        if self.listed is None:
            return position
        n_listed = int(np.searchsorted(self.listed, position))
        return n_listed if self.is_listed else position - n_listed

    def _between(self, first: int, end: int) -> NDArray[np.intp]:
        """Return those that pass, counted among themselves: from ``first`` to before ``end``."""
        if self.listed is None:
            return np.arange(first, end)
        if self.is_listed:
            return self.listed[first:end]
        # Numbered as if the listed ones were not there, then moved by how many of them come before.
        found = np.arange(first, end)
        others_before = self.listed - np.arange(len(self.listed))
        return found + np.searchsorted(others_before, found, side="right")


def _chosen(session: Session, file: RankingFile, model: Model, part: Part) -> _Chosen:
    end = len(file) if part.min_score is None else _n_from(file, part.min_score)
    passed = None
    if part.since is not None:
        passed = file.positions_behind(
            ArrivalRepository(session).after(model.project_id, part.since)
        )
    if part.label is None and part.predicted is None:
        return _Chosen(end, part.from_last, passed, is_listed=True)
    labeled = DocumentRepository(session).labeled_numbers(model.project_id)
    if part.predicted is not None:
        predicted = np.flatnonzero(
            _are_predicted(file, model.card["offset"], labeled) == part.predicted
        )
        passed = predicted if passed is None else np.intersect1d(passed, predicted)
    if part.label is None:
        return _Chosen(end, part.from_last, passed, is_listed=True)
    is_listed = part.label != Label.UNLABELED
    numbers = labeled[part.label] if is_listed else np.concatenate(list(labeled.values()))
    listed = file.positions(numbers)
    if passed is not None:
        listed = np.intersect1d(passed, listed) if is_listed else np.setdiff1d(passed, listed)
        is_listed = True
    return _Chosen(end, part.from_last, listed, is_listed)


def _n_from(file: RankingFile, score: float) -> int:
    """Return how many have this score or a higher one."""
    return bisect_right(file.scores, -score, key=lambda score: -score)


def _are_predicted(
    file: RankingFile, cut: float, labeled: Mapping[Label, NDArray[np.int64]]
) -> NDArray[np.bool_]:
    """Return ``is_predicted`` for each position."""
    predicted = np.arange(len(file)) < _n_from(file, cut)
    predicted[file.positions(labeled[Label.NEGATIVE])] = False
    predicted[file.positions(labeled[Label.POSITIVE])] = True
    return predicted


def _page(
    session: Session,
    file: RankingFile,
    model: Model,
    chosen: _Chosen,
    start: int | None,
    limit: int,
) -> tuple[list[RankedDocument], int | None]:
    found: list[RankedDocument] = []
    total = 0
    while True:
        positions = chosen.positions(start, limit + 1 - len(found))
        if not len(positions):
            return found, None
        for row in _read(session, file, model, positions):
            if len(found) == limit or total > PAGE_CHARACTERS:
                return found, row.rank - 1
            found.append(row)
            total += n_characters(row)
        start = int(positions[-1]) + (-1 if chosen.from_last else 1)


def _rows(
    database: Database,
    artifacts: Artifacts,
    model: Model,
    file: RankingFile,
    chosen: _Chosen,
    start: int | None,
) -> Iterator[RankedDocument]:
    while True:
        _check_whole(artifacts, model)
        with database.reading() as session:
            found, start = _page(session, file, model, chosen, start, _EXPORT)
            ProjectRepository(session).get(model.project_id)  # documents go with it
        yield from found
        if start is None:
            return


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
    scores = file.scores[positions].tolist()
    shares: list[float | None] = [None] * len(scores)
    if file.probabilities is not None:
        shares = file.probabilities[positions].tolist()
    columns = zip(positions.tolist(), scores, shares, strict=True)
    repository = DocumentRepository(session)
    for numbers in portions(session, file.numbers[positions].tolist(), PAGE_CHARACTERS):
        documents = repository.by_numbers(numbers)
        for number, (position, score, probability) in zip(numbers, columns, strict=False):
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
                judgement=document.judgement or None,  # 0 is a seed taken back
                text=document.text,
                metadata=document.metadata,
            )
