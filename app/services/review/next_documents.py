"""Which documents to judge next: a few places of a ranking, chosen without reading the pile."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.document_sizes import PAGE_CHARACTERS
from app.errors import ModelNotFound, NoModel
from app.orm import Label, Model
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.models import ModelRepository
from app.repositories.page_sizes import portions
from app.repositories.projects import ProjectRepository
from app.services.documents.data_state import labels_changed, texts_changed
from app.services.documents.labels import NO_PILE
from app.services.ranking import current_ranking
from app.services.ranking.ranking_file import RankingFile
from app.services.review.review_words import DECIDE
from core.review.choice import next_documents
from core.review.copies import near_copies

#: How often copies are passed over for what comes after them.
MAX_ROUNDS = 10


@dataclass(frozen=True)
class NextDocument:
    """A document to judge; ``rank`` counts from 1 over the whole ranking."""

    id: str
    text: str
    metadata: dict[str, Any] | None
    rank: int
    score: float
    probability: float | None
    chosen_for: str


@dataclass(frozen=True)
class Next:
    """Documents to judge, the model that ranked them, and why there are none where there are none.

    ``labels_changed`` tells whether a new training would see other labels, ``texts_changed``
    whether texts were replaced or removed since the ranking was made; ``n_unranked`` documents came
    in since then, and are not among these; ``n_withheld`` rank as high, and say nearly the same.
    """

    model_id: str
    labels_changed: bool
    texts_changed: bool
    n_unranked: int
    n_withheld: int
    documents: list[NextDocument]
    reason: str | None


def choose(
    session: Session,
    artifacts: Artifacts,
    *,
    project_id: str,
    model_id: str | None,
    since: datetime | None = None,
    strategy: str,
    n: int,
) -> Next:
    """Return up to ``n`` documents that nobody has judged, which came in ``since``.

    Of large texts there are fewer, as on a page.

    Raises
    ------
    ProjectNotFound, ModelNotFound, NoModel, ArtifactUnavailable
    """
    model, ranking = _ranked(session, artifacts, project_id, model_id)
    repository = DocumentRepository(session)
    labeled = repository.labeled_numbers(project_id)
    is_judged = ranking.mask(np.concatenate(list(labeled.values())))
    if since is not None:
        is_judged |= ranking.numbers <= ArrivalRepository(session).after(project_id, since)
    picked = _pick(repository, model, ranking, is_judged, strategy, n)
    documents = _documents(ranking, picked, model.card["offset"])
    return Next(
        model_id=model.id,
        labels_changed=labels_changed(model, labeled),
        texts_changed=texts_changed(session, model),
        n_unranked=repository.n_behind(project_id, ranking.last_number, Label.UNLABELED),
        n_withheld=picked.n_withheld,
        documents=documents,
        reason=None if documents else _reason(repository, model, since),
    )


def _ranked(
    session: Session, artifacts: Artifacts, project_id: str, model_id: str | None
) -> tuple[Model, RankingFile]:
    while True:
        model = _model(session, project_id, model_id)
        try:
            return current_ranking.load(session, artifacts, model)
        except ModelNotFound:
            if model_id is not None:
                raise
            # The newest was deleted meanwhile: now another one is.


def _model(session: Session, project_id: str, model_id: str | None) -> Model:
    ProjectRepository(session).get(project_id)
    models = ModelRepository(session)
    if model_id is not None:
        return models.of_project(project_id, model_id)
    newest = models.newest(project_id)
    if newest is None:
        raise NoModel(
            "The project has no model yet to say what to read next. Train one with POST /train and "
            "wait for its job."
        )
    return newest


class _Picked(NamedTuple):
    """Positions, each with whether it is near the cut, and documents by their numbers."""

    is_uncertain: dict[int, bool]
    rows: dict[int, Any]
    #: Copies of those that were picked.
    n_withheld: int


def _pick(
    repository: DocumentRepository,
    model: Model,
    ranking: RankingFile,
    is_judged: NDArray[np.bool_],
    strategy: str,
    n: int,
) -> _Picked:
    """Pick up to ``n`` documents, one of those that say the same."""
    left_out = is_judged.copy()
    found: dict[int, Any] = {}
    passed: dict[int, bool] = {}
    n_wanted, cut = n, model.card["offset"]
    for _ in range(MAX_ROUNDS):
        positions, is_uncertain = next_documents(
            ranking.scores, left_out, cut, n_wanted, strategy=strategy
        )
        numbers = ranking.numbers[positions].tolist()
        if not numbers:
            return _Picked({}, {}, 0)
        fitting = next(portions(repository.session, numbers, PAGE_CHARACTERS))
        if len(fitting) < len(numbers):
            numbers, n_wanted = fitting, len(fitting)
            positions, is_uncertain = positions[:n_wanted], is_uncertain[:n_wanted]
        found |= repository.by_numbers([number for number in numbers if number not in found])
        if not found.keys() >= set(numbers):  # some were deleted since the training
            is_gone = ~np.isin(ranking.numbers, repository.numbers(model.project_id))
            return _pick(repository, model, ranking, is_judged | is_gone, strategy, n)
        chosen = dict(zip(positions.tolist(), is_uncertain.tolist(), strict=True))
        copies = positions[near_copies([found[number].text for number in numbers])]
        left_out[copies] = True
        passed |= {position: chosen.pop(position) for position in copies.tolist()}
        if not len(copies):
            break
    # Copies come where there is too little else.
    filling = dict(list(passed.items())[: n_wanted - len(chosen)])
    return _Picked(chosen | filling, found, len(passed) - len(filling))


def _documents(ranking: RankingFile, picked: _Picked, cut: float) -> list[NextDocument]:
    """Return those picked for relevance by rank, then the others, nearest to the cut first."""
    documents = []
    for position, is_uncertain in picked.is_uncertain.items():
        row = picked.rows[int(ranking.numbers[position])]
        probabilities = ranking.probabilities
        documents.append(
            NextDocument(
                id=row.id,
                text=row.text,
                metadata=row.metadata,
                rank=position + 1,
                score=float(ranking.scores[position]),
                probability=None if probabilities is None else float(probabilities[position]),
                chosen_for="uncertainty" if is_uncertain else "relevance",
            )
        )

    def place(document: NextDocument) -> tuple[bool, float, int]:
        is_uncertain = document.chosen_for == "uncertainty"
        distance = abs(document.score - cut) if is_uncertain else 0.0
        return is_uncertain, distance, document.rank

    return sorted(documents, key=place)


def _reason(repository: DocumentRepository, model: Model, since: datetime | None) -> str:
    if since is not None:
        return (
            f"The model ranked no document that came in since {since.isoformat()} and is not "
            f"judged. Have new ones ranked with POST /models/{model.id}/ranking."
        )
    counts = repository.counts(model.project_id)
    n_unlabeled, n_unsure = counts["unlabeled"], counts["unsure"]
    if not n_unlabeled and not JudgementRepository(repository.session).judged(model.project_id):
        return NO_PILE.format(project_id=model.project_id)
    if not n_unlabeled:
        unsure = f" Unsure: {n_unsure:,}. {DECIDE}" if n_unsure else ""
        return f"Every document of the project is judged.{unsure}"
    return (
        f"Every document that the model ranked is judged; {n_unlabeled:,} came in later. Have them "
        f"ranked with POST /models/{model.id}/ranking, or train again with POST /train."
    )
