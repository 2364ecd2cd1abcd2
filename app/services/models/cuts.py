"""Cuts of a model: those found in training, and any other that is asked about."""

from typing import Any

import numpy as np
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.orm import Label, Model
from app.repositories.documents import DocumentRepository
from app.repositories.models import ModelRepository
from app.services.documents.data_state import texts_changed
from app.services.ranking import current_ranking
from app.services.training.calibrating import COLUMNS, cut_figures
from core.calibration.cuts import Cut


def of_model(
    session: Session, artifacts: Artifacts, model_id: str, score: float | None
) -> dict[str, Any]:
    """Return the cuts of a model and what is expected of each; of one at ``score``, too.

    Raises
    ------
    ModelNotFound, ProjectNotFound, ArtifactUnavailable
    """
    model = ModelRepository(session).get(model_id)
    cuts = [{"rule": rule, **figures} for rule, figures in model.card["cuts"].items()]
    if score is not None:
        cuts.append({"rule": "asked", **_asked(session, artifacts, model, score)})
    return {
        "model_id": model.id,
        "used": model.card["cut"]["rule"],
        "n_unlabeled": model.card["n_unlabeled"],
        "cuts": cuts,
        **model.card["calibration"],
    }


def _asked(session: Session, artifacts: Artifacts, model: Model, score: float) -> dict[str, Any]:
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
    return cut_figures(Cut(score), ranking.scores[is_unlabeled], probabilities)
