"""Cuts of a model: those found in training, and any other that is asked about."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import InvalidRequest
from app.orm import Label, Model
from app.repositories.documents import DocumentRepository
from app.repositories.models import ModelRepository
from app.services.documents.data_state import texts_changed
from app.services.ranking import current_ranking
from app.services.training.calibrating import COLUMNS, cut_figures
from core.calibration.cuts import Cut, budget_cut


def of_model(
    session: Session,
    artifacts: Artifacts,
    model_id: str,
    *,
    score: float | None,
    budget: int | None,
) -> dict[str, Any]:
    """Return the cuts of a model and what is expected of each.

    Those at ``score`` and after the first ``budget`` unlabeled documents are of the ranking as it
    is now.

    Raises
    ------
    ModelNotFound, ProjectNotFound, ArtifactUnavailable
    InvalidRequest
        If ``budget`` is more than there are.
    """
    model = ModelRepository(session).get(model_id)
    cuts = [{"rule": rule, **figures} for rule, figures in model.card["cuts"].items()]
    if score is not None or budget is not None:
        scores, probabilities = _ranked_now(session, artifacts, model)
        asked = {} if score is None else {"asked": Cut(score)}
        if budget is not None:
            asked[f"budget:{budget}"] = _budget_cut(scores, budget)
        cuts += [{"rule": r, **cut_figures(c, scores, probabilities)} for r, c in asked.items()]
    return {
        "model_id": model.id,
        "used": model.card["cut"]["rule"],
        "n_unlabeled": model.card["n_unlabeled"],
        "cuts": cuts,
        **model.card["calibration"],
    }


def _budget_cut(scores: NDArray[np.float64], budget: int) -> Cut:
    if budget > len(scores):
        detail = f"A budget of {budget:,} is more than the {len(scores):,} unlabeled documents."
        raise InvalidRequest.of([{"pointer": "?budget", "detail": detail}])
    cut: Cut = budget_cut(scores, budget)
    return cut


def _ranked_now(
    session: Session, artifacts: Artifacts, model: Model
) -> tuple[NDArray[np.float64], list[NDArray[np.float32]]]:
    """Return the scores of the unlabeled documents of the ranking, and their probabilities."""
    model, ranking = current_ranking.load(session, artifacts, model)
    documents = DocumentRepository(session)
    labeled = documents.labeled_numbers(model.project_id)
    known = np.concatenate([labeled[Label.POSITIVE], labeled[Label.NEGATIVE]])
    is_unlabeled = ~ranking.mask(known)
    if texts_changed(session, model):  # some may be gone
        is_unlabeled &= np.isin(ranking.numbers, documents.numbers(model.project_id))
    probabilities = [
        ranking.columns[name][is_unlabeled] for name in COLUMNS if name in ranking.columns
    ]
    return ranking.scores[is_unlabeled], probabilities
