"""Evaluations of models without negatives: checked and queued, then run as jobs."""

import math
from typing import Any

from scipy.sparse import csr_array
from sklearn.base import clone
from sqlalchemy.orm import Session

from app.errors import (
    EvaluationNotFound,
    ModelNotFound,
    NoUnlabeled,
    TooFewPositives,
    UnsuitableDocuments,
)
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services import vectorising
from app.services.class_prior import MIN_UNLABELED
from app.services.evaluation_figures import (
    ASSUMPTION,
    Ends,
    bounds,
    cautions,
    figure,
    prior_figures,
    summary,
)
from app.services.labels import Labels, read_labels
from app.services.parameters import unsuitable_documents
from app.services.publication import publish
from app.services.run import Run
from app.services.selection_card import plain
from app.services.stages import Stages
from app.tables import Job, JobKind, Model
from core.class_prior.clamp import clamp_prior
from core.class_prior.consensus import consensus_prior
from core.evaluation import hidden_figures, hide_positives
from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS

_ENDS = {"vectorise": 0.1, "hide": 0.8, "prior": 1.0}


def request(
    session: Session, *, model_id: str, n_splits: int = 5, class_prior: float | None = None
) -> Job:
    """Check that a model can be evaluated and queue that.

    Raises
    ------
    ModelNotFound, ProjectNotFound, TooFewPositives, NoUnlabeled
    """
    model = ModelRepository(session).get(model_id)
    ProjectRepository(session).lock(model.project_id)
    n_positive = model.card["n_positive"]
    n_left = n_positive - math.ceil(n_positive / min(n_splits, n_positive))
    n_needed = max(1, ALGORITHMS[model.algorithm](**model.card["params"]).min_positives)
    if n_left < n_needed:
        raise TooFewPositives(
            f"Some of the positives are hidden in each training; {n_left} of {n_positive} would be "
            f"left and {model.algorithm} needs {n_needed}. Label more and train again."
        )
    if not model.card["n_unlabeled"]:
        raise NoUnlabeled(
            "The model was trained without unlabeled documents to hide positives among. Add some "
            f"with POST /projects/{model.project_id}/unlabeled and train again."
        )
    spec = {"model_id": model_id, "n_splits": n_splits, "class_prior": class_prior}
    return JobRepository(session).add(model.project_id, JobKind.EVALUATION, spec)


def latest(session: Session, model_id: str) -> dict[str, Any]:
    """Return the latest evaluation of the model.

    Raises
    ------
    ModelNotFound, EvaluationNotFound
    """
    found: dict[str, Any] | None = ModelRepository(session).get(model_id).card.get("evaluation")
    if found is None:
        raise EvaluationNotFound(
            f"The model has not been evaluated yet. Start that with POST /models/{model_id}"
            "/evaluation and wait until its job has succeeded."
        )
    return found


def run(run: Run) -> None:
    """Train the model's algorithm with positives hidden; keep the figures with the model.

    Raises
    ------
    ProjectNotFound, ModelNotFound, TooFewPositives
    UnsuitableDocuments
        If documents or labels are not those that the model was trained on.
    ArtifactUnavailable, StorageFull
    """
    stages = Stages(run.report, _ENDS)
    with run.database.reading() as session:
        model = ModelRepository(session).get(run.spec["model_id"])
    pipeline = run.artifacts.load_model(model.file)
    with stages.stage("vectorise") as event:
        counter = clone(pipeline["counts"])
        counted = vectorising.count(run.database, run.artifacts, run.project_id, counter)
        event.update(counted.summary())
        labels = read_labels(run.database, run.project_id, counted.numbers)
    _check_unchanged(model, counted.texts_digest, labels.digest)
    with unsuitable_documents():
        X = counted.counts
        for _, step in pipeline.steps[1:-1]:
            X = clone(step).fit_transform(X)
        with stages.stage("hide"):
            outcome = hide_positives(
                pipeline["classifier"],
                X,
                labels.is_positive,
                labels.is_negative,
                n_splits=run.spec["n_splits"],
                random_state=model.card["random_state"],
            )
        found = hidden_figures(outcome)
        with stages.stage("prior"):
            source, prior = _class_prior(run.spec, model, counted.counts, labels)
    result = {
        "model_id": model.id,
        "job_id": run.job_id,
        "n_splits": len(outcome.n_hidden),
        **_figures(found, prior, source, model.card),
        "seconds": stages.seconds,
    }
    result = plain(result)
    publish(run, lambda session: _keep(session, model.id, result), result=result, keys=[])


def _check_unchanged(model: Model, texts_digest: str, labels_digest: str) -> None:
    known = (model.card["texts_digest"], model.card["labels_digest"])
    if known != (texts_digest, labels_digest):
        raise UnsuitableDocuments(
            "Documents or labels changed since the model was trained, so that it cannot be "
            "evaluated. Train again, then evaluate the new model."
        )


def _class_prior(
    spec: dict[str, Any], model: Model, counts: csr_array, labels: Labels
) -> tuple[str | None, Ends | None]:
    """Return where the class prior is from, and the prior with its ends."""
    n_unlabeled = model.card["n_unlabeled"]
    given = spec["class_prior"] if spec["class_prior"] is not None else model.card["class_prior"]
    if given is not None:
        return "given", (clamp_prior(given, n_unlabeled),) * 3
    if n_unlabeled < MIN_UNLABELED:
        return None, None
    is_kept = ~labels.is_negative
    X = make_text_classifier()["weights"].fit_transform(counts)[is_kept]
    estimate = consensus_prior(
        X, labels.is_positive[is_kept], random_state=model.card["random_state"]
    )
    ends = (estimate.value, estimate.low, estimate.high)
    return (None, None) if estimate.value is None else ("estimated", ends)


def _figures(
    found: dict[str, Any], prior: Ends | None, source: str | None, card: dict[str, Any]
) -> dict[str, Any]:
    n_positive, n_unlabeled = card["n_positive"], card["n_unlabeled"]
    with_prior = prior_figures(found, prior)
    return {
        "n_positive": n_positive,
        "n_unlabeled": n_unlabeled,
        "recall": figure(found["recall"]),
        **{name: found[name] for name in ("accepted", "lee_liu", "auc_unlabeled")},
        "class_prior": {**figure(prior, "class_prior_unknown"), "source": source},
        **with_prior,
        "bounds": bounds(card["n_predicted_positive"] - n_positive, n_unlabeled, prior),
        "summary": summary(found, with_prior["precision"], n_positive),
        "assumption": ASSUMPTION,
        "warnings": cautions(found, prior, n_positive),
    }


def _keep(session: Session, model_id: str, evaluation: dict[str, Any]) -> None:
    try:
        model = ModelRepository(session).get(model_id)
    except ModelNotFound:
        return  # deleted while its algorithm was trained again
    model.card = {**model.card, "evaluation": evaluation}
