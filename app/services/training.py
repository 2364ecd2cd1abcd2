"""Trainings: checked and queued, then run as jobs."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import InvalidParameter, StorageFull, TooFewPositives
from app.repositories.documents import DocumentRepository
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services import doctor, feature_selection, vectorising
from app.services.labels import Labels, check_labels, read_labels
from app.services.model_card import model_card
from app.services.parameters import invalid_parameter, unsuitable_documents
from app.services.publication import publish
from app.services.run import Run
from app.services.stages import Stages
from app.services.vectorising import Counted
from app.tables import Job, JobKind, Model, new_id
from core.base import BasePUClassifier
from core.names import known
from core.persistence import dump_arrays, save
from core.pipeline import make_text_classifier
from core.progress import report
from core.registry import ALGORITHMS
from core.validation import check_n_positive

#: Up to this many documents a graph of neighbours is built in minutes.
_GRAPH_DOCUMENTS = 200_000
#: Parameters of seed_expansion beyond.
_LINEAR = {"n_neighbors": 0, "n_components": 0}
#: With fewer, most of what seed_expansion takes for negative could be of the kind.
_PILE_PER_POSITIVE = 10
#: Documents that are scored at once.
_BLOCK = 50_000
_ENDS = {"vectorise": 0.5, "weight": 0.55, "fit": 0.9, "rank": 0.93, "examine": 0.97, "save": 1.0}


def request(
    session: Session,
    *,
    project_id: str,
    algorithm: str = "auto",
    params: dict[str, Any] | None = None,
    vectorizer: dict[str, Any] | None = None,
    feature_selection_id: str | None = None,
    class_prior: float | None = None,
    random_state: int = 0,
) -> Job:
    """Check a training and queue it.

    Raises
    ------
    ProjectNotFound, FeatureSelectionNotFound, InvalidParameter, NoPositives, NoUnlabeled,
    TooFewPositives
    """
    project = ProjectRepository(session).lock(project_id)
    choice: str | None = None
    chosen_params: dict[str, Any] = {}
    if algorithm == "auto":
        counts = DocumentRepository(session).counts(project_id)
        algorithm, chosen_params, choice = _choose(counts)
    spec = {
        "algorithm": algorithm,
        "choice": choice,
        "params": chosen_params | (params or {}),
        "vectorizer": vectorising.with_defaults(project, vectorizer or {}),
        "feature_selection_id": feature_selection_id,
        "class_prior": class_prior,
        "random_state": random_state,
    }
    classifier = _check(spec)["classifier"]
    if feature_selection_id is not None:
        feature_selection.get(session, project_id, feature_selection_id)
    _check_documents(session, project_id, classifier)
    return JobRepository(session).add(project_id, JobKind.TRAIN, spec)


def _choose(counts: dict[str, int]) -> tuple[str, dict[str, Any], str]:
    """Return the name of an algorithm, parameters of it, and why it was chosen."""
    n_documents = counts["total"]
    algorithm = "seed_expansion"
    params: dict[str, Any] = {}
    if counts["unlabeled"] < _PILE_PER_POSITIVE * counts["positive"]:
        algorithm, reason = "prototype", "the pile is too small to tell what is surely negative"
    elif n_documents > _GRAPH_DOCUMENTS:
        params = _LINEAR
        reason = "without neighbours and latent directions its time grows with the pile alone"
    else:
        reason = "from few positives it ranks best on piles of this size"
    return algorithm, params, f"{algorithm} was chosen for {n_documents:,} documents: {reason}."


def _check(spec: dict[str, Any]) -> Pipeline:
    prior, given = spec["class_prior"], spec["params"].get("class_prior")
    if prior is not None and not 0 <= prior <= 1:
        raise _invalid("/class_prior", f"class_prior must lie in [0, 1], not be {prior}.")
    if prior is not None and given not in (None, prior):
        raise _invalid("/params/class_prior", f"class_prior is {prior} and {given} in params.")
    try:
        known(spec["algorithm"], [*ALGORITHMS, "auto"], "algorithm")
    except ValueError as error:
        raise _invalid("/algorithm", str(error)) from error
    try:
        return _pipeline(spec)
    except ValueError as error:
        groups = {name: spec[name] for name in ("params", "vectorizer")}
        raise invalid_parameter(error, **groups) from error


def _check_documents(session: Session, project_id: str, classifier: BasePUClassifier) -> None:
    n_positive = check_labels(
        session,
        project_id,
        needs_unlabeled=classifier.requires_unlabeled,
        needs_unjudged=classifier.requires_unjudged,
    )
    try:
        check_n_positive(classifier, n_positive)
    except ValueError as error:
        raise TooFewPositives(str(error), errors=[_place("/algorithm", str(error))]) from error


def _invalid(pointer: str, detail: str) -> InvalidParameter:
    return InvalidParameter(detail, errors=[_place(pointer, detail)])


def _place(pointer: str, detail: str) -> dict[str, Any]:
    return {"pointer": pointer, "detail": detail}


def _pipeline(spec: dict[str, Any], **options: Any) -> Pipeline:
    params = spec["params"]
    if spec["class_prior"] is not None and _takes_class_prior(spec["algorithm"]):
        params = {**params, "class_prior": spec["class_prior"]}
    return make_text_classifier(
        spec["algorithm"],
        params,
        vectorizer=spec["vectorizer"],
        pos_label=1,
        random_state=spec["random_state"],
        **options,
    )


def _takes_class_prior(algorithm: str) -> bool:
    return "class_prior" in ALGORITHMS[algorithm]._get_param_names()


def run(run: Run) -> None:
    """Train, rank the documents of the project, publish the model if the job is still held.

    Raises
    ------
    ProjectNotFound, FeatureSelectionNotFound
    NoPositives, NoUnlabeled, TooFewPositives, UnsuitableDocuments
        If the project or its documents changed since the request, or do not suit the algorithm.
    ArtifactUnavailable, StorageFull
    """
    stages = Stages(run.report, _ENDS)
    with unsuitable_documents():
        pipeline, counted, labels = _learn(run, stages)
        with stages.stage("rank"):
            scores = _scores(pipeline, counted.counts)
    with stages.stage("examine"):
        findings = doctor.findings(
            run.database, pipeline, counted, labels, scores, run.spec["random_state"]
        )
    model = Model(
        id=new_id(),
        project_id=run.project_id,
        job_id=run.job_id,
        algorithm=run.spec["algorithm"],
    )
    with stages.stage("save"):
        _save(run.artifacts, model, pipeline, counted.numbers, scores)
    card = model_card(run.spec, pipeline, counted, labels, scores, findings)
    model.card = {**card, "seconds": stages.seconds}
    publish(
        run,
        lambda session: _add(session, model),
        result={"model_id": model.id, "warnings": card["warnings"]},
        keys=[model.file["key"], model.ranking_file["key"]],
    )


def _learn(run: Run, stages: Stages) -> tuple[Pipeline, Counted, Labels]:
    pipeline = _pipeline(run.spec)
    with stages.stage("vectorise") as event:
        counted = vectorising.count(run.database, run.artifacts, run.project_id, pipeline["counts"])
        event.update(counted.summary())
        labels = read_labels(run.database, run.project_id, counted.numbers)
        selection_id = run.spec["feature_selection_id"]
        if selection_id is not None:
            mask = feature_selection.term_mask(run, selection_id, counted.counter.terms_)
            pipeline = _pipeline(run.spec, feature_mask=mask)
        pipeline.steps[0] = ("counts", counted.counter)
    with stages.stage("weight"):
        X = counted.counts
        for _, step in pipeline.steps[1:-1]:
            X = step.fit_transform(X)
    with stages.stage("fit"):
        y = labels.is_positive.astype(int)
        pipeline["classifier"].fit(X, y, is_negative=labels.is_negative)
    return pipeline, counted, labels


def _scores(pipeline: Pipeline, counts: csr_array) -> NDArray[np.float64]:
    """Return the score of each document of the training."""
    classifier = pipeline["classifier"]
    if classifier.is_transductive:
        return np.asarray(classifier.transduction_scores_, dtype=np.float64)
    scores = np.empty(counts.shape[0])
    for start in range(0, len(scores), _BLOCK):
        block = counts[start : start + _BLOCK]
        scores[start : start + _BLOCK] = pipeline[1:].score_samples(block)
        report("rank", (start + block.shape[0]) / len(scores))
    return scores


def _save(
    artifacts: Artifacts,
    model: Model,
    pipeline: Pipeline,
    numbers: NDArray[np.int64],
    scores: NDArray[np.float64],
) -> None:
    # Numbers ascend, so equal scores stay in their order.
    order = np.argsort(-scores, kind="stable")
    ranking = {"numbers": numbers[order], "scores": scores[order]}
    model.file = artifacts.save(f"models/{model.id}", partial(save, pipeline))
    try:
        model.ranking_file = artifacts.save(f"rankings/{model.id}", partial(dump_arrays, ranking))
    except StorageFull:
        artifacts.delete(model.file["key"])
        raise


def _add(session: Session, model: Model) -> None:
    models = ModelRepository(session)
    model.is_champion = models.champion(model.project_id) is None
    models.add(model)
