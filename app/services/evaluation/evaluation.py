"""Evaluations of models without negatives: checked and queued, then run as jobs."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import clone
from sqlalchemy.orm import Session

from app.errors import (
    EvaluationNotFound,
    ModelNotFound,
    ModelOutdated,
    NoUnlabeled,
    TooFewPositives,
    UnsuitableDocuments,
)
from app.job_kinds import JobKind
from app.orm import Job, Model
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.counting import vectorising
from app.services.counting.counted_documents import read_counted
from app.services.documents.data_state import data_state, state_of
from app.services.documents.labels import Labels
from app.services.documents.text_counts import Counted
from app.services.evaluation.evaluation_curve import curve
from app.services.evaluation.evaluation_figures import (
    ASSUMPTION,
    NOTHING_SHARED,
    bounds,
    cautions,
    prior_figures,
    spread,
    summary,
)
from app.services.evaluation.evaluation_prior import EvaluationPrior, largest_prior
from app.services.figure_fields import figure_fields
from app.services.jobs import memory_limit
from app.services.jobs.publication import publish
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from app.services.models import models
from app.services.parameters import unsuitable_documents
from app.services.plain import plain
from app.services.stored_files import read_model
from app.services.training import training_memory
from core.auto.entries import Candidate
from core.class_prior.clamp import MIN_UNLABELED, clamp_prior
from core.class_prior.consensus import consensus_prior
from core.evaluation.figures import Figure, hidden_figures, mean_figures
from core.evaluation.hide_positives import hide_positives
from core.evaluation.pu_curve import hidden_places
from core.progress import part
from core.pu_rates import area_under_lift
from core.registry import ALGORITHMS
from core.text import TermWeighting

_ENDS = {"vectorise": 0.1, "hide": 0.8, "prior": 1.0}
_CHANGED = (
    "Documents or labels changed since the model was trained, so it cannot be evaluated. Train "
    "again, then evaluate the new model."
)


def request(
    session: Session,
    *,
    model_id: str,
    n_splits: int,
    n_repeats: int,
    class_prior: float | None,
) -> Job:
    """Check that a model can be evaluated and queue that.

    Raises
    ------
    ModelNotFound, ProjectNotFound, ModelOutdated, TooFewPositives, NoUnlabeled
    UnsuitableDocuments
        If no unlabeled document shares a word with the positives.
    """
    model = ModelRepository(session).get(model_id)
    ProjectRepository(session).lock(model.project_id)
    if model.card["data_state"] != data_state(session, model.project_id):
        raise ModelOutdated(_CHANGED)
    n_positive = model.card["n_positive"]
    n_left = n_positive - math.ceil(n_positive / min(n_splits, n_positive))
    n_needed = max(1, ALGORITHMS[model.algorithm](**model.card["params"]).min_positives)
    if n_left < n_needed:
        raise TooFewPositives(
            f"Each training hides some of the positives: {n_left} of {n_positive} would be left, "
            f"and {model.algorithm} needs {n_needed}. Label more and train again."
        )
    if "nothing_shared" in model.card["report"]["flags"]:
        raise UnsuitableDocuments(NOTHING_SHARED)
    if not model.card["n_unlabeled"]:
        raise NoUnlabeled(
            "The model was trained without unlabeled documents to hide positives among. Add some "
            f"with POST /projects/{model.project_id}/unlabeled and train again."
        )
    spec = {
        "model_id": model_id,
        "n_splits": min(n_splits, n_positive),
        "n_repeats": n_repeats,
        "class_prior": class_prior,
    }
    return JobRepository(session).add(model.project_id, JobKind.EVALUATION, spec)


def latest(session: Session, model_id: str) -> dict[str, Any]:
    """Return the latest evaluation of the model and its latest test, of which one may be None.

    Raises
    ------
    ModelNotFound, ProjectNotFound, EvaluationNotFound
    """
    model = ModelRepository(session).get(model_id)
    evaluation = models.states(session, [model])[model_id]["evaluation"]
    test = model.card.get("test")
    if evaluation is None and test is None:
        raise EvaluationNotFound(
            f"The model has not been evaluated yet. Start that with POST /models/{model_id}"
            "/evaluation and wait until its job has succeeded. If you have labeled documents of "
            f"your own, send them to POST /models/{model_id}/test."
        )
    return {"model_id": model_id, "evaluation": evaluation, "test": test}


def run(run: Run) -> None:
    """Train the model's algorithm with positives hidden; keep the figures with the model.

    Raises
    ------
    ProjectNotFound, ModelNotFound, TooFewPositives
    UnsuitableDocuments
        If documents or labels are not those that the model was trained on.
    MemoryLimit
        If the trainings would not fit; then none was made.
    ArtifactUnavailable, StorageFull
    """
    stages = Stages(run.report, _ENDS)
    with run.database.reading() as session:
        model = ModelRepository(session).get(run.spec["model_id"])
    pipeline = read_model(run.artifacts, model.file)
    with stages.stage("vectorise") as event:
        counted, labels = read_counted(run, event, clone(pipeline["counts"]))
    _check_unchanged(model, counted, labels)
    with unsuitable_documents():
        X = _weighed(run, model, pipeline, counted, labels)
        with stages.stage("hide"):
            deals, places = _deals(run.spec, model, pipeline["classifier"], X, labels)
        with stages.stage("prior"):
            prior = _class_prior(run, model, counted.counts, labels)
    result = {
        "model_id": model.id,
        "job_id": run.job_id,
        "data_state": model.card["data_state"],
        "n_splits": run.spec["n_splits"],
        "n_repeats": run.spec["n_repeats"],
        **_figures(deals, places, prior, model.card, labels.n_found),
        "seconds": stages.seconds,
    }
    result = plain(result)
    publish(run, lambda session: _keep(session, model.id, result), result=result)


def _weighed(run: Run, model: Model, pipeline: Any, counted: Counted, labels: Labels) -> csr_array:
    """Return the matrix that the model learns from; refuse where its trainings would not fit."""
    held_bytes = memory_limit.held_bytes()
    counts = counted.counts
    if "selection" in pipeline.named_steps:
        counts = clone(pipeline["selection"]).fit_transform(counts)
    X = vectorising.weigh(run.artifacts, clone(pipeline["weights"]), counts)
    memory = training_memory.of_evaluation(
        run.memory_mb,
        X,
        labels,
        run.spec["n_splits"],
        held_bytes,
        has_prior=_given_or_model_prior(run.spec, model.card) is not None,
    )
    memory.check(Candidate(model.algorithm, model.card["params"]))
    return X


def _deals(
    spec: dict[str, Any], model: Model, classifier: Any, X: csr_array, labels: Labels
) -> tuple[list[dict[str, Any]], NDArray[np.float64]]:
    """Return the figures of each repeat and the places of all hidden positives."""
    deals, places = [], []
    n_repeats, share = spec["n_repeats"], _accepted_share(model.card)
    for i in range(n_repeats):
        with part("hide", i / n_repeats, (i + 1) / n_repeats):
            outcome = hide_positives(
                classifier,
                X,
                labels.is_positive,
                labels.is_negative,
                is_hideable=labels.is_seed,
                share=share,
                n_splits=spec["n_splits"],
                random_state=(model.card["random_state"] + i) % 2**32,
            )
        # The scores of all trainings would not fit in memory.
        deals.append(hidden_figures(outcome))
        places.append(hidden_places(outcome))
    return deals, np.concatenate(places)


def _accepted_share(card: dict[str, Any]) -> float | None:
    """Return the share that the model accepts; None leaves it to the cut of the algorithm."""
    if card["cut"]["rule"] == "own":
        return None
    return float((card["n_predicted_positive"] - card["n_positive"]) / card["n_unlabeled"])


def _check_unchanged(model: Model, counted: Counted, labels: Labels) -> None:
    # The texts may be newer than the revision that was read before them.
    known = (model.card["texts_digest"], model.card["data_state"])
    if known != (counted.texts_digest, state_of(counted, labels)):
        raise UnsuitableDocuments(_CHANGED)


def _given_or_model_prior(spec: dict[str, Any], card: dict[str, Any]) -> EvaluationPrior | None:
    """Return the class prior that was given or that the model has, None if there is none."""
    n_unlabeled, estimate = card["n_unlabeled"], card["class_prior_estimate"]
    given = card["class_prior"] if spec["class_prior"] is None else spec["class_prior"]
    if given is not None:
        share = clamp_prior(given, n_unlabeled)
        return EvaluationPrior(Figure(share, share, share), "given", is_moved=share != given)
    if n_unlabeled < MIN_UNLABELED or estimate["value"] is None:
        return None
    ends = Figure(estimate["value"], estimate["low"], estimate["high"])
    return EvaluationPrior(ends, "model")


def _class_prior(run: Run, model: Model, counts: csr_array, labels: Labels) -> EvaluationPrior:
    """Return the known class prior, or an estimate."""
    if known := _given_or_model_prior(run.spec, model.card):
        return known
    if model.card["n_unlabeled"] < MIN_UNLABELED:
        return EvaluationPrior()
    X = vectorising.weigh(run.artifacts, TermWeighting(), counts)
    is_kept = labels.is_of_pile
    estimate = labels.of_rest(
        consensus_prior(
            X if is_kept.all() else X[is_kept],
            labels.is_seed[is_kept],
            random_state=model.card["random_state"],
        )
    )
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return EvaluationPrior()
    return EvaluationPrior(Figure(estimate.value, estimate.low, estimate.high), "estimated")


def _figures(
    deals: list[dict[str, Any]],
    places: NDArray[np.float64],
    prior: EvaluationPrior,
    card: dict[str, Any],
    n_found: int,
) -> dict[str, Any]:
    n_positive, n_unlabeled = card["n_positive"], card["n_unlabeled"]
    n_dealt = len(places) // len(deals)  # neither copies nor what was found by reading
    found = mean_figures(deals, n_dealt)
    prior = replace(prior, largest=largest_prior(places[:n_dealt], n_unlabeled, n_found))
    ends, with_prior = prior.ends, prior_figures(found, prior)
    rule = card["cut"]["rule"]
    of_cut = card["cuts"][rule]["precision"]
    return {
        "n_positive": n_positive,
        "n_unlabeled": n_unlabeled,
        "cut": rule,
        "recall": figure_fields(found["recall"], "nothing_predicted"),
        "auc_unlabeled": figure_fields(found["auc_unlabeled"]),
        **{name: found[name] for name in ("accepted", "lee_liu")},
        "aul": area_under_lift(found["auc_unlabeled"].value, n_positive, n_unlabeled),
        "class_prior": {**figure_fields(ends, "class_prior_unknown"), "source": prior.source},
        **with_prior,
        "spread": spread(deals, prior),
        "bounds": bounds(card["n_predicted_positive"] - n_positive, n_unlabeled, ends),
        "curve": curve(places, ends, reason=with_prior["auc"]["reason"]),
        "summary": summary(found, prior, with_prior["precision"], n_dealt, rule),
        "assumption": ASSUMPTION,
        "warnings": cautions(found, prior, n_dealt, n_found, of_cut),
    }


def _keep(session: Session, model_id: str, evaluation: dict[str, Any]) -> None:
    try:
        model = ModelRepository(session).get(model_id)
    except ModelNotFound:
        return  # deleted while its algorithm was trained again
    model.card = {**model.card, "evaluation": evaluation}
