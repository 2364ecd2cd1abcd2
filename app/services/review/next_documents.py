"""Which documents to judge next: a few places of a ranking, chosen without reading the pile."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import ModelNotFound, NoModel
from app.orm import Label, Model
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.data_state import labels_changed, texts_changed
from app.services.documents.labels import NO_PILE
from app.services.ranking import current_ranking
from app.services.ranking.ranking_file import RankingFile
from app.services.review.picking import Picked, filled, found_copies, pick
from app.services.review.review_words import DECIDE


def choose(
    session: Session,
    artifacts: Artifacts,
    *,
    project_id: str,
    model_id: str | None,
    since: datetime | None = None,
    strategy: str,
    n: int,
    with_copies: bool = False,
) -> dict[str, Any]:
    """Return up to ``n`` documents that nobody has judged, which came in ``since``.

    Of large texts there are fewer, as on a page; ``with_copies`` also where few others are found.
    Where there are none, ``reason`` says why.

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
    picked = pick(repository, model, ranking, is_judged, strategy, n)
    picked = found_copies(repository, ranking, is_judged, picked) if with_copies else filled(picked)
    copies = picked.copies if with_copies else {}
    documents = list(_documents(ranking, picked, copies, model.card["offset"]))
    return {
        "model_id": model.id,
        "labels_changed": labels_changed(model, labeled),
        "texts_changed": texts_changed(session, model),
        "n_unranked": repository.n_behind(project_id, ranking.last_number, Label.UNLABELED),
        "n_withheld": len(picked.copies),
        "documents": documents,
        "reason": None if documents else _reason(repository, model, since),
    }


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


def _documents(
    ranking: RankingFile, picked: Picked, copies: dict[int, int], cut: float
) -> Iterator[dict[str, Any]]:
    """Yield those picked for relevance by rank, then the others, nearest to the cut first."""
    copies_of: dict[int, list[dict[str, Any]]] = {position: [] for position in picked.is_uncertain}
    for position in sorted(copies):
        copies_of[copies[position]].append(_of_row(ranking, picked, position))

    def place(position: int) -> tuple[bool, float, int]:
        is_uncertain = picked.is_uncertain[position]
        return is_uncertain, abs(ranking.scores[position] - cut) if is_uncertain else 0, position

    probabilities = ranking.probabilities
    for position in sorted(picked.is_uncertain, key=place):
        yield {
            **_of_row(ranking, picked, position),
            "score": float(ranking.scores[position]),
            "probability": None if probabilities is None else float(probabilities[position]),
            "chosen_for": "uncertainty" if picked.is_uncertain[position] else "relevance",
            "copies": copies_of[position],
        }


def _of_row(ranking: RankingFile, picked: Picked, position: int) -> dict[str, Any]:
    row = picked.rows[int(ranking.numbers[position])]
    return {"id": row.id, "text": row.text, "metadata": row.metadata, "rank": position + 1}


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
